// SPDX-License-Identifier: GPL-3.0-or-later
// --study with its files, and gates against a folder of digests, as the program runs them.
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/run_program.h"
#include "tests/support/test_program.h"

namespace rankscope::batch_study_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

class TestBatchStudy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Digests of steps of 0.1, 0.101 ... 0.119 ms, a subfolder each, and runs to hold against them.
    void initTestCase() {
        for (int i = 0; i < 20; ++i) {
            const QString run = path(u"recorded/run_%1"_s.arg(i, 2, 10, QChar(u'0')));
            write_step_run(run, 100 + i);
            const QString digest = path(u"history/night_%1"_s.arg(i, 2, 10, QChar(u'0')));
            QCOMPARE(run_program({u"--batch"_s, run, u"--digest"_s, digest, u"--quiet"_s, u"--no-cache"_s}).exit_code,
                     0);
        }
        for (const int step : {118, 121, 140})
            write_step_run(path(u"today_%1"_s.arg(step)), step);
    }

    void aGateIsHeldAgainstAFolderOfDigests_data() {
        QTest::addColumn<QString>("run");
        QTest::addColumn<QString>("gate");
        QTest::addColumn<int>("code");
        // p95 of 20 by nearest rank is the 19th: 0.118 ms; 2 % on top: 0.12036 ms
        QTest::newRow("within p95") << u"today_118"_s << u"iter_time<=p95(history)"_s << 0;
        QTest::newRow("above p95") << u"today_121"_s << u"iter_time<=p95(history)"_s << 1;
        QTest::newRow("above p95 and 2 %") << u"today_121"_s << u"iter_time<p95(history)+2%"_s << 1;
        QTest::newRow("within p95 and 5 %") << u"today_121"_s << u"iter_time<p95(history)+5%"_s << 0;
        QTest::newRow("above the largest") << u"today_140"_s << u"iter_time<=max(history)+10%"_s << 1;
        QTest::newRow("a detail") << u"today_118"_s << u"iter_time.max_ms<max(history)"_s << 0;
        QTest::newRow("a metric that no run has") << u"today_118"_s << u"mfu>median(history)"_s << 1;
    }
    void aGateIsHeldAgainstAFolderOfDigests() {
        QFETCH(const QString, run);
        QFETCH(const QString, gate);
        const Outcome outcome = run_program({u"--batch"_s, path(run), u"--history"_s, path(u"history"_s), u"--gate"_s,
                                             gate, u"--json"_s, u"--no-cache"_s});
        QTEST(outcome.exit_code, "code");
        const QJsonObject told = outcome.json()[u"gates"][0].toObject();
        QCOMPARE(told[u"passed"].toBool(), outcome.exit_code == 0);
        if (gate != "iter_time<=p95(history)"_L1)
            return;
        // The run of 118 us is in the history as well, and is left out: the 19th of 19 is 119 us.
        const bool itself = run == "today_118"_L1;
        QCOMPARE(told[u"limit"].toDouble(), itself ? 0.119 : 0.118);
        QCOMPARE(told[u"history_runs"].toInt(), itself ? 19 : 20);
        QCOMPARE(told[u"text"].toString(),
                 itself ? u"118 µs <= 119 µs = p95 of 19 runs"_s : u"121 µs, and not <= 118 µs = p95 of 20 runs"_s);
        QCOMPARE(outcome.err.contains("night_18: it is the run itself"), itself);
        QCOMPARE(outcome.err.contains("fewer than 20"), itself);
    }

    void aHistoryWithoutRunsIsAnError() {
        QDir().mkpath(path(u"empty"_s));
        const Outcome outcome = run_program({u"--batch"_s, path(u"today_118"_s), u"--history"_s, path(u"empty"_s),
                                             u"--gate"_s, u"iter_time<p95(history)"_s, u"--quiet"_s});
        QCOMPARE(outcome.exit_code, 3);
        QVERIFY2(outcome.only_line().contains("no run in it can be read"), outcome.err.constData());
    }

    void aStudyWritesItsFiles() {
        const QString out = path(u"study"_s);
        const Outcome outcome =
            run_program({u"--study"_s, path(u"history"_s), u"--by"_s, u"name"_s, u"--output"_s, out, u"--quiet"_s});
        QCOMPARE(outcome.exit_code, 0);
        QCOMPARE(QDir(out).entryList(QDir::Files, QDir::Name),
                 (QStringList{u"report.html"_s, u"report.xlsx"_s, u"study.csv"_s, u"study.json"_s}));
        QVERIFY(read_file(out + u"/report.html"_s).contains("Study of 20 runs"));
        QCOMPARE(read_file(out + u"/report.xlsx"_s).left(2), QByteArray("PK"));
        const QString some = path(u"some"_s);
        QCOMPARE(run_program({u"--study"_s, path(u"history"_s), u"--by"_s, u"name"_s, u"--output"_s, some,
                              u"--format"_s, u"csv"_s})
                     .exit_code,
                 0);
        QCOMPARE(QDir(some).entryList(QDir::Files), QStringList{u"study.csv"_s});
    }

    void eachRunOfAStudyHasItsReport() {
        const QString out = path(u"board"_s);
        const Outcome outcome = run_program({u"study"_s, path(u"today_121"_s), path(u"today_118"_s), u"--reports"_s,
                                             u"--output"_s, out, u"--format"_s, u"html,json"_s, u"--quiet"_s});
        QCOMPARE(outcome.exit_code, 0);
        QCOMPARE(QDir(out + u"/reports"_s).entryList(QDir::Files, QDir::Name),
                 (QStringList{u"01-today_121.html"_s, u"02-today_118.html"_s}));
        QVERIFY(read_file(out + u"/report.html"_s).contains("<a href=\"reports/02-today_118.html\">"));
        QVERIFY(read_file(out + u"/study.json"_s).contains("\"report\": \"reports/01-today_121.html\""));
        QCOMPARE(run_program({u"study"_s, path(u"today_121"_s), u"--reports"_s}).exit_code, 2);
    }

    void aStudyIsRanked() {
        const Outcome ranked =
            run_program({u"--study"_s, path(u"history"_s), u"--rank-by"_s, u"step_time"_s, u"--quiet"_s});
        QCOMPARE(ranked.exit_code, 0);
        QVERIFY(ranked.out.contains("against the best") && ranked.out.contains("* the best of the column"));
        const Outcome alone = run_program({u"--batch"_s, path(u"today_118"_s), u"--rank-by"_s, u"step_time"_s});
        QCOMPARE(alone.exit_code, 2);
        QVERIFY(alone.only_line().contains("--rank-by needs --study"));
        QCOMPARE(run_program({u"--study"_s, path(u"history"_s), u"--rank-by"_s, u"stepp"_s}).exit_code, 2);
    }

    /// Names tell of one run; the files are of two moments.
    void aFolderOfTwoRecordingsIsTwoRuns() {
        QByteArray trace = step_trace(0);
        trace.remove(0, trace.indexOf("\"traceEvents\"")).prepend('{');
        write_file(path(u"two/before.json"_s), trace);
        write_file(path(u"two/after.json"_s), trace.replace("\"ts\":", "\"ts\":360000")); // an hour later
        const Outcome study = run_program({u"--study"_s, path(u"two"_s), u"--json"_s, u"--no-cache"_s});
        QCOMPARE(study.exit_code, 0);
        const QJsonArray runs = study.json()[u"runs"].toArray();
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[0].toObject()[u"name"].toString(), u"after.json"_s);
        QCOMPARE(runs[1].toObject()[u"name"].toString(), u"before.json"_s);
    }

    void tablesAsOneSqliteFile() {
        const QString out = path(u"tables"_s);
        const Outcome written = run_program(
            {u"--batch"_s, path(u"today_118"_s), u"--output"_s, out, u"--format"_s, u"sqlite"_s, u"--quiet"_s});
        QCOMPARE(written.exit_code, 0);
        QCOMPARE(QDir(out).entryList(QDir::Files), QStringList{u"run.sqlite"_s});
        QCOMPARE(read_file(out + u"/run.sqlite"_s).left(15), QByteArray("SQLite format 3"));
        const Outcome study =
            run_program({u"--study"_s, path(u"history"_s), u"--output"_s, out, u"--format"_s, u"sqlite"_s});
        QCOMPARE(study.exit_code, 2);
    }

    /// Table, SQL and CSV of what changed are one function; they have one value.
    void whatChangedIsTheSameInSqlAndCsv() {
        const QString out = path(u"changed"_s);
        const QStringList runs{path(u"today_118"_s), path(u"today_140"_s)};
        QCOMPARE(run_program(QStringList{u"--batch"_s} + runs +
                             QStringList{u"--output"_s, out, u"--format"_s, u"csv"_s, u"--quiet"_s})
                     .exit_code,
                 0);
        const Outcome sql = run_program(
            QStringList{u"--batch"_s} + runs +
            QStringList{u"--quiet"_s, u"--sql"_s, u"select part, printf('%.3f', test_ns / 1e3) from change"_s});
        const QList<QByteArray> rows = read_file(out + u"/changes.csv"_s).split('\n');
        const QList<QByteArray> told = sql.out.split('\n');
        QVERIFY(rows.size() > 2 && rows.size() == told.size());
        for (qsizetype i = 1; i + 1 < rows.size(); ++i) {
            const QList<QByteArray> cells = rows[i].split(',');
            QVERIFY2(told[i].trimmed() == cells[2] + ',' + cells[5], rows[i].constData());
        }
    }

    void reportHtmlShowsTheTimeAskedFor() {
        const QString out = path(u"page"_s);
        const auto page = [&](const QString& range) {
            const Outcome outcome = run_program({u"--batch"_s, path(u"today_118"_s), u"--output"_s, out, u"--format"_s,
                                                 u"html"_s, u"--html-timeline"_s, range, u"--quiet"_s});
            return outcome.exit_code == 0 ? read_file(out + u"/report.html"_s) : QByteArray::number(outcome.exit_code);
        };
        QVERIFY(page(u"100us/200us"_s).contains("today_118: 0.1 to 0.2 ms"));
        QVERIFY(!page(u"none"_s).contains("id=\"timeline\""));
        QCOMPARE(page(u"5s/6s"_s), QByteArray("3"));
        QCOMPARE(page(u"nonsense"_s), QByteArray("2"));
        QCOMPARE(run_program({u"--batch"_s, path(u"today_118"_s), u"--html-timeline"_s, u"/1ms"_s}).exit_code, 2);
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    QTemporaryDir folder_;
};

RANKSCOPE_TEST(TestBatchStudy)

} // namespace rankscope::batch_study_test

#include "test_batch_study.moc"
