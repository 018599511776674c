// SPDX-License-Identifier: GPL-3.0-or-later
// The program on Flight Recorder dumps, without a window: in sentences, as JSON, as a page, for CI.
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

#include "tests/app/run_program.h"
#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/test_program.h"

namespace rankscope::batch_hang_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

class TestBatchHang : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    [[nodiscard]] QString at(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] std::filesystem::path made(const QString& name) const {
        std::filesystem::path path = at(name).toStdString();
        std::filesystem::create_directories(path);
        return path;
    }
    static QList<int> numbers(const QJsonValue& array) {
        QList<int> found;
        for (const QJsonValue& value : array.toArray())
            found << (value.isObject() ? value[u"rank"_s].toInt() : value.toInt());
        return found;
    }
    /// Rank 2 of four left out the second all-reduce, in which the others wait.
    static DumpedJob skipped() {
        DumpedJob job(4);
        job.calls({0, 1, 2, 3}, {.kind = "all_reduce",
                                 .group = "0",
                                 .seq = 1,
                                 .created_ms = 1,
                                 .completed_ms = 1.5,
                                 .frames = {"all_reduce", "step"}});
        job.calls({0, 1, 3}, {.kind = "all_reduce", .group = "0", .seq = 2, .state = "scheduled", .created_ms = 2});
        return job;
    }

private Q_SLOTS:
    void theCulpritIsToldInSentences() {
        skipped().write(made(u"skipped"_s));
        const Outcome outcome = run_program({u"--batch"_s, at(u"skipped"_s), u"--full"_s});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY2(outcome.out.contains("The job hangs because of rank 2; 3 others wait."), outcome.out);
        QVERIFY2(outcome.out.contains("Rank 2 is at fault. It never made all_reduce 2 of group 0 (default_pg)"),
                 outcome.out);
        QVERIFY2(outcome.out.contains("It made it in all_reduce (train.py:17), step (train.py:17)."), outcome.out);
        QVERIFY2(outcome.out.contains("What to do:"), outcome.out);
        QVERIFY2(!outcome.out.contains("healthy"), outcome.out);
    }

    void jsonHasTheContractsNames() {
        skipped().write(made(u"json"_s));
        const Outcome outcome = run_program({u"--batch"_s, at(u"json"_s), u"--json"_s});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        const QJsonObject json = outcome.json();
        QCOMPARE(json[u"runs"_s][0][u"source"_s].toString(), u"flight-recorder"_s);
        QCOMPARE(json[u"hang"_s], json[u"runs"_s][0][u"hang"_s]);
        const QJsonObject hang = json[u"hang"_s].toObject();
        const QJsonObject stuck = hang[u"first_stuck"_s].toObject();
        QCOMPARE(stuck[u"group"_s].toString(), u"0"_s);
        QCOMPARE(stuck[u"description"_s].toString(), u"default_pg"_s);
        QCOMPARE(stuck[u"kind"_s].toString(), u"all_reduce"_s);
        QCOMPARE(stuck[u"seq"_s].toInt(), 2);
        QCOMPARE(numbers(stuck[u"ranks"_s]), (QList<int>{0, 1, 3}));
        QCOMPARE(numbers(hang[u"culprits"_s]), QList<int>{2});
        const QJsonObject culprit = hang[u"culprits"_s][0].toObject();
        QCOMPARE(numbers(culprit[u"waits_for"_s]), QList<int>{});
        QCOMPARE(culprit[u"last_completed"_s][u"seq"_s].toInt(), 1);
        QVERIFY(culprit[u"why"_s].toString().startsWith(u"It never made"_s));
        QCOMPARE(numbers(hang[u"possible"_s]), QList<int>{});
        QCOMPARE(numbers(hang[u"victims"_s]), (QList<int>{0, 1, 3}));
        QCOMPARE(numbers(hang[u"victims"_s][0][u"waits_for"_s]), QList<int>{2});
        QVERIFY(hang[u"no_dump"_s].isArray() && hang[u"deadlock"_s].isArray());
        QVERIFY(json[u"findings"_s].toArray().isEmpty());
    }

    void ranksWithoutADumpAreNamed() {
        DumpedJob job = skipped();
        job.crash(2).write(made(u"crashed"_s), "_dump_");
        const Outcome outcome = run_program({u"--batch"_s, at(u"crashed"_s), u"--json"_s});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        const QJsonObject hang = outcome.json()[u"hang"_s].toObject();
        QCOMPARE(numbers(hang[u"no_dump"_s]), QList<int>{2});
        QCOMPARE(numbers(hang[u"culprits"_s]), QList<int>{});
        QCOMPARE(numbers(outcome.json()[u"runs"_s][0][u"missing_ranks"_s]), QList<int>{2});
    }

    void anyPrefixAndJsonAreFoundAmongOtherFiles() {
        const auto folder = made(u"mixed"_s);
        skipped().write(folder, "my_prefix_", true);
        std::ofstream(folder / "notes_7") << "not a dump";
        std::ofstream(folder / "libnccl.so.2") << "\x7f"
                                                  "ELF";
        std::ofstream(folder / "README.txt") << "read me";
        const Outcome outcome = run_program({u"--batch"_s, at(u"mixed"_s), u"--json"_s});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(numbers(outcome.json()[u"runs"_s][0][u"ranks"_s]), (QList<int>{0, 1, 2, 3}));
        QCOMPARE(numbers(outcome.json()[u"hang"_s][u"culprits"_s]), QList<int>{2});
    }

    void aPickleThatWouldRunAProgramDoesNothing() {
        const auto folder = made(u"evil"_s);
        skipped().write(folder);
        const std::string target = (folder / "was_here").string();
        const std::string command = "touch " + target;
        const std::string evil = std::string("\x80\x02}", 3) + std::string("X\x07\x00\x00\x00", 5) +
                                 "entriescposix\nsystem\nU" + static_cast<char>(command.size()) + command + "\x85Rs.";
        std::ofstream(folder / "nccl_trace_rank_2", std::ios::binary) << evil;
        const Outcome outcome = run_program({u"--batch"_s, at(u"evil"_s), u"--json"_s});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QVERIFY(!std::filesystem::exists(target));
        QVERIFY2(outcome.err.contains("GLOBAL, which imports: refused"), outcome.err);
        QCOMPARE(numbers(outcome.json()[u"hang"_s][u"no_dump"_s]), QList<int>{});
        QVERIFY2(outcome.out.contains("dump is there and cannot be read"), outcome.out);
    }

    void ciGetsAFailingTestCase() {
        skipped().write(made(u"ci"_s));
        const Outcome outcome =
            run_program({u"--batch"_s, at(u"ci"_s), u"--quiet"_s, u"--junit"_s, at(u"junit.xml"_s)});
        QCOMPARE(outcome.exit_code, 0);
        const QByteArray xml = read_file(at(u"junit.xml"_s));
        QVERIFY2(xml.contains("tests=\"1\" failures=\"1\""), xml);
        QVERIFY2(xml.contains("<failure type=\"hang\" message=\"The job hangs because of rank 2"), xml);

        DumpedJob fine(2);
        fine.calls({0, 1}, {.kind = "all_reduce", .group = "0", .seq = 1, .completed_ms = 1});
        fine.write(made(u"fine"_s));
        QCOMPARE(run_program({u"--batch"_s, at(u"fine"_s), u"--junit"_s, at(u"fine.xml"_s)}).exit_code, 0);
        QVERIFY(read_file(at(u"fine.xml"_s)).contains("failures=\"0\""));

        // An empty buffer clears nobody.
        fine.only_active().without_status().write(made(u"empty"_s));
        QCOMPARE(run_program({u"--batch"_s, at(u"empty"_s), u"--junit"_s, at(u"empty.xml"_s)}).exit_code, 0);
        QVERIFY(read_file(at(u"empty.xml"_s)).contains("<failure type=\"not known\""));

        write_step_run(at(u"kineto"_s));
        const Outcome refused = run_program({u"--batch"_s, at(u"kineto"_s), u"--junit"_s, at(u"none.xml"_s)});
        QCOMPARE(refused.exit_code, 2);
        QVERIFY2(refused.err.contains("--junit needs --gate"), refused.err);
    }

    void thePageHasASectionOfItsOwn() {
        skipped().write(made(u"page"_s));
        const Outcome outcome = run_program({u"--batch"_s, at(u"page"_s), u"--output"_s, at(u"out"_s)});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        const QByteArray html = read_file(at(u"out/report.html"_s));
        QVERIFY(html.contains("The job hangs because of rank 2"));
        QVERIFY(html.contains("culprit"));
        QVERIFY(!html.contains("ealthy"));
    }

    void besideAProfileBothAreCaptures() {
        write_step_run(at(u"both"_s));
        skipped().write(made(u"both/dumps"_s));
        const Outcome first = run_program({u"--batch"_s, at(u"both"_s), u"--json"_s});
        QVERIFY2(first.exit_code == 0, first.err);
        QCOMPARE(first.json()[u"runs"_s].toArray().size(), 1);
        QCOMPARE(first.json()[u"runs"_s][0][u"source"_s].toString(), u"kineto"_s);
        QCOMPARE(numbers(first.json()[u"hang"_s][u"culprits"_s]), QList<int>{2});
        QCOMPARE(first.json()[u"runs"_s][0][u"hang"_s], first.json()[u"hang"_s]);
        QVERIFY2(first.err.contains("dumps of the Flight Recorder") &&
                     first.err.contains("--profile-mode flight-recorder"),
                 first.err);
        const Outcome second =
            run_program({u"--batch"_s, at(u"both"_s), u"--json"_s, u"--profile-mode"_s, u"flight-recorder"_s});
        QVERIFY2(second.exit_code == 0, second.err);
        QCOMPARE(second.json()[u"runs"_s][0][u"source"_s].toString(), u"flight-recorder"_s);
        QCOMPARE(numbers(second.json()[u"hang"_s][u"culprits"_s]), QList<int>{2});
        const Outcome told = run_program({u"--batch"_s, at(u"both"_s), u"--full"_s, u"--output"_s, at(u"both_out"_s),
                                          u"--junit"_s, at(u"both.xml"_s)});
        QVERIFY2(told.exit_code == 0, told.err);
        QVERIFY2(told.out.contains("The job hangs because of rank 2; 3 others wait."), told.out);
        QVERIFY2(told.out.contains("iter_time"), told.out); // and the profile
        QVERIFY(read_file(at(u"both_out/report.html"_s)).contains("The job hangs because of rank 2"));
        QVERIFY(read_file(at(u"both.xml"_s)).contains("<failure type=\"hang\""));
        const Outcome profile =
            run_program({u"--batch"_s, at(u"both"_s), u"--json"_s, u"--profile-mode"_s, u"torch"_s});
        QVERIFY2(profile.exit_code == 0, profile.err);
        QVERIFY(!profile.json().contains(u"hang"_s)); // what was not asked for is not read
    }

    void besideAProfileInTheSameFolder() {
        write_step_run(at(u"mixed_tools"_s));
        skipped().write(made(u"mixed_tools"_s), "comm_lib_trace_rank_", true);
        const Outcome outcome = run_program({u"--batch"_s, at(u"mixed_tools"_s), u"--json"_s});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(outcome.json()[u"runs"_s][0][u"source"_s].toString(), u"kineto"_s);
        QCOMPARE(numbers(outcome.json()[u"hang"_s][u"culprits"_s]), QList<int>{2});
    }
};

RANKSCOPE_TEST(TestBatchHang)

} // namespace rankscope::batch_hang_test

#include "test_batch_hang.moc"
