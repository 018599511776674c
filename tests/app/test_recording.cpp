// SPDX-License-Identifier: GPL-3.0-or-later
// The recording templates, run with stand-ins for the training program, srun, nsys and torch; then Rankscope opens what
// they leave.
#include <optional>

#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "core/demo/run_simulator.h"
#include "tests/app/run_program.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"

namespace rankscope::recording_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString kTemplates = QStringLiteral(RANKSCOPE_SOURCE_DIR "/packaging/recording/");

/// The training program: 2 ranks, of which one is slower when STAND_IN_SLOW says so; fails when STAND_IN_FAILS does.
/// One task writes for all.
int train() {
    if (qEnvironmentVariableIsSet("STAND_IN_FAILS"))
        return 3;
    if (qEnvironmentVariable("RANKSCOPE_KINETO") == "0"_L1 || qEnvironmentVariable("RANK", u"0"_s) != "0"_L1)
        return 0;
    QTemporaryDir made;
    SimulatorOptions options;
    options.dp = 2;
    if (qEnvironmentVariableIsSet("STAND_IN_SLOW"))
        options.slow = {1, qEnvironmentVariable("STAND_IN_SLOW").toDouble(), SlowCause::slower_kernels};
    if (!write_run(options, made.path().toStdString()))
        return 1;
    const QString folder = qEnvironmentVariable("RANKSCOPE_TRACE_DIR");
    for (const int rank : {0, 1})
        if (!QFile::copy(made.filePath(u"rank%1.json"_s.arg(rank)), folder + u"/rank%1_trace.json"_s.arg(rank)))
            return 1;
    return 0;
}

void write_script(const QString& path, const QByteArray& text) {
    write_file(path, "#!/usr/bin/env bash\nset -euo pipefail\n" + text);
    QFile(path).setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

} // namespace

class TestRecording : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QProcessEnvironment environment_;

    [[nodiscard]] QString at(const QString& name) const { return folder_.filePath(name); }

    Outcome run(const QString& program, const QStringList& arguments, const QStringList& variables = {}) {
        QProcess process;
        QProcessEnvironment environment = environment_;
        for (const QString& variable : variables)
            environment.insert(variable.section(u'=', 0, 0), variable.section(u'=', 1));
        process.setProcessEnvironment(environment);
        process.start(program, arguments);
        Outcome outcome;
        if (process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit)
            outcome.exit_code = process.exitCode();
        outcome.out = process.readAllStandardOutput();
        outcome.err = process.readAllStandardError();
        return outcome;
    }
    Outcome run_template(const QString& name, const QStringList& arguments, const QStringList& variables = {}) {
        return run(kTemplates + name, arguments, variables);
    }

private Q_SLOTS:
    void initTestCase() {
        if (QStandardPaths::findExecutable(u"bash"_s).isEmpty())
            QSKIP("skipped: no bash");
        environment_ = QProcessEnvironment::systemEnvironment();
        for (const QString& name : environment_.keys())
            if (name.startsWith("NCCL_"_L1) || name.startsWith("RCCL_"_L1) || name.startsWith("SLURM_"_L1) ||
                name == "RANK"_L1)
                environment_.remove(name);
        environment_.insert(u"PATH"_s, at(u"bin"_s) + u':' + environment_.value(u"PATH"_s));
        environment_.insert(u"STAND_IN_REPORT"_s, at(u"report.sqlite"_s));
        write_script(at(u"bin/train"_s),
                     "exec '" + QCoreApplication::applicationFilePath().toUtf8() + "' recording stand-in\n");
        // srun: four tasks on this machine.
        write_script(at(u"bin/srun"_s),
                     "while [[ $1 == --* ]]; do shift; done\n"
                     "for task in 0 1 2 3; do SLURM_PROCID=$task SLURM_LOCALID=$task \"$@\"; done\n");
        write_script(at(u"bin/scontrol"_s), "echo first\necho second\n");
        // nsys: refuses what the real one has no name for, runs the command, leaves the export.
        write_script(at(u"bin/nsys"_s), "[[ $1 == profile ]]; shift\n"
                                        "while [[ $1 == --* ]]; do\n"
                                        "  case $1 in\n"
                                        "    --output=*) output=${1#*=} ;;\n"
                                        "    "
                                        "--trace=cuda,nvtx|--cuda-graph-trace=node|--sample=none|--cpuctxsw=none|--"
                                        "force-overwrite=true|--export=sqlite) ;;\n"
                                        "    --capture-range=cudaProfilerApi|--capture-range-end=stop) ;;\n"
                                        "    *) echo \"nsys: what is $1\" >&2; exit 1 ;;\n"
                                        "  esac; shift\n"
                                        "done\n"
                                        "\"$@\"\n"
                                        "cp \"$STAND_IN_REPORT\" \"$output.sqlite\"\n");
        NsysExport report(at(u"report.sqlite"_s).toStdString());
        report.session_start(1'700'000'000'000'000'000);
        report.kernel(1000, 401'000, "gemm", {});
        report.kernel(500'000, 600'000, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", {});
    }

    void aLogOfTheGpusIsJoinedToTheTracesBesideIt() {
        // A stand-in that logs two GPUs until it is stopped, in the zone of this machine; the traces are as old as the
        // demo.
        write_script(
            at(u"bin/nvidia-smi"_s),
            "if [[ $1 == dmon ]]; then exec sleep 60; fi\n"
            "echo 'timestamp, index, clocks.current.sm [MHz], power.draw [W]'\n"
            "for gpu in 0 1; do for at in $STAND_IN_TIMES; do\n"
            "  echo \"$(date -d @${at%.*} '+%Y/%m/%d %H:%M:%S').${at#*.}, $gpu, $((1980 - 100 * gpu)) MHz, [N/A]\"\n"
            "done; done\ntouch '" +
                at(u"all_logged"_s).toUtf8() + "'\nexec sleep 60\n");
        write_script(at(u"bin/dmesg"_s), "echo '2026-11-27T15:31:37,000000+01:00 usb 1-1: new device'\n"
                                         "echo '2026-11-27T15:31:38,000000+01:00 NVRM: Xid (PCI:0000:3b:00): 79, x'\n");
        // Training ends when all samples are written: on a busy machine it would end first.
        write_script(at(u"bin/train_longer"_s),
                     "until [ -e '" + at(u"all_logged"_s).toUtf8() + "' ]; do sleep 0.05; done\nexec train\n");
        QDir().mkpath(at(u"logged"_s));
        QStringList times; // every 5 ms over the simulated run, seconds since 1970
        for (int ms = -10; ms <= 200; ms += 5)
            times.push_back(
                QString::number(static_cast<double>(SimulatorOptions{}.start_time / 1'000'000 + ms) / 1000, 'f', 3));
        const QStringList variables{u"RANKSCOPE_TRACE_DIR=%1"_s.arg(at(u"logged"_s)), u"TZ=EST5"_s,
                                    u"STAND_IN_TIMES=%1"_s.arg(times.join(u' '))};
        const Outcome logged = run_template(u"gpu_log.sh"_s, {at(u"logged"_s), u"train_longer"_s}, variables);
        QFile::remove(at(u"bin/nvidia-smi"_s));
        QFile::remove(at(u"bin/dmesg"_s));
        QVERIFY2(logged.exit_code == 0, logged.err.constData());
        const QStringList kernel = QDir(at(u"logged"_s)).entryList({u"gpu_kernel.*.txt"_s});
        QCOMPARE(kernel.size(), 1);
        QFile errors(at(u"logged/"_s + kernel.front()));
        QVERIFY(errors.open(QIODevice::ReadOnly));
        const QByteArray lines = errors.readAll(); // with the zone before them; nothing else of the log
        QVERIFY2(lines.startsWith("# rankscope host=") &&
                     lines.endsWith("38,000000+01:00 NVRM: Xid (PCI:0000:3b:00): "
                                    "79, x\n") &&
                     !lines.contains("usb"),
                 lines.constData());
        const Outcome told = run_program({u"--batch"_s, at(u"logged"_s), u"--json"_s, u"--sql"_s,
                                          u"select rank, count(*) as n, min(value) as mhz from counter where "
                                          "name = 'GPU SM clock (MHz)' group by rank"_s});
        QCOMPARE(told.exit_code, 0);
        const QJsonArray rows = told.json()["rows"_L1].toArray();
        QVERIFY2(rows.size() == 2, told.err.constData());
        for (int rank = 0; rank < 2; ++rank) {
            QCOMPARE(rows[rank]["mhz"_L1].toDouble(), 1980.0 - 100 * rank);
            QVERIFY(rows[rank]["n"_L1].toInt() >= 2);
        }
        const Outcome failed = run_template(u"gpu_log.sh"_s, {at(u"logged"_s), u"false"_s}, variables);
        QCOMPARE(failed.exit_code, 1);
    }

    void aSweepLeavesOneRunForEachSetting() {
        const Outcome swept = run_template(
            u"sweep.sh"_s, {at(u"sweep"_s), u"NCCL_ALGO,STAND_IN_SLOW"_s, u"Ring,1.0 Tree,1.5"_s, u"train"_s});
        QCOMPARE(swept.exit_code, 0);
        const QString baseline = at(u"sweep/NCCL_ALGO=Ring_STAND_IN_SLOW=1.0"_s);
        const QString test = at(u"sweep/NCCL_ALGO=Tree_STAND_IN_SLOW=1.5"_s);
        QCOMPARE(swept.out, QByteArray("rankscope " + baseline.toUtf8() + " " + test.toUtf8() + "\n"));

        const Outcome compared = run_program({u"--batch"_s, baseline, test, u"--json"_s});
        QCOMPARE(compared.exit_code, 0);
        const QJsonObject comparison = compared.json()["comparison"_L1].toArray()[0].toObject();
        QCOMPARE(comparison["metrics"_L1]["iter_time"_L1]["status"_L1].toString(), u"worse"_s);
        QJsonObject changed;
        for (const QJsonValue& key : comparison["config"_L1].toArray())
            changed[key["key"_L1].toString()] =
                u"%1 to %2"_s.arg(key["baseline"_L1].toString(), key["test"_L1].toString());
        QCOMPARE(changed["Model-executor.communication_library.env.NCCL_ALGO"_L1].toString(), u"Ring to Tree"_s);
    }

    void aSweepGoesOnAfterAFailureAndSaysSo() {
        const Outcome swept = run_template(u"sweep.sh"_s, {at(u"failing"_s), u"STAND_IN_FAILS"_s, u"1"_s, u"train"_s});
        QCOMPARE(swept.exit_code, 1);
        QCOMPARE(swept.out, QByteArray());
        QVERIFY(swept.err.contains("STAND_IN_FAILS=1"));
    }

    void aSweepRunsNothingWhenASettingDoesNotFit_data() {
        QTest::addColumn<QString>("names");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("too few") << u"A,B"_s << u"1,2 3"_s << QByteArray("sweep.sh: 3 has 1 values for 2 names\n");
        QTest::newRow("not a name") << u"A;B"_s << u"1"_s
                                    << QByteArray("sweep.sh: A;B is not the name of a variable\n");
    }
    void aSweepRunsNothingWhenASettingDoesNotFit() {
        QFETCH(const QString, names);
        QFETCH(const QString, settings);
        QFETCH(const QByteArray, says);
        const Outcome swept = run_template(u"sweep.sh"_s, {at(u"none"_s), names, settings, u"train"_s});
        QCOMPARE(swept.exit_code, 2);
        QCOMPARE(swept.err, says);
        QVERIFY(!QFileInfo::exists(at(u"none"_s)));
    }

    void aSlurmJobRecordsBothProfilersAndTheCard() {
        const Outcome job =
            run(u"bash"_s, {kTemplates + u"slurm_job.sbatch"_s, u"train"_s},
                {u"RECORDING="_s + kTemplates, u"RUNS="_s + at(u"runs"_s), u"NSYS_RANKS=0,2"_s, u"SLURM_JOB_ID=77"_s,
                 u"SLURM_JOB_NAME=llama"_s, u"SLURM_NTASKS=4"_s, u"SLURM_JOB_NODELIST=n[0-1]"_s, u"BATCH_SIZE=16"_s,
                 u"SEQ_LEN=2048"_s, u"DESCRIPTION=Bob's run: first"_s});
        const QString folder = at(u"runs/llama_77"_s);
        QCOMPARE(job.err, QByteArray());
        QCOMPARE(job.out, QByteArray("recorded: rankscope " + folder.toUtf8() + "\n"));
        const QStringList wanted{u"nsys_0.sqlite"_s, u"nsys_2.sqlite"_s, u"rank0_trace.json"_s, u"rank1_trace.json"_s,
                                 u"workload_card.yaml"_s};
        QCOMPARE(QDir(folder).entryList(QDir::Files, QDir::Name), wanted);

        const QJsonObject kineto =
            run_program({u"--batch"_s, folder, u"--json"_s}).json()["runs"_L1].toArray()[0].toObject();
        QCOMPARE(kineto["source"_L1].toString(), u"kineto"_s);
        QCOMPARE(kineto["ranks"_L1].toArray(), (QJsonArray{0, 1}));
        const QJsonObject config = kineto["config"_L1].toObject();
        QCOMPARE(config["description"_L1].toString(), u"Bob's run: first"_s);
        QCOMPARE(config["workload.data.batch_size"_L1].toVariant().toInt(), 16);
        QCOMPARE(config["workload.hardware.xpu_spec.total_count"_L1].toVariant().toInt(), 4);
        QVERIFY(kineto["metrics"_L1]["throughput_tokens"_L1]["available"_L1].toBool());

        const Outcome nsys = run_program({u"--batch"_s, folder, u"--profile-mode"_s, u"nsys"_s, u"--json"_s});
        const QJsonObject reports = nsys.json()["runs"_L1].toArray()[0].toObject();
        QCOMPARE(reports["source"_L1].toString(), u"nsys"_s);
        QCOMPARE(reports["ranks"_L1].toArray(), (QJsonArray{0, 2}));
    }

    void oneMachineIsOneReport() {
        const Outcome recorded =
            run_template(u"nsys_node.sh"_s, {at(u"node"_s), u"train"_s}, {u"NSYS_RANGE=cudaProfilerApi"_s});
        QCOMPARE(recorded.err, QByteArray());
        QCOMPARE(recorded.exit_code, 0);
        QCOMPARE(QDir(at(u"node"_s)).entryList(QDir::Files), QStringList{u"nsys_0.sqlite"_s});
        QCOMPARE(run_program({u"--batch"_s, at(u"node"_s)}).exit_code, 0);
    }

    void aRankThatNobodyNamesIsAnError() {
        const Outcome recorded = run_template(u"nsys_rank.sh"_s, {at(u"unknown"_s), u"all"_s, u"train"_s});
        QCOMPARE(recorded.exit_code, 1);
        QVERIFY(recorded.err.startsWith("nsys_rank.sh: neither RANK nor SLURM_PROCID"));
    }

    /// With a module in torch's place that writes the trace of rank 1, as export_chrome_trace would.
    void thePythonLinesLeaveATraceOfTheRank() {
        if (QStandardPaths::findExecutable(u"python3"_s).isEmpty())
            QSKIP("skipped: no python3");
        write_file(at(u"trace.json"_s), step_trace(1));
        write_file(at(u"torch/__init__.py"_s), "");
        write_file(at(u"torch/profiler.py"_s),
                   "import gzip, os\n"
                   "class ProfilerActivity: CPU, CUDA = 1, 2\n"
                   "def schedule(wait, warmup, active, repeat): return (wait, warmup, active, repeat)\n"
                   "class ExecutionTraceObserver:\n"
                   "    def register_callback(self, path): open(path, 'w').write('{}')\n"
                   "class profile:\n"
                   "    def __init__(self, activities, schedule, record_shapes, profile_memory, on_trace_ready, "
                   "execution_trace_observer=None):\n"
                   "        assert record_shapes and profile_memory and schedule == (5, 2, 3, 1)\n"
                   "        self.ready = on_trace_ready\n"
                   "    def __enter__(self): return self\n"
                   "    def __exit__(self, *_): self.ready(self)\n"
                   "    def step(self): pass\n"
                   "    def export_chrome_trace(self, path): gzip.open(path, "
                   "'wb').write(open(os.environ['STAND_IN_TRACE'], 'rb').read())\n");
        write_file(at(u"train.py"_s), "from pytorch_profiler import rankscope_profiler\n"
                                      "with rankscope_profiler() as prof:\n"
                                      "    for step in range(10): prof.step()\n");
        const QStringList variables{u"PYTHONDONTWRITEBYTECODE=1"_s,
                                    u"PYTHONPATH="_s + kTemplates + u':' + folder_.path(),
                                    u"RANK=1"_s,
                                    u"RANKSCOPE_EXECUTION_TRACE=1"_s,
                                    u"RANKSCOPE_TRACE_DIR="_s + at(u"python"_s),
                                    u"STAND_IN_TRACE="_s + at(u"trace.json"_s)};
        const Outcome trained = run(u"python3"_s, {at(u"train.py"_s)}, variables);
        QCOMPARE(trained.err, QByteArray());
        QCOMPARE(QDir(at(u"python"_s)).entryList(QDir::Files, QDir::Name),
                 (QStringList{u"rank1_trace.json.gz"_s, u"torch_et_1.json"_s}));
        QFile::remove(at(u"python/torch_et_1.json"_s)); // the stand-in's is empty
        const QJsonObject opened =
            run_program({u"--batch"_s, at(u"python"_s), u"--json"_s}).json()["runs"_L1].toArray()[0].toObject();
        QCOMPARE(opened["ranks"_L1].toArray(), QJsonArray{1});

        QCOMPARE(run(u"python3"_s, {at(u"train.py"_s)},
                     variables + QStringList{u"RANKSCOPE_KINETO=0"_s, u"RANKSCOPE_TRACE_DIR="_s + at(u"off"_s)})
                     .exit_code,
                 0);
        QVERIFY(!QFileInfo::exists(at(u"off"_s)));
    }

    void shellcheckIsContent() {
        if (QStandardPaths::findExecutable(u"shellcheck"_s).isEmpty())
            QSKIP("skipped: no shellcheck");
        QStringList scripts;
        for (const char* folder : {"recording", "digests"})
            for (const QFileInfo& file :
                 QDir(QStringLiteral(RANKSCOPE_SOURCE_DIR "/packaging/") + QString::fromLatin1(folder))
                     .entryInfoList({u"*.sh"_s, u"*.sbatch"_s}, QDir::Files))
                scripts << file.filePath();
        QCOMPARE(scripts.size(), 9);
        const Outcome checked = run(u"shellcheck"_s, scripts);
        QCOMPARE(checked.out, QByteArray());
        QCOMPARE(checked.exit_code, 0);
    }
};

// The recording scripts start this program in place of a training program.
RANKSCOPE_TEST(TestRecording, [](int argc, char** argv) -> std::optional<int> {
    if (argc == 2 && QByteArrayView(argv[1]) == "stand-in")
        return train();
    return std::nullopt;
})

} // namespace rankscope::recording_test

#include "test_recording.moc"
