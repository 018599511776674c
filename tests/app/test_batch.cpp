// SPDX-License-Identifier: GPL-3.0-or-later
// The program without a window, from the outside: the contract of docs/cli.md that other programs rely on. The runs are
// those of run_program.h: two ranks, steps 4, 5, 6; in each step gemm 40 us, AllReduce 30 us (10 of them overlapped),
// copy 5 us.
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include <unistd.h>

#include "core/metrics/catalogue.h"
#include "tests/app/run_program.h"
#include "tests/support/test_program.h"

namespace rankscope::batch_test {
using namespace rankscope::test;

namespace {

/// The program's arguments from one line.
QStringList words(const char* line) { return QString::fromLatin1(line).split(QLatin1Char(' '), Qt::SkipEmptyParts); }

QStringList keys_missing(const QJsonObject& object, const QStringList& keys) {
    QStringList missing;
    for (const QString& key : keys)
        if (!object.contains(key))
            missing << key;
    return missing;
}

/// Rows of a CSV file without quoted cells, as maps from column to cell.
QList<QMap<QString, QString>> csv_rows(const QString& path) {
    QList<QMap<QString, QString>> rows;
    const QStringList lines = QString::fromUtf8(read_file(path)).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    if (lines.isEmpty())
        return rows;
    const QStringList header = lines.first().split(QLatin1Char(','));
    for (const QString& line : lines.mid(1)) {
        QMap<QString, QString> row;
        const QStringList cells = line.split(QLatin1Char(','));
        for (qsizetype i = 0; i < header.size(); ++i)
            row[header[i]] = cells.value(i);
        rows << row;
    }
    return rows;
}

/// For a program that is about to start: the signal is pending then, so it never comes too late.
void interrupt_first() {
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, nullptr);
    ::kill(::getpid(), SIGINT); // not raise: it may know the parent's thread only
}

} // namespace

class TestBatch : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] QString at(const QString& name) const { return folder_.filePath(name); }

    /// %run in the line stands for the file or folder "run" of this test.
    [[nodiscard]] Outcome run(const char* line) const {
        QStringList arguments = words(line);
        for (QString& argument : arguments)
            if (argument.startsWith(QLatin1Char('%')))
                argument = at(argument.mid(1));
        return run_program(arguments);
    }

    /// The run of `--batch %run --json` with more options.
    [[nodiscard]] QJsonObject run_json(const char* options) const {
        return run(QByteArray(QByteArray("--batch %run --json ") + options).constData()).json()[u"runs"][0].toObject();
    }

private Q_SLOTS:
    void initTestCase() {
        write_step_run(at(QStringLiteral("run")));
        write_step_run(at(QStringLiteral("slow")), 110); // iter_time +10 %
        write_step_run(at(QStringLiteral("b/run")));
    }

    void theDocumentHasEveryKey() {
        const Outcome outcome = run("--batch %run %slow --json --gate iter_time<+20%");
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        const QJsonObject document = outcome.json();
        QCOMPARE(document[u"schema"].toString(), QStringLiteral("rankscope.metrics.v1"));
        QCOMPARE(keys_missing(document, words("schema version runs comparison findings gates")), QStringList());
        QCOMPARE(document[u"runs"].toArray().size(), 2);
        QCOMPARE(document[u"runs"][0][u"role"].toString(), QStringLiteral("baseline"));
        QCOMPARE(document[u"runs"][1][u"role"].toString(), QStringLiteral("test"));
        const QJsonObject first = document[u"runs"][0].toObject();
        QCOMPARE(
            keys_missing(first,
                         words("role name path source world_size ranks missing_ranks iterations span_us events clock "
                               "notices config metrics per_rank")),
            QStringList());
        QCOMPARE(keys_missing(first[u"clock"].toObject(), words("method offset_us residual_us")), QStringList());
        QCOMPARE(first[u"clock"][u"method"].toString(),
                 QStringLiteral("none")); // 10 us between the ranks' ends: less than 50
        QCOMPARE(first[u"clock"][u"offset_us"][u"1"].toDouble(-1), 0.0);
        QCOMPARE(first[u"name"].toString(), QStringLiteral("run"));
        QCOMPARE(first[u"path"].toString(), at(QStringLiteral("run")));
        QCOMPARE(first[u"source"].toString(), QStringLiteral("kineto"));
        QCOMPARE(first[u"world_size"].toInt(), 2);
        QCOMPARE(first[u"ranks"].toArray(), (QJsonArray{0, 1}));
        QCOMPARE(first[u"missing_ranks"].toArray(), QJsonArray());
        QCOMPARE(first[u"iterations"].toArray(), (QJsonArray{4, 5, 6}));
        QCOMPARE(first[u"span_us"].toDouble(), 310.0); // rank 0 begins at 1000, rank 1 ends at 1310
        QCOMPARE(first[u"events"].toInt(), 42);        // 7 a step
        for (const auto metric : first[u"metrics"].toObject()) {
            const QJsonObject entry = metric.toObject();
            QCOMPARE(keys_missing(entry, words("title unit better available")), QStringList());
            QCOMPARE(keys_missing(entry, entry[u"available"].toBool() ? words("value details") : words("reason")),
                     QStringList());
        }
        const QJsonObject rank = first[u"per_rank"][1].toObject();
        QCOMPARE(keys_missing(rank, words("rank device gpu_timeline iterations_us kernels comm_kernels")),
                 QStringList());
        QCOMPARE(rank[u"rank"].toInt(), 1);
        QCOMPARE(rank[u"kernels"].toInt(), 6);
        QCOMPARE(rank[u"comm_kernels"].toInt(), 3);
        QCOMPARE(rank[u"iterations_us"].toArray(), (QJsonArray{100.0, 100.0, 100.0}));
        QCOMPARE(document[u"comparison"][0][u"baseline"].toString(), QStringLiteral("run"));
        QCOMPARE(document[u"comparison"][0][u"test"].toString(), QStringLiteral("slow"));
        const QJsonObject change = document[u"comparison"][0][u"metrics"][u"iter_time"].toObject();
        QCOMPARE(change[u"baseline"].toDouble(), 0.1);
        QCOMPARE(change[u"test"].toDouble(), 0.11);
        QVERIFY(qAbs(change[u"difference"].toDouble() - 0.01) < 1e-12);
        QVERIFY(qAbs(change[u"percent_change"].toDouble() - 10.0) < 1e-9);
        QCOMPARE(change[u"status"].toString(), QStringLiteral("worse"));
        QVERIFY(document[u"comparison"][0][u"config"].isArray());
        const QJsonObject gate = document[u"gates"][0].toObject();
        QCOMPARE(keys_missing(gate, words("expression value limit passed")), QStringList());
        QCOMPARE(gate[u"limit"].toDouble(), 20.0);
        QVERIFY(gate[u"passed"].toBool());
    }

    void predictionsStandBesideTheMeasured() {
        const Outcome outcome = run("--batch --demo --json --what-if comm=0 --what-if kernel:nothing=2x");
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        const QJsonArray predictions = outcome.json()[u"what_if"].toArray();
        QCOMPARE(predictions.size(), 6); // of both runs, each alone, and both together
        QVERIFY(predictions[0][u"predicted_us"].toDouble() < predictions[0][u"measured_us"].toDouble());
        QCOMPARE(predictions[1][u"predicted_us"].toDouble(), predictions[1][u"measured_us"].toDouble());
        QVERIFY(predictions[1][u"notes"][0].toString().contains(u"nothing changes"));
        QCOMPARE(predictions[2][u"changes"].toArray().size(), 2);
        QVERIFY(run("--batch %run --what-if comm=0").out.contains("What if"));
        QVERIFY(run("--batch %run %slow --what-if comm=0").out.contains("comm=0: 100 µs -> "));
        QVERIFY(run("--batch %run --what-if comm=0 --full").out.contains("what if"));
    }

    void theTimelineIsExact_data() {
        QTest::addColumn<QByteArray>("options");
        QTest::addColumn<QList<double>>("us"); ///< of rank 0: total, computation, comm, exposed comm, memcpy, idle
        QTest::newRow("everything") << QByteArray() << QList<double>{275, 120, 90, 60, 15, 80};
        QTest::newRow("one iteration") << QByteArray("--iterations 5") << QList<double>{75, 40, 30, 20, 5, 10};
        QTest::newRow("two iterations") << QByteArray("--iterations 4,6") << QList<double>{150, 80, 60, 40, 10, 20};
        QTest::newRow("inside a window") << QByteArray("--time-range 20us/50us") << QList<double>{30, 30, 10, 0, 0, 0};
        QTest::newRow("from a time on") << QByteArray("--time-range 0.18ms/") << QList<double>{105, 40, 30, 20, 10, 35};
        QTest::newRow("up to a time") << QByteArray("--time-range /70us") << QList<double>{60, 40, 30, 20, 0, 0};
    }
    void theTimelineIsExact() {
        QFETCH(QByteArray, options);
        QFETCH(QList<double>, us);
        const QJsonObject timeline = run_json(options.constData())[u"per_rank"][0][u"gpu_timeline"].toObject();
        QCOMPARE((QList<double>{timeline[u"total_us"].toDouble(), timeline[u"computation_us"].toDouble(),
                                timeline[u"total_comm_us"].toDouble(), timeline[u"exposed_comm_us"].toDouble(),
                                timeline[u"total_memcpy_us"].toDouble(), timeline[u"idle_us"].toDouble()}),
                 us);
        QCOMPARE(timeline[u"computation_us"].toDouble() + timeline[u"exposed_comm_us"].toDouble() +
                     timeline[u"exposed_memcpy_us"].toDouble() + timeline[u"idle_us"].toDouble(),
                 timeline[u"total_us"].toDouble());
        QCOMPARE(timeline[u"busy_us"].toDouble(), timeline[u"total_us"].toDouble() - timeline[u"idle_us"].toDouble());
    }

    /// A range without a whole step: the waits that SQL lists have no known cause, which is not "none".
    void withoutAWholeStepNobodyIsChargedWithWaits() {
        const QJsonObject waiting = run_json("--time-range 20us/50us")[u"waiting"].toObject();
        QVERIFY(waiting[u"total_us"].isNull() && waiting[u"unexplained_us"].isNull());
        QVERIFY(waiting[u"why_not"].toString().contains(u"whole step"));
        QVERIFY(!run_json("")[u"waiting"][u"total_us"].isNull());
    }

    void writesItsFiles() {
        const Outcome outcome = run("--batch %run %slow --output %out/new --json");
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        const QString out = at(QStringLiteral("out/new/"));
        QCOMPARE(
            QDir(out).entryList(QDir::Files | QDir::Hidden),
            words("arrivals.csv breakdown.csv changes.csv collective_split.csv collectives.csv comparison.csv "
                  "config_diff.csv critical_path.csv final_analysis_report.xlsx findings.csv hta_idle.csv "
                  "hta_kernel_types.csv hta_queue.csv iterations.csv kernels.csv links.csv "
                  "metrics.csv metrics.json ops_diff.csv ranks.csv report.html report.xlsx summary.md traffic.csv"));
        QCOMPARE(read_file(out + QStringLiteral("metrics.json")), outcome.out);
        const auto ranks = csv_rows(out + QStringLiteral("ranks.csv"));
        QCOMPARE(ranks.size(), 4);
        QCOMPARE(ranks[0][QStringLiteral("exposed_comm_us")], QStringLiteral("60.000"));
        QCOMPARE(ranks[3][QStringLiteral("run")], QStringLiteral("slow"));
        const auto iterations = csv_rows(out + QStringLiteral("iterations.csv"));
        QCOMPARE(iterations.size(), 12);
        QCOMPARE(iterations[1][QStringLiteral("iteration")], QStringLiteral("5"));
        QCOMPARE(iterations[1][QStringLiteral("start_us")], QStringLiteral("100.000"));
        QCOMPARE(iterations[1][QStringLiteral("computation_us")], QStringLiteral("40.000"));
        QCOMPARE(iterations[1][QStringLiteral("idle_us")], QStringLiteral("10.000"));
        // Rank 1 is 10 us behind in everything, so it comes last to each of the three all-reduces.
        QCOMPARE(ranks[1][QStringLiteral("times_last")], QStringLiteral("3"));
        QCOMPARE(ranks[1][QStringLiteral("sum_lag_us")], QStringLiteral("30.000"));
        QCOMPARE(ranks[0][QStringLiteral("sum_lag_us")], QStringLiteral("0.000"));
        const auto collectives = csv_rows(out + QStringLiteral("collectives.csv"));
        QCOMPARE(collectives.size(), 6);
        QCOMPARE(collectives[1][QStringLiteral("collective")], QStringLiteral("AllReduce"));
        QCOMPARE(collectives[1][QStringLiteral("ranks")], QStringLiteral("0 1"));
        QCOMPARE(collectives[1][QStringLiteral("completeness")], QStringLiteral("complete"));
        QCOMPARE(collectives[1][QStringLiteral("start_us")], QStringLiteral("140.000"));
        QCOMPARE(collectives[1][QStringLiteral("lag_us")], QStringLiteral("10.000"));
        QCOMPARE(collectives[1][QStringLiteral("transfer_us")], QStringLiteral("30.000"));
        QCOMPARE(collectives[1][QStringLiteral("last_rank")], QStringLiteral("1"));
        const auto kernels = csv_rows(out + QStringLiteral("kernels.csv"));
        QCOMPARE(kernels.size(), 12);
        QCOMPARE(kernels[0][QStringLiteral("name")], QStringLiteral("gemm"));
        QCOMPARE(kernels[0][QStringLiteral("total_us")], QStringLiteral("120.000"));
        // HTA drops the last of three steps: 10 to 185 us; with it: 10 to 285 us.
        const auto breakdown = csv_rows(out + QStringLiteral("breakdown.csv"));
        QCOMPARE(breakdown[0][QStringLiteral("kernel_time(us)")], QStringLiteral("175"));
        QCOMPARE(breakdown[0][QStringLiteral("idle_time(us)")], QStringLiteral("45"));
        QCOMPARE(breakdown[0][QStringLiteral("compute_time_pctg")], QStringLiteral("45.71")); // 80 / 175
        QCOMPARE(breakdown[0][QStringLiteral("with_last_step_kernel_time(us)")], QStringLiteral("275"));
        QCOMPARE(breakdown[0][QStringLiteral("exact_idle_us")], QStringLiteral("80.000"));
        QVERIFY(
            read_file(out + QStringLiteral("breakdown.csv"))
                .startsWith("rank,idle_time(us),compute_time(us),non_compute_time(us),kernel_time(us),idle_time_pctg,"
                            "compute_time_pctg,non_compute_time_pctg,"));
        const auto metrics = csv_rows(out + QStringLiteral("metrics.csv"));
        QCOMPARE(metrics[0], (QMap<QString, QString>{{QStringLiteral("run"), QStringLiteral("run")},
                                                     {QStringLiteral("metric"), QStringLiteral("step_time")},
                                                     {QStringLiteral("field"), QStringLiteral("value")},
                                                     {QStringLiteral("value"), QStringLiteral("0.1")},
                                                     {QStringLiteral("unit"), QStringLiteral("ms")},
                                                     {QStringLiteral("bound"), QString()}}));
        QCOMPARE(csv_rows(out + QStringLiteral("comparison.csv"))[0][QStringLiteral("status")],
                 QStringLiteral("worse"));
    }

    void writesOnlyTheFormatAskedFor() {
        QCOMPARE(run("--batch %run --output %json_only --format json").exit_code, 0);
        QCOMPARE(QDir(at(QStringLiteral("json_only"))).entryList(QDir::Files), words("metrics.json"));
        QCOMPARE(run("--batch %run --output %csv_only --format csv --kernel-filter ^nccl").exit_code, 0);
        QCOMPARE(csv_rows(at(QStringLiteral("csv_only/kernels.csv"))).size(), 2);
    }

    void endsWithTheDocumentedCode_data() {
        QTest::addColumn<int>("code");
        const auto ends = [](const char* line, int code) { QTest::newRow(line) << code; };
        ends("--batch %run", 0);
        ends("--batch %run --gate iter_time<=0.1", 0);
        ends("--batch %run --gate iter_time.max_ms<0.1", 1);
        ends("--batch %run %slow --gate iter_time<+3%", 1);
        ends("--batch %run %slow --gate iter_time<+11%", 0);
        ends("--batch %run %slow --metrics coll_call_num --gate iter_time<+11%", 0);
        ends("--batch %run --gate iter_time.no_such<1", 2);
        ends("--batch %run --metrics no_such", 2);
        ends("--batch", 2);
        ends("--batch %missing", 3);
        ends("--batch %run %missing", 3);
        ends("--batch %run --iterations 99", 3);
        ends("--batch %run --time-range 5s/", 3);
        ends("--batch %run --output /dev/null/out", 4);
        ends("--batch %run --output %run/rank0_trace.json", 4);
        ends("--version", 0);
        ends("--help", 0);
        ends("--list-metrics", 0);
        ends("%run", 2); // a window, but the display is there by name only
    }
    void endsWithTheDocumentedCode() {
        QFETCH(int, code);
        const Outcome outcome = run(QTest::currentDataTag());
        QVERIFY2(outcome.exit_code == code, outcome.err);
        if (code > 1) {
            QVERIFY2(outcome.only_line().startsWith("rankscope: "), outcome.err);
            QCOMPARE(outcome.out, QByteArray());
        }
    }

    void withoutADisplayItSaysWhatToDo() {
        const Outcome outcome = run_program({at(QStringLiteral("run"))}, {}, QString());
        QCOMPARE(outcome.exit_code, 2);
        QVERIFY2(outcome.only_line().contains("--batch"), outcome.err);
    }

    void timingNamesTheStages() {
        const QRegularExpression stages(
            QStringLiteral("rankscope: reading [^,]+, aligning [^,]+, analysing [^,]+, writing [^,]+\n"));
        const Outcome timed = run("--batch %run %slow --timing");
        QVERIFY2(stages.match(QString::fromUtf8(timed.err)).hasMatch(), timed.err.constData());
        QVERIFY(!timed.out.contains("aligning"));
        const QByteArray queried = run("--batch %run --timing --sql values(1)").err;
        QVERIFY2(!queried.contains("analysing") && queried.contains("reading "), queried.constData());
        QVERIFY(!run("--batch %run").err.contains("reading"));
    }

    void namesWhatIterationsAreThere() {
        const Outcome partly = run("--batch %run --json --iterations 5-7,9");
        QCOMPARE(partly.exit_code, 0);
        QCOMPARE(partly.json()[u"runs"][0][u"iterations"].toArray(), (QJsonArray{5, 6}));
        QCOMPARE(partly.json()[u"runs"][0][u"notices"][0][u"code"].toString(), QStringLiteral("iteration_not_found"));
        QVERIFY2(run("--batch %run --iterations 99").err.contains("4 to 6"), "the steps there are");
    }

    void quietIsQuiet() {
        const Outcome outcome = run("--batch %run --iterations 4,9 --gate iter_time<0 --quiet");
        QCOMPARE(outcome.exit_code, 1);
        QCOMPARE(outcome.err, QByteArray());
        QVERIFY(!outcome.out.isEmpty());
    }

    void alignsClocksOnRequest() {
        const QJsonObject aligned = run_json("--align collectives")[u"clock"].toObject();
        QCOMPARE(aligned[u"method"].toString(), QStringLiteral("collectives"));
        QCOMPARE(aligned[u"offset_us"][u"0"].toDouble(-1), 0.0);
        QCOMPARE(aligned[u"offset_us"][u"1"].toDouble(-1), 10.0);
        QCOMPARE(aligned[u"residual_us"].toDouble(-1), 0.0);
        QCOMPARE(run_json("--align none")[u"clock"][u"method"].toString(), QStringLiteral("none"));
    }

    void computesOnlyTheMetricsAskedFor() {
        QCOMPARE(run_json("--metrics iter_time,coll_call_num")[u"metrics"].toObject().keys(),
                 words("coll_call_num iter_time"));
        QCOMPARE(run_json("")[u"metrics"].toObject().size(),
                 static_cast<qsizetype>(rankscope::metric_catalogue().size()));
    }

    void printsOneMetricInCclBenchSpelling() {
        const Outcome outcome = run("--trace %run --metric iter_time");
        QCOMPARE(outcome.exit_code, 0);
        QCOMPARE(outcome.out, QByteArray("0.1\n"));
        QCOMPARE(outcome.err, QByteArray());
    }

    void listsItsMetrics() {
        const QJsonObject list = run("--list-metrics --json").json()[u"metrics"].toObject();
        QCOMPARE(list.size(), static_cast<qsizetype>(rankscope::metric_catalogue().size()));
        QCOMPARE(keys_missing(list[u"iter_time"].toObject(), words("title unit better topic definition")),
                 QStringList());
        QVERIFY(run("--list-metrics").out.contains("iter_time"));
    }

    void tellsRunsOfOneNameApart() {
        const QJsonObject document = run("--batch %run %b/run --json").json();
        QVERIFY(document[u"runs"][0][u"name"] != document[u"runs"][1][u"name"]);
        QCOMPARE(document[u"comparison"][0][u"test"], document[u"runs"][1][u"name"]);
    }

    void everyRunAfterTheFirstIsComparedWithIt() {
        const QJsonObject document = run("--batch %run %slow %b/run --json").json();
        QCOMPARE(document[u"comparison"].toArray().size(), 2);
        QCOMPARE(document[u"comparison"][0][u"metrics"][u"iter_time"][u"status"].toString(), QStringLiteral("worse"));
        QCOMPARE(document[u"comparison"][1][u"metrics"][u"iter_time"][u"status"].toString(), QStringLiteral("similar"));
    }

    void theTableSaysTheSame() {
        const QByteArray table = run("--batch %run %slow --full").out;
        for (const char* word :
             {"Iteration time", "iter_time", "0.1", "longest kernels", "gemm", "Comparison", "worse", "+10.00"})
            QVERIFY2(table.contains(word), word);
        for (const QByteArray& line : table.split('\n'))
            QVERIFY2(!line.endsWith(' '), line);
    }

    /// "(inherent, confidence 80 %)" stood behind the sentence, where nobody looks for it.
    void theNatureOfAFindingIsAColumn() {
        const QString table = QString::fromUtf8(run("--batch --demo --full").out);
        QVERIFY2(table.contains(QStringLiteral("  No.  nature    confidence  finding\n")), qPrintable(table));
        const QRegularExpression row(QStringLiteral("^ +1  (fault   |inherent)  +[0-9]+ %  [A-Z]"),
                                     QRegularExpression::MultilineOption);
        QVERIFY2(row.match(table).hasMatch(), qPrintable(table));
        QVERIFY(!table.contains(QStringLiteral("(inherent")));
    }

    void namesCannotSteerTheTerminal() {
        QByteArray trace = step_trace(0);
        write_file(at(QStringLiteral("evil/rank0_trace.json")), trace.replace("gemm", "\\u001b[2Jgemm"));
        const Outcome outcome = run("--batch %evil --full");
        QCOMPARE(outcome.exit_code, 0);
        QVERIFY(outcome.out.contains("[2Jgemm") && !outcome.out.contains('\x1b'));
        QVERIFY(!run("--batch %evil").out.contains('\x1b'));
    }

    void theAnswerFitsOnAScreen_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("a run") << QStringList{at(QStringLiteral("run"))};
        QTest::newRow("two runs") << QStringList{at(QStringLiteral("run")), at(QStringLiteral("slow"))};
        QTest::newRow("three runs") << QStringList{at(QStringLiteral("run")), at(QStringLiteral("slow")),
                                                   at(QStringLiteral("b/run"))};
        const QString shared = QStringLiteral(RANKSCOPE_SHARED_DIR "/traces/");
        for (const char* name : {"dlrm_v100_8rank", "nccl_a100", "resnet_mi300_1of8", "vllm_decode_full",
                                 "trace_diff_control", "flight_recorder"})
            if (QDir(shared + QString::fromLatin1(name)).exists())
                QTest::newRow(name) << QStringList{shared + QString::fromLatin1(name)};
    }
    void theAnswerFitsOnAScreen() {
        QFETCH(QStringList, arguments);
        const Outcome outcome = run_program(QStringList{QStringLiteral("--batch")} + arguments);
        if (outcome.exit_code == 3)
            QSKIP("several runs in one folder");
        QCOMPARE(outcome.exit_code, 0);
        const QStringList lines = QString::fromUtf8(outcome.out).split(u'\n');
        QVERIFY2(lines.size() <= 41, outcome.out);
        for (const QString& line : lines) {
            QVERIFY2(line.size() <= 100, qPrintable(line));
            QVERIFY2(!line.endsWith(u' '), qPrintable(line));
        }
        QVERIFY(!outcome.out.contains('\x1b'));
        QVERIFY2(!outcome.out.contains("Time to first token"), outcome.out);
    }

    void whatChangedComesFirst() {
        const QByteArray text = run("--batch %run %slow").out;
        QVERIFY2(text.startsWith("slow against run\n"), text);
        QVERIFY2(text.contains("Step time") && text.contains("100 µs") && text.contains("110 µs") &&
                     text.contains("+10.0 %") && text.contains("worse"),
                 text);
        const QByteArray gated = run("--batch %run %slow --gate step_time<+3%").out;
        QVERIFY2(gated.startsWith("FAILED  step_time<+3%: 100 µs -> 110 µs: +10.0 %, limit +3.0 % (slow)\n"), gated);
    }

    void markdownGoesToStdout() {
        const QByteArray text = run("--batch %run %slow --format md").out;
        QVERIFY2(text.startsWith("## slow against run\n"), text);
        QVERIFY2(text.contains("| Step time | 100 µs | 110 µs | +10.0 % | worse |"), text);
        QCOMPARE(run("--batch %run --format csv").exit_code, 2);
    }

    void theSameBytesForAnyNumberOfThreads_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("written here") << at(QStringLiteral("run"));
        QTest::newRow("demo") << QStringLiteral("--demo");
        for (const char* shared :
             {"dlrm_v100_8rank", "rccl_demo/56cu_256threads", "nccl_a100", "collective_cases/c1_all_kinds_4r"})
            QTest::newRow(shared) << QStringLiteral(RANKSCOPE_SHARED_DIR "/traces/") + QString::fromLatin1(shared);
    }
    void theSameBytesForAnyNumberOfThreads() {
        QFETCH(QString, path);
        if (path.startsWith(QStringLiteral(RANKSCOPE_SHARED_DIR)) && !QDir(path).exists())
            QSKIP("skipped: no shared traces");
        QList<QByteArray> documents;
        for (const char* jobs : {"1", "2", "4"}) {
            const QString out = at(QStringLiteral("jobs") + QString::fromLatin1(jobs));
            const Outcome outcome =
                run_program({QStringLiteral("--batch"), path, QStringLiteral("--json"), QStringLiteral("--jobs"),
                             QString::fromLatin1(jobs), QStringLiteral("--output"), out});
            QVERIFY2(outcome.exit_code == 0, outcome.err);
            QByteArray all = outcome.out;
            for (const QString& file : QDir(out).entryList(QDir::Files, QDir::Name))
                all += read_file(out + QLatin1Char('/') + file);
            documents << all;
            QDir(out).removeRecursively();
        }
        QVERIFY(documents[0] == documents[1]);
        QVERIFY(documents[0] == documents[2]);
    }

    void anInterruptEndsWith130AndLeavesNothing() {
        QByteArray trace = step_trace(0);
        QByteArray events = trace.mid(trace.indexOf('[') + 1).chopped(4);
        QByteArray many = trace.left(trace.indexOf('[') + 1) + events;
        while (many.size() < 8'000'000)
            many += "," + events;
        write_file(at(QStringLiteral("large/rank0_trace.json")), many + "]}");
        const Outcome outcome = run_program({QStringLiteral("--batch"), at(QStringLiteral("large")),
                                             QStringLiteral("--output"), at(QStringLiteral("interrupted"))},
                                            interrupt_first);
        QCOMPARE(outcome.exit_code, 130);
        QCOMPARE(outcome.out, QByteArray());
        QCOMPARE(
            QDir(at(QStringLiteral("interrupted"))).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
            QStringList());
    }

    void anInterruptedDemoLeavesNoFolder() {
        const QString temporary = at(QStringLiteral("temporary"));
        QVERIFY(QDir().mkpath(temporary));
        const QByteArray before = qgetenv("TMPDIR");
        qputenv("TMPDIR", temporary.toUtf8());
        const Outcome outcome = run_program(words("--batch --demo"), interrupt_first);
        before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
        QCOMPARE(outcome.exit_code, 130);
        QCOMPARE(QDir(temporary).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
    }
};

RANKSCOPE_TEST(TestBatch)

} // namespace rankscope::batch_test

#include "test_batch.moc"
