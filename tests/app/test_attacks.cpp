// SPDX-License-Identifier: GPL-3.0-or-later
// Hostile files and surroundings: many promises of docs/robustness.md. The program runs as a process; what took minutes
// or gigabytes before has to end within a minute and a limit on its address space.
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tests/app/run_program.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

namespace rankscope::attacks_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

namespace {

void limit_to(int resource, rlim_t value) {
    const rlimit both{value, value};
    if (::setrlimit(static_cast<__rlimit_resource>(resource), &both) != 0)
        _exit(99);
}

/// The address space, but not where a sanitizer needs it itself.
void limit_memory([[maybe_unused]] rlim_t megabytes) {
    if constexpr (!kSanitized)
        limit_to(RLIMIT_AS, megabytes << 20);
}

bool is_kind(const QString& path, mode_t kind) {
    struct stat status {};
    return ::lstat(qPrintable(path), &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

QByteArray repeated(const char* text, int times) { return QByteArray(text).repeated(times); }

bool well_formed(const QByteArray& xml) {
    QXmlStreamReader reader(xml);
    while (!reader.atEnd())
        reader.readNext();
    return !reader.hasError();
}

QJsonObject only_run(const Outcome& outcome) { return outcome.json()[u"runs"][0].toObject(); }

bool has_notice(const Outcome& outcome, QStringView code, const QString& file = {}) {
    for (const auto notice : only_run(outcome)[u"notices"].toArray())
        if (notice[u"code"].toString() == code && notice[u"file"].toString().endsWith(file))
            return true;
    return false;
}

} // namespace

class TestAttacks : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] QString at(const QString& name) const { return folder_->filePath(name); }
    [[nodiscard]] QStringList gated(const QString& junit, const QString& gate = u"iter_time.avg_ms<=1000"_s) const {
        return {u"--batch"_s, at(u"run"_s), u"--gate"_s, gate, u"--junit"_s, junit};
    }
    [[nodiscard]] QStringList analysing() const { return {u"--batch"_s, at(u"run"_s), u"--json"_s}; }

    /// The run opens, with a notice on the file, within 600 MB: the program itself takes about 300.
    void opensWithANotice(const QString& name, const QByteArray& content, QStringView code = u"config_too_large") {
        write_file(at(u"run/"_s + name), content);
        const Outcome outcome = run_program(analysing(), [] { limit_memory(700); });
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(only_run(outcome)[u"ranks"].toArray().size(), 2);
        QVERIFY2(has_notice(outcome, code, name), outcome.err);
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        write_step_run(at(u"run"_s));
    }

    // -- where output goes

    void aFifoIsWrittenTo() {
        const QString fifo = at(u"fifo"_s);
        QCOMPARE(::mkfifo(qPrintable(fifo), 0600), 0);
        QByteArray got;
        std::thread reader([&] { got = read_file(fifo); });
        const Outcome outcome = run_program(gated(fifo));
        // Were it replaced, nobody would ever open the old FIFO for writing.
        ::close(::open(qPrintable(fifo), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
        reader.join();
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY(is_kind(fifo, S_IFIFO));
        QVERIFY2(got.contains("</testsuites>") && well_formed(got), got);
    }

    void aFifoThatNobodyReadsIsAnError() {
        const QString fifo = at(u"fifo"_s);
        QCOMPARE(::mkfifo(qPrintable(fifo), 0600), 0);
        const Outcome outcome = run_program(gated(fifo));
        QVERIFY2(outcome.exit_code == 4 && outcome.err.contains("no program reads from it"), outcome.err);
        QVERIFY(is_kind(fifo, S_IFIFO));
    }

    void aDeviceStaysADevice() {
        const QString device = at(u"null"_s);
        if (::mknod(qPrintable(device), S_IFCHR | 0666, makedev(1, 3)) != 0)
            QSKIP("skipped: device nodes cannot be made here");
        const Outcome outcome = run_program(gated(device));
        QVERIFY2(outcome.exit_code == 0 || outcome.err.contains("ermission"), outcome.err); // mounted without devices
        QVERIFY(is_kind(device, S_IFCHR));
        // So it is for what a library writes.
        QDir().mkpath(at(u"out"_s));
        for (const char* name : {"report.xlsx", "metrics.csv"})
            QCOMPARE(::mknod(qPrintable(at(u"out/"_s + QLatin1StringView(name))), S_IFCHR | 0666, makedev(1, 3)), 0);
        run_program({u"--batch"_s, at(u"run"_s), u"--output"_s, at(u"out"_s)});
        for (const char* name : {"report.xlsx", "metrics.csv"})
            QVERIFY(is_kind(at(u"out/"_s + QLatin1StringView(name)), S_IFCHR));
        QVERIFY(read_file(at(u"out/report.html"_s)).contains("</html>"));
    }

    void aFullDeviceIsAnError() {
        const Outcome outcome = run_program(gated(u"/dev/full"_s));
        QVERIFY2(outcome.exit_code == 4 && outcome.err.contains("No space left"), outcome.err);
        QVERIFY(is_kind(u"/dev/full"_s, S_IFCHR));
    }

    void ofALinkTheTargetIsReplaced() {
        write_file(at(u"elsewhere/target.xml"_s), "old");
        QVERIFY(QFile::setPermissions(at(u"elsewhere/target.xml"_s), QFile::ReadOwner | QFile::WriteOwner));
        std::filesystem::create_symlink("elsewhere/target.xml", at(u"first"_s).toStdString());
        std::filesystem::create_symlink("first", at(u"second"_s).toStdString());
        const Outcome outcome = run_program(gated(at(u"second"_s)));
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY(is_kind(at(u"second"_s), S_IFLNK) && is_kind(at(u"first"_s), S_IFLNK));
        QVERIFY(well_formed(read_file(at(u"elsewhere/target.xml"_s))));
        struct stat status {};
        QCOMPARE(::stat(qPrintable(at(u"elsewhere/target.xml"_s)), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0600U); // a report that was private stays so
        QCOMPARE(QDir(at(u"elsewhere"_s)).entryList(QDir::Files | QDir::Hidden), QStringList{u"target.xml"_s});

        std::filesystem::create_symlink("new.xml", at(u"dangling"_s).toStdString());
        QCOMPARE(run_program(gated(at(u"dangling"_s))).exit_code, 0);
        QVERIFY(is_kind(at(u"dangling"_s), S_IFLNK) && is_kind(at(u"new.xml"_s), S_IFREG));

        std::filesystem::create_symlink("circle", at(u"circle"_s).toStdString());
        const Outcome circle = run_program(gated(at(u"circle"_s)));
        QVERIFY2(circle.exit_code == 4 && circle.err.contains("circle"), circle.err);
        QVERIFY(is_kind(at(u"circle"_s), S_IFLNK));
    }

    void whatCannotBeWrittenToIsSaid() {
        QDir().mkpath(at(u"folder"_s));
        const Outcome folder = run_program(gated(at(u"folder"_s)));
        QVERIFY2(folder.exit_code == 4 && folder.err.contains("folder"), folder.err);
        QVERIFY(is_kind(at(u"folder"_s), S_IFDIR));
    }

    void stdoutByNameIsWrittenTo() {
        const Outcome outcome = run_program(gated(u"/dev/stdout"_s));
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY(outcome.out.contains("</testsuites>"));
        QProcess shell; // where stdout is a file, the table before it must not be lost
        shell.start(u"/bin/sh"_s, {u"-c"_s,
                                   u"\"$0\" --batch \"$1\" --gate 'iter_time.avg_ms<=1000' --junit /dev/stdout "
                                   "> \"$2\""_s,
                                   QStringLiteral(RANKSCOPE_PROGRAM), at(u"run"_s), at(u"said"_s)});
        QVERIFY(shell.waitForFinished(60'000));
        QCOMPARE(shell.exitCode(), 0);
        const QByteArray said = read_file(at(u"said"_s));
        QVERIFY2(said.contains("on 2 ranks") && said.contains("</testsuites>"), said);
    }

    void aFileThatCannotBeWrittenDoesNotTakeTheOthersWithIt() {
        QDir().mkpath(at(u"out/metrics.csv"_s));
        QDir().mkpath(at(u"out/report.xlsx"_s));
        const Outcome outcome = run_program({u"--batch"_s, at(u"run"_s), u"--output"_s, at(u"out"_s)});
        QVERIFY2(outcome.exit_code == 4 && outcome.err.contains("metrics.csv"), outcome.err);
        for (const char* name : {"ranks.csv", "metrics.json", "report.html"})
            QVERIFY2(QFile::exists(at(u"out/"_s + QLatin1StringView(name))), name);
    }

    // -- configuration

    void deepTomlIsRefused_data() {
        QTest::addColumn<QByteArray>("toml");
        QTest::newRow("dotted key") << repeated("a.", 120'000) + "a = 1\n";
        QTest::newRow("quoted") << repeated("\"a\" . ", 60'000) + "a = 1\n";
        QTest::newRow("header") << "[" + repeated("a.", 120'000) + "a]\n";
        QTest::newRow("lists") << "a = " + repeated("[", 120'000);
        QTest::newRow("tables") << "a = " + repeated("{a=", 120'000);
        QTest::newRow("behind strings") << "a = \"\"\"\"\\\"\"\"\"\nb = ''''''\nc = '''x''''\nd = \"'\\\"\" # \"\n" +
                                               repeated("a.", 120'000) + "a = 1\n";
    }
    void deepTomlIsRefused() {
        QFETCH(QByteArray, toml);
        opensWithANotice(u"train_config.toml"_s, toml);
    }

    void largeYamlIsRefused_data() {
        QTest::addColumn<QByteArray>("yaml");
        QByteArray doubling = "workload:\n  a0: &a0 {x: 1, y: N/A}\n";
        for (int i = 1; i < 30; ++i) {
            const QByteArray below = QByteArray::number(i - 1);
            const QByteArray own = QByteArray::number(i);
            doubling += "  a" + own + ": &a" + own + " {x: *a" + below + ", y: *a" + below + "}\n";
        }
        QTest::newRow("aliases doubling") << doubling;
        QTest::newRow("alias of itself") << QByteArray("workload: &a [*a]\n");
        QTest::newRow("aliases of a long text")
            << "workload:\n  a: &a " + QByteArray(200'000, 'x') + "\n  b: [" + repeated("*a, ", 3000) + "1]\n";
        QTest::newRow("aliases of a long list")
            << "workload:\n  a: &a [" + repeated("1, ", 15'000) + "1]\n  b: [" + repeated("*a, ", 2000) + "1]\n";
        QTest::newRow("a long list") << "workload: [" + repeated("a,", 8 << 20) + "a]\n";
        QTest::newRow("brackets") << "workload: " + repeated("[", 400'000);
        QTest::newRow("brackets in lines") << "workload:\n " + repeated("[\n ", 100'000);
        QTest::newRow("lists in lines") << "workload:\n" + repeated("- ", 200'000);
    }
    void largeYamlIsRefused() {
        QFETCH(QByteArray, yaml);
        opensWithANotice(u"card.yaml"_s, yaml);
    }

    void largeJsonIsRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("code");
        const QString large = u"config_too_large"_s;
        QTest::newRow("brackets as gating log") << u"gate_logs_0.json"_s << repeated("[", 15 << 20) << large;
        QTest::newRow("20 MB of brackets") << u"gate_logs_0.json"_s << repeated("[", 20 << 20) << large;
        QTest::newRow("empty steps") << u"gate_logs_0.json"_s
                                     << "{\"expert_loads\":[" + repeated("[],", 5'000'000) + "[]]}" << large;
        QTest::newRow("brackets as latency") << u"a.latency.json"_s << repeated("[", 400'000) << large;
        QTest::newRow("brackets as results")
            << u"bench_results.jsonl"_s << repeated("[", 15 << 20) << u"broken_config"_s;
    }
    void largeJsonIsRefused() {
        QFETCH(QString, name);
        QFETCH(QByteArray, json);
        QFETCH(QString, code);
        opensWithANotice(name, json, code);
    }

    void metricsFilesKeepToTheSameBounds() {
        write_file(at(u"metrics.yaml"_s), "metrics: &a [*a]\n");
        const QStringList arguments{u"--metrics-file"_s, at(u"metrics.yaml"_s), u"--batch"_s, at(u"run"_s)};
        const Outcome outcome = run_program(arguments);
        QVERIFY2(outcome.exit_code == 2 && outcome.only_line().contains("metrics.yaml"), outcome.err);
        QVERIFY(QFile::remove(at(u"metrics.yaml"_s)));
        QCOMPARE(::mkfifo(qPrintable(at(u"metrics.yaml"_s)), 0600), 0);
        const Outcome fifo = run_program(arguments);
        QVERIFY2(fifo.exit_code == 2 && fifo.only_line().contains("no regular file"), fifo.err);
    }

    // -- streams and limits

    void exitCodesHoldWithoutStderr_data() {
        QTest::addColumn<QString>("stderr_to");
        QTest::newRow("closed") << u"2>&-"_s;
        QTest::newRow("full") << u"2>/dev/full"_s;
        QTest::newRow("reader gone") << u"2>&1 >/dev/null | true"_s;
    }
    void exitCodesHoldWithoutStderr() {
        QFETCH(QString, stderr_to);
        write_file(at(u"run/rank2_trace.json"_s), "garbage"); // a notice
        const auto code = [&](const QString& arguments) {
            QProcess shell;
            shell.start(u"/bin/bash"_s,
                        {u"-c"_s,
                         u"\"$0\" %1 %2; status=(\"${PIPESTATUS[@]}\"); exit ${status[0]}"_s.arg(arguments, stderr_to),
                         QStringLiteral(RANKSCOPE_PROGRAM), at(u"run"_s), at(u"none"_s)});
            shell.setStandardOutputFile(QProcess::nullDevice());
            return shell.waitForFinished(60'000) && shell.exitStatus() == QProcess::NormalExit ? shell.exitCode() : -1;
        };
        QCOMPARE(code(u"--batch \"$1\""_s), 0);
        QCOMPARE(code(u"--batch \"$1\" --verbose"_s), 0);
        QCOMPARE(code(u"--batch \"$1\" --gate 'iter_time.avg_ms<=0.001'"_s), 1);
        QCOMPARE(code(u"--no-such-option"_s), 2);
        QCOMPARE(code(u"--batch \"$2\""_s), 3);
        QCOMPARE(code(u"--batch \"$1\" --junit /dev/full --gate 'iter_time.avg_ms<=1000'"_s), 4);
    }

    /// A file that is opened must not become stderr, and get messages into it, nor stdout.
    void closedStreamsAreNotMistakenForFiles() {
        write_file(at(u"run/rank2_trace.json"_s), "garbage");
        QProcess shell;
        shell.start(u"/bin/sh"_s, {u"-c"_s, u"exec \"$0\" --batch \"$1\" --verbose --output \"$2\" <&- >&- 2>&-"_s,
                                   QStringLiteral(RANKSCOPE_PROGRAM), at(u"run"_s), at(u"out"_s)});
        QVERIFY(shell.waitForFinished(60'000));
        QCOMPARE(shell.exitCode(), 4); // the table could not be written
        for (const QString& name : QDir(at(u"run"_s)).entryList(QDir::Files))
            QVERIFY(!read_file(at(u"run/"_s + name)).contains("rankscope"));
    }

    void aSmallStackIsEnough() {
        if (kSanitized)
            QSKIP("skipped: a sanitizer needs the stack itself");
        for (const char* name : {"train_config.toml", "card.yaml"})
            write_file(at(u"run/"_s + QLatin1StringView(name)),
                       "workload:\n  a: " + repeated("[", 30) + repeated("]", 30));
        const Outcome plain = run_program(analysing());
        const Outcome outcome = run_program(analysing(), [] { limit_to(RLIMIT_STACK, 64 << 10); });
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(outcome.out, plain.out);
    }

    void aLimitOnTheSizeOfFilesIsAnErrorOfWriting() {
        const Outcome outcome =
            run_program({u"--batch"_s, at(u"run"_s), u"--output"_s, at(u"out"_s)}, [] { limit_to(RLIMIT_FSIZE, 700); });
        QVERIFY2(outcome.exit_code == 4 && outcome.err.contains("cannot write"), outcome.err);
        for (const QString& name : QDir(at(u"out"_s)).entryList(QDir::Files | QDir::Hidden))
            QVERIFY2(!name.endsWith(u".part"_s), qPrintable(name));
    }

    void aHangUpIsAnInterruption() {
        // Reading a FIFO-like long input is not needed: writing to a FIFO waits for a reader, and a signal comes then.
        const QString fifo = at(u"fifo"_s);
        QCOMPARE(::mkfifo(qPrintable(fifo), 0600), 0);
        for (const bool ignored : {false, true}) {
            QProcess process;
            process.setChildProcessModifier([ignored] { ::signal(SIGHUP, ignored ? SIG_IGN : SIG_DFL); });
            process.start(QStringLiteral(RANKSCOPE_PROGRAM), gated(fifo));
            QVERIFY(process.waitForReadyRead(60'000)); // the table: the gates are written next
            ::kill(static_cast<pid_t>(process.processId()), SIGHUP);
            QVERIFY(process.waitForFinished(60'000));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(process.exitCode(), ignored ? 4 : 130); // nohup: it goes on until nobody reads
        }
    }

    // -- folders

    void twoHundredThousandFilesAreNoProblem_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("no traces") << QByteArray("{}");
        QTest::newRow("empty") << QByteArray();
    }
    void twoHundredThousandFilesAreNoProblem() {
        QFETCH(QByteArray, content);
        const int files = kSanitized ? 20'000 : 200'000; // a sanitizer takes longer than the test may
        for (int i = 0; i < files; ++i) {
            const int file = ::open(qPrintable(at(u"run/x%1.json"_s.arg(i))), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
            QCOMPARE(::write(file, content.constData(), static_cast<std::size_t>(content.size())), content.size());
            ::close(file);
        }
        const Outcome outcome = run_program(analysing()); // a minute at most; it was an hour
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(only_run(outcome)[u"ranks"].toArray().size(), 2);
    }

    void aFolderWithoutPermissionIsANotice() {
        QVERIFY(QFile::setPermissions(folder_->path(),
                                      QFile::permissions(folder_->path()) | QFile::ReadOther | QFile::ExeOther));
        QDir().mkpath(at(u"run/rank2"_s));
        QVERIFY(QFile::rename(at(u"run/rank1_trace.json"_s), at(u"run/rank2/trace.json"_s)));
        QVERIFY(QFile::setPermissions(at(u"run/rank2"_s), {}));
        const auto again = qScopeGuard(
            [&] { QFile::setPermissions(at(u"run/rank2"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner); });
        const Outcome outcome = run_program(analysing(), [] {
            if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0))
                ::_exit(127);
        });
        if (outcome.exit_code != 0 && ::geteuid() == 0 && outcome.err.isEmpty())
            QSKIP("skipped: root reads everything, and the program cannot be run as nobody here");
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(only_run(outcome)[u"ranks"].toArray(), QJsonArray{0});
        QVERIFY2(has_notice(outcome, u"unreadable_folder", u"rank2"_s), outcome.err);
    }

    void aThousandMillionRanksAreRanges() {
        QByteArray trace = step_trace(3);
        trace.replace("\"world_size\":2", "\"world_size\":1000000000");
        write_file(at(u"one/rank3_trace.json"_s), trace);
        const Outcome outcome = run_program({u"--batch"_s, at(u"one"_s), u"--json"_s});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        const QJsonObject run = only_run(outcome);
        QCOMPARE(run[u"world_size"].toInt(), 1'000'000'000);
        QCOMPARE(run[u"missing_rank_count"].toInt(), 999'999'999);
        QCOMPARE(run[u"missing_rank_ranges"].toArray(), (QJsonArray{QJsonArray{0, 2}, QJsonArray{4, 999'999'999}}));
        QCOMPARE(run[u"missing_ranks"].toArray().size(), 10'000);
        QCOMPARE(run[u"missing_ranks"][3].toInt(), 4);
        QVERIFY(outcome.err.contains("999999999 of 1000000000 ranks"));
        const Outcome table = run_program({u"--batch"_s, at(u"one"_s), u"--full"_s});
        QVERIFY2(table.out.contains("missing ranks: 0-2, 4-999999999\n"), table.out);
    }

    // -- memory

    /// What the program held at most while it ran with these arguments, in MB.
    static long peakMegabytes(const QStringList& arguments, Outcome& outcome) {
        const QString measured = QStringLiteral("import resource, subprocess, sys\n"
                                                "code = subprocess.call(sys.argv[1:])\n"
                                                "sys.stderr.write('%d' % "
                                                "resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
                                                "sys.exit(code)\n");
        QProcess python;
        python.start(u"python3"_s, QStringList{u"-c"_s, measured, QStringLiteral(RANKSCOPE_PROGRAM)} + arguments);
        if (!python.waitForFinished(60'000) || python.exitStatus() != QProcess::NormalExit)
            return -1;
        outcome.exit_code = python.exitCode();
        outcome.out = python.readAllStandardOutput();
        outcome.err = python.readAllStandardError();
        const qsizetype line = outcome.err.lastIndexOf('\n');
        const long kilobytes = outcome.err.mid(line + 1).toLong();
        outcome.err.truncate(line + 1);
        return kilobytes / 1024;
    }

    void memoryBoundsReadingAndAnalysis_data() {
        QTest::addColumn<QString>("memory");
        QTest::addColumn<QString>("doing");
        QTest::newRow("reading") << u"64M"_s << u"reading"_s;
        QTest::newRow("analysing") << u"200M"_s << u"analysing"_s;
    }
    /// Two million kernels take 100 MB while they are read, and 400 MB while they are analysed.
    void memoryBoundsReadingAndAnalysis() {
        if (kSanitized)
            QSKIP("skipped: a sanitizer has an operator new of its own");
        QFETCH(QString, memory);
        QFETCH(QString, doing);
        const QByteArray kernel = "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":1,"
                                  "\"dur\":1,\"args\":{\"device\":0,\"stream\":7}},\n";
        write_file(at(u"many.json"_s), "{\"traceEvents\":[\n" + kernel.repeated(2'000'000).chopped(2) + "]}");
        Outcome outcome;
        const long peak =
            peakMegabytes({u"--batch"_s, at(u"many.json"_s), u"--no-cache"_s, u"--memory"_s, memory}, outcome);
        if (peak < 0)
            QSKIP("skipped: no python3 to measure with");
        QVERIFY2(outcome.exit_code == 3 &&
                     outcome.only_line().contains(QByteArray("memory budget of " + memory.chopped(1).toUtf8())),
                 outcome.err);
        QVERIFY2(outcome.err.contains(doing.toUtf8()), outcome.err);
        QVERIFY2(peak < memory.chopped(1).toLong() + 160, qPrintable(QString::number(peak))); // the program itself: 40
    }

    /// It says what kind of file it is; nobody holds 500 MB to learn that.
    void anEventOfHundredsOfMegabytesCostsNoMemory() {
        write_file(at(u"wide.json"_s), "{\"traceEvents\":[\n{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" +
                                           QByteArray(200 << 20, 'x') +
                                           "\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":1,\"args\":{}}]}");
        Outcome outcome;
        const long peak =
            peakMegabytes({u"--batch"_s, at(u"wide.json"_s), u"--no-cache"_s, u"--memory"_s, u"64M"_s}, outcome);
        if (peak < 0)
            QSKIP("skipped: no python3 to measure with");
        QVERIFY2(outcome.exit_code == 3 && outcome.only_line().contains("larger than"), outcome.err);
        QVERIFY2(kSanitized || peak < 160, qPrintable(QString::number(peak)));
    }

    // -- time

    /// A writer that never ends, and times of files that no clock shows.
    void aFileThatGrowsForEverEnds() {
        const QString file = at(u"run/rank0_trace.json"_s);
        write_file(file, step_trace(0).chopped(4) + ",\n"); // no end of the array
        std::atomic<bool> over = false;
        std::thread writer([&] {
            QFile growing(file);
            const QByteArray more = repeated("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"late\",\"pid\":0,\"tid\":7,"
                                             "\"ts\":2000,\"dur\":1,\"args\":{\"device\":0,\"stream\":7}},\n",
                                             2000);
            if (growing.open(QIODevice::Append))
                for (int i = 0; !over && i < 1000; ++i) { // 200 MB at most
                    growing.write(more);
                    growing.flush();
                }
        });
        const Outcome outcome = run_program(analysing() + QStringList{u"--no-cache"_s});
        over = true;
        writer.join();
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY2(has_notice(outcome, u"truncated_file", u"rank0_trace.json"_s), outcome.err);
    }

    void clocksInTheFutureAreNoProblem_data() {
        QTest::addColumn<qint64>("seconds");
        QTest::newRow("2150") << qint64{5'680'281'600};
        QTest::newRow("1950") << qint64{-631'152'000};
    }
    void clocksInTheFutureAreNoProblem() {
        QFETCH(qint64, seconds);
        qputenv("XDG_CACHE_HOME", at(u"cache"_s).toUtf8());
        const auto cleanup = qScopeGuard([] { qunsetenv("XDG_CACHE_HOME"); });
        const auto dated = [&](const QString& path) {
            const timespec times[2] = {{seconds, 0}, {seconds, 0}};
            return ::utimensat(AT_FDCWD, qPrintable(path), times, 0) == 0; // NOLINT: an array, as it is declared
        };
        const Outcome now = run_program(analysing());
        for (const char* name : {"run/rank0_trace.json", "run/rank1_trace.json", "run"})
            QVERIFY(dated(at(QLatin1StringView(name))));
        for (int again = 0; again < 2; ++again) { // the second time from the cache
            const Outcome then = run_program(analysing());
            QVERIFY2(then.exit_code == 0, then.err);
            QCOMPARE(only_run(then)[u"metrics"], only_run(now)[u"metrics"]);
        }
        write_step_run(at(u"run"_s), 200); // longer steps, and the same date
        for (const char* name : {"run/rank0_trace.json", "run/rank1_trace.json"})
            QVERIFY(dated(at(QLatin1StringView(name))));
        const Outcome changed = run_program(analysing());
        QVERIFY2(changed.exit_code == 0 && only_run(changed)[u"metrics"] != only_run(now)[u"metrics"], changed.err);
        const Outcome study = run_program({u"--batch"_s, u"--study"_s, at(u"run"_s), at(u"run"_s)});
        QVERIFY2(study.exit_code == 0, study.err);
    }

    // -- text of nsys stats

    void textOfNsysStatsMayHaveAnyColumns_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("exit_code");
        const QByteArray sums =
            "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name";
        const QByteArray row = "\n50,100,1,1,1,1,1,1,k";
        const QString csv = u"r_cuda_gpu_kern_sum.csv"_s;
        QTest::newRow("a million more") << csv << sums + repeated(",x", 1'000'000) + row + repeated(",1", 1'000'000)
                                        << 3;
        QTest::newRow("a thousand before")
            << csv << repeated(",", 1000) + sums + "\n" + repeated(",", 1000) + row.mid(1) << 3;
        QTest::newRow("all twice") << csv << sums + "," + sums + row + "," + row.mid(1) + "\n" << -1;
        QTest::newRow("quotes") << csv << sums + "\n" + repeated("\"", 5'000'000) << 3;
        QTest::newRow("numbers of no kind")
            << csv << sums + repeated("\n1e999,9999999999999999999,-1,nan,inf,0x1,,,k", 50'000) << 3;
        QTest::newRow("dashes") << csv << sums + "\n" + repeated("- ", 2'000'000) + "\n" + repeated("1 ", 2'000'000)
                                << 3;
        QByteArray devices = "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),"
                             "DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name";
        for (int i = 0; i < 100'000; ++i)
            devices += "\n1,2,3,4,5,6,7,8,9,,,,,,,,\"A (" + QByteArray::number(i) + ")\",1,7,k";
        QTest::newRow("100 000 devices") << u"r_cuda_gpu_trace.csv"_s << devices << 0;
    }
    void textOfNsysStatsMayHaveAnyColumns() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(int, exit_code);
        write_file(at(name), text);
        const Outcome outcome =
            run_program({u"--batch"_s, at(name), u"--json"_s, u"--no-cache"_s}, [] { limit_memory(900); });
        if (exit_code >= 0)
            QVERIFY2(outcome.exit_code == exit_code, outcome.err);
        QVERIFY2(outcome.exit_code == 0 || (outcome.exit_code == 3 && !outcome.only_line().isEmpty()), outcome.err);
        if (exit_code == 0) {
            QCOMPARE(only_run(outcome)[u"ranks"].toArray().size(), 64);
            QVERIFY2(has_notice(outcome, u"too_many_devices", name), outcome.err);
        }
    }

    // -- settings

    void settingsAreRegularFilesOfSaneSize_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("fifo");
        for (const bool fifo : {true, false}) {
            QTest::addRow("settings, %s", fifo ? "FIFO" : "1 GB") << u"config/rankscope/rankscope.ini"_s << fifo;
            QTest::addRow("of the organisation, %s", fifo ? "FIFO" : "1 GB") << u"config/rankscope.ini"_s << fifo;
            QTest::addRow("metrics, %s", fifo ? "FIFO" : "1 GB") << u"config/rankscope/metrics.yaml"_s << fifo;
        }
    }
    void settingsAreRegularFilesOfSaneSize() {
        QFETCH(QString, name);
        QFETCH(bool, fifo);
        const QString file = at(name);
        write_file(file, "");
        if (fifo) {
            QVERIFY(QFile::remove(file));
            QCOMPARE(::mkfifo(qPrintable(file), 0600), 0);
        } else {
            QVERIFY(QFile::resize(file, qint64(1) << 30));
        }
        qputenv("XDG_CONFIG_HOME", at(u"config"_s).toUtf8());
        const auto cleanup = qScopeGuard([] { qunsetenv("XDG_CONFIG_HOME"); });
        const Outcome outcome = run_program(analysing(), [] { limit_memory(700); });
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY2(outcome.err.contains(name.section(u'/', -1).toUtf8()), outcome.err);
    }

    /// A value of Qt's own may hold values that hold values …, which Qt reads by calling itself.
    void objectsInSettingsAreNotRead_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addRow("plain") << QByteArray("@Variant(");
        QTest::addRow("escaped") << QByteArray("\\x40V\\x61riant(");
        QTest::addRow("octal") << QByteArray("\\100Variant(");
        QTest::addRow("in quotes") << QByteArray("\"@Var\"\"iant(\"");
        QTest::addRow("on two lines") << QByteArray("@Var\\\niant(");
    }
    void objectsInSettingsAreNotRead() {
        QFETCH(QByteArray, before);
        constexpr int kLevels = 80'000;
        write_file(at(u"config/rankscope/rankscope.ini"_s),
                   "[window]\ntheme=" + before + QByteArray("\\0\\0\\0\\x9\\0\\0\\0\\x1").repeated(kLevels) +
                       "\\0\\0\\0\\x9\\0\\0\\0\\0)\n");
        qputenv("XDG_CONFIG_HOME", at(u"config"_s).toUtf8());
        const auto cleanup = qScopeGuard([] { qunsetenv("XDG_CONFIG_HOME"); });
        const Outcome outcome = run_program(analysing());
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY2(outcome.err.contains("rankscope.ini is no regular file"), outcome.err);
    }
    void aTextThatLooksLikeAnObjectIsRead() {
        write_file(at(u"config/rankscope/rankscope.ini"_s), "[window]\ntheme=@@Variant(\\0\\x9)\n");
        qputenv("XDG_CONFIG_HOME", at(u"config"_s).toUtf8());
        const auto cleanup = qScopeGuard([] { qunsetenv("XDG_CONFIG_HOME"); });
        const Outcome outcome = run_program(analysing());
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY2(!outcome.err.contains("rankscope.ini"), outcome.err);
    }

    // -- names

    void allFilesHoldWhateverNamesHold() {
        QByteArray events = step_trace(0).chopped(4);
        int t = 1050;
        for (const char* name : {"\xEF\xBF\xBE", "\xEF\xBF\xBF", "\\uFFFE\\uFFFF", "\\u0000\\u0001\\u001f", "\\ud800",
                                 "_x0007_", "\xE2\x80\xAEgnp.exe", "   =1+1",
                                 "\xEF\xBC\x9D"
                                 "1+1",
                                 "\\n=1+1", "]]>"})
            events += ",{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" + QByteArray(name) +
                      " kernel\",\"pid\":0,\"tid\":7,"
                      "\"ts\":" +
                      QByteArray::number(t++) + ",\"dur\":0.5,\"args\":{\"device\":0,\"stream\":7}}";
        events += ",{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" + QByteArray(60'000, 'x') +
                  "\",\"pid\":0,\"tid\":7,\"ts\":1090,\"dur\":0.5,\"args\":{\"device\":0,\"stream\":7}}";
        write_file(at(u"run/rank0_trace.json"_s), events + "]}");
        const QString odd = at(u"odd \uFFFE \u202E run"_s);
        QVERIFY(QFile::rename(at(u"run"_s), odd));
        const Outcome outcome = run_program({u"--batch"_s, odd, u"--output"_s, at(u"out"_s), u"--gate"_s,
                                             u"iter_time.avg_ms<=1000"_s, u"--junit"_s, at(u"gates.xml"_s)});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY(well_formed(read_file(at(u"gates.xml"_s))));
        QVERIFY(!read_file(at(u"out/report.html"_s)).contains("\xE2\x80\xAE"));
        const QByteArray kernels = read_file(at(u"out/kernels.csv"_s));
        for (const char* harmful : {",   =1", ",\xEF\xBC\x9D", ",\"\n=", "\xE2\x80\xAE", "\x01", "\x1f"})
            QVERIFY2(!kernels.contains(harmful), harmful);
        QVERIFY(kernels.contains(",'   =1+1 kernel"));
        QVERIFY(kernels.contains(QByteArray(QByteArray(32'766, 'x') + "\xE2\x80\xA6")) &&
                !kernels.contains(QByteArray(32'767, 'x')));
    }

    /// A run named by lines and escapes has as many lines as any other, and is harmless.
    void theTableOfAStudyKeepsItsLines() {
        const Outcome harmless = run_program({u"--batch"_s, u"--study"_s, at(u"run"_s)});
        QVERIFY2(harmless.exit_code == 0, harmless.err);
        QVERIFY(QFile::rename(at(u"run"_s), at(u"a\n\x1b[31m\u202E=1"_s)));
        const Outcome outcome = run_program({u"--batch"_s, u"--study"_s, at(u"a\n\x1b[31m\u202E=1"_s)});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY2(!outcome.out.contains('\x1b') && !outcome.out.contains("\xE2\x80\xAE"), outcome.out);
        QCOMPARE(outcome.out.count('\n'), harmless.out.count('\n'));
    }

    /// Look-around and back references are what makes a search without end possible; without them any expression ends.
    /// Wherever a user's pattern meets names of a trace: the filter of kernels, lanes of an export, predictions, SQL,
    /// own metrics.
    void aRegularExpressionCannotRunForEver() {
        QByteArray events = step_trace(0).chopped(4);
        for (int i = 0; i < 50; ++i)
            events += ",{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" + QByteArray(30'000 + i, 'a') +
                      "!\",\"pid\":0,\"tid\":7,"
                      "\"ts\":1050,\"dur\":0.5,\"args\":{\"device\":0,\"stream\":7}}";
        write_file(at(u"run/rank0_trace.json"_s), events + "]}");
        const QStringList filtered{u"--batch"_s, at(u"run"_s), u"--kernel-filter"_s};
        const Outcome outcome = run_program(filtered + QStringList{u"^(a*)*(a|aa)+(a|b?a)+$"_s});
        QVERIFY2(outcome.exit_code == 0 && outcome.out.contains("no kernel matches"), outcome.err);
        const Outcome refused = run_program(filtered + QStringList{u"(a)\\1"_s});
        QVERIFY2(refused.exit_code == 2 && refused.err.contains("not a regular expression"), refused.err);
        const QString endless = u"^(a*)*(a|aa)+(a|b?a)+$"_s;
        write_file(at(u"own.yaml"_s), "metrics:\n  - {id: own, kernels: {name: '" + endless.toUtf8() + "'}}\n");
        for (const QStringList& more :
             {QStringList{u"--what-if"_s, u"kernel:"_s + endless + u"=2x"_s},
              QStringList{u"--export-trace"_s, at(u"out.json"_s), u"--export-lanes"_s, endless},
              QStringList{u"--sql"_s, u"SELECT count(*) FROM kernel WHERE name REGEXP '"_s + endless + u"'"_s},
              QStringList{u"--metrics-file"_s, at(u"own.yaml"_s)}}) {
            const Outcome ended = run_program(QStringList{u"--batch"_s, at(u"run"_s), u"--no-cache"_s} + more);
            QVERIFY2(ended.exit_code >= 0, qPrintable(more.join(u' ')));
        }
    }
};

RANKSCOPE_TEST(TestAttacks)

} // namespace rankscope::attacks_test

#include "test_attacks.moc"
