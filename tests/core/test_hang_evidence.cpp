// SPDX-License-Identifier: GPL-3.0-or-later
// Hangs in which a dump is missing or belongs to another rank, and calls that members made differently. What is proved
// is told first. No sentence contradicts another one.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/analysis/hang/hang_evidence.h"
#include "core/input/flight_recorder/dump.h"
#include "core/report/hang_report.h"
#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/hang_jobs.h"
#include "tests/support/test_program.h"

namespace rankscope::hang_evidence_test {

using namespace hang_jobs;

bool says(const Hang& hang, std::string_view words) {
    const std::vector<std::string> said = english(hang_sentences(hang));
    return std::ranges::any_of(said, [&](const std::string& s) { return s.find(words) != std::string::npos; });
}

/// Rank 1 waits in A, which is older, for rank 0, which left no dump. B is of 2 and 3.
DumpedJob job_without_a_dump() {
    DumpedJob job(4);
    job.group("1", "A", {0, 1}).group("2", "B", {2, 3});
    job.calls({0, 1}, finished("all_reduce", "1", 1, 0)).calls({2, 3}, finished("all_reduce", "2", 1, 0));
    job.call(1, open("all_reduce", "1", 2, 1)).crash(0);
    return job;
}

class TestHangEvidence : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatProvesACulpritIsToldBeforeAMissingDump() {
        DumpedJob job = job_without_a_dump();
        job.call(2, open("all_reduce", "2", 2, 2)); // 3 does not come
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{3});
        QCOMPARE(hang.first_stuck->description, std::string("B"));
        QCOMPARE(hang.problem, HangProblem::missing);
        QCOMPARE(hang.waiting, Ranks{2});
        QVERIFY(says(hang, "py-spy"));
        QVERIFY(!says(hang, "for a crash"));
    }

    void aGpuThatStandsStillIsToldBeforeAMissingDump() {
        DumpedJob job = job_without_a_dump();
        job.call(2, finished("all_reduce", "2", 2, 2)).call(3, open("all_reduce", "2", 2, 2));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{3});
        QCOMPARE(hang.first_stuck->description, std::string("B"));
        QCOMPARE(hang.problem, HangProblem::stuck_inside);
        QVERIFY(says(hang, "look at the GPU of that rank"));
        QVERIFY(!says(hang, "for a crash"));
    }

    void aDeadlockIsToldBeforeAMissingDump() {
        DumpedJob job(4);
        job.group("1", "A", {0, 1}).group("2", "B", {2, 3}).group("3", "C", {2, 3});
        job.calls({0, 1}, finished("all_reduce", "1", 1, 0)).call(1, open("all_reduce", "1", 2, 1)).crash(0);
        job.calls({2, 3}, finished("all_reduce", "2", 1, 0)).calls({2, 3}, finished("all_reduce", "3", 1, 0));
        job.call(2, open("all_reduce", "2", 2, 2)).call(3, open("all_reduce", "3", 2, 2));
        const Hang hang = job.hang();
        QCOMPARE(hang.problem, HangProblem::deadlock);
        QVERIFY(says(hang, "The job hangs in a deadlock: ranks 2 and 3"));
        QVERIFY(says(hang, "in the same order"));
    }

    void whoHasCallsOpenBeforeDoesNotWaitThereForAMissingDump() {
        // 1 made the call of A, for which 0 may be missing, behind one of B, for which 2 does not come.
        DumpedJob job(3);
        job.group("1", "A", {0, 1}).group("2", "B", {1, 2});
        job.calls({0, 1}, finished("all_reduce", "1", 1, 0)).calls({1, 2}, finished("all_reduce", "2", 1, 0));
        job.call(1, open("all_reduce", "2", 2, 1)).call(1, open("all_reduce", "1", 2, 2)).crash(0);
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(english(hang.rank(0)->why),
                 std::string("It left no dump: it crashed, was killed, or could not be reached. Whether it made "
                             "all_reduce 2 of group 1 (A) is not known; rank 1 made it, and has another call open "
                             "before it."));
    }

    void whatAMemberFinishedAllHaveMade_data() {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("asked");
        QTest::newRow("all-to-all") << QByteArray("all_to_all")
                                    << QByteArray("all_to_all 3 of group 0 (default_pg) is not known; ranks 1 and 3 "
                                                  "wait for it there.");
        QTest::newRow("broadcast") << QByteArray("broadcast")
                                   << QByteArray("broadcast 2 of group 0 (default_pg) is not known; rank 2 made it, "
                                                 "and has another call open before it.");
    }
    void whatAMemberFinishedAllHaveMade() {
        // 2 stands still in TP; 1 and 3 have finished call 2 of all, so rank 0 made it too: they wait for it in call 3.
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, asked);
        DumpedJob job(4);
        job.group("1", "TP", {2, 3});
        job.calls(up_to(4), finished(kind.constData(), "0", 1, 0)).call(3, finished("all_reduce", "1", 1, 1));
        job.call(2, open("all_reduce", "1", 1, 1)).call(2, open(kind.constData(), "0", 2, 2));
        job.calls({1, 3}, finished(kind.constData(), "0", 2, 2));
        job.calls({1, 2, 3}, open(kind.constData(), "0", 3, 3)).crash(0);
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{0});
        const std::string why = english(hang.rank(0)->why);
        QVERIFY2(why.ends_with("Whether it made " + asked.toStdString()), why.c_str());
    }

    void whoMayNotHaveFinishedLeavesTheLastOneUnconvicted() {
        DumpedJob job(3);
        job.calls(up_to(3), finished("all_reduce", "0", 1, 0));
        job.call(1, finished("all_reduce", "0", 2, 1)).call(2, open("all_reduce", "0", 2, 1)).crash(0);
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), (Ranks{0, 2}));
        QCOMPARE(hang.problem, HangProblem::stuck_inside);
        QVERIFY(english(hang.rank(2)->why).ends_with("though rank 1 did. Whether rank 0 finished it is not known."));
    }

    void whoCallsSomethingElseIsJudgedWhereOthersDidNotCome() {
        DumpedJob job(6);
        job.calls(up_to(6), finished("all_reduce", "0", 1, 0)).calls(up_to(4), open("all_reduce", "0", 2, 1));
        job.call(4, open("broadcast", "0", 2, 1));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), (Ranks{4, 5}));
        QCOMPARE(ranks_with(hang, HangVerdict::victim), up_to(4));
        QCOMPARE(hang.problem, HangProblem::missing);
        QVERIFY(english(hang.rank(4)->why).starts_with("As all_reduce 2 of group 0 (default_pg) it called broadcast"));
        QVERIFY(says(hang, "py-spy"));
        QVERIFY(says(hang, "different branches"));
        // One against one proves nothing.
        DumpedJob two(3);
        two.calls(up_to(3), finished("all_reduce", "0", 1, 0)).call(0, open("all_reduce", "0", 2, 1));
        two.call(1, open("broadcast", "0", 2, 1));
        QCOMPARE(ranks_with(two.hang(), HangVerdict::culprit), Ranks{2});
        QCOMPARE(ranks_with(two.hang(), HangVerdict::possible), (Ranks{0, 1}));
        QVERIFY(!says(two.hang(), "different branches"));
    }

    void whoCallsSomethingElseBehindAnOpenCallIsPossible() {
        // 0 waits in B for 4; behind it 0 to 2 call the same in A, and 3 calls it with other sizes.
        DumpedJob job(5);
        job.group("1", "A", up_to(4)).group("2", "B", {0, 4});
        job.calls(up_to(4), finished("all_reduce", "1", 1, 0)).calls({0, 4}, finished("all_reduce", "2", 1, 0));
        job.call(0, open("all_reduce", "2", 2, 1)).calls({0, 1, 2}, open("all_reduce", "1", 2, 2));
        DumpCall other = open("all_reduce", "1", 2, 2);
        other.inputs = other.outputs = {{77}};
        job.call(3, other);
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{4});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{3});
        QCOMPARE(hang.first_stuck->description, std::string("B"));
        QVERIFY(english(hang.rank(3)->why).ends_with("But a member of that group has other calls open before it."));
    }

    void aDumpOfAnotherRankIsLeftOut() {
        // Rank 3's dump lies in the place of rank 1's. Ranks 1 and 2 did not come.
        DumpedJob job(4);
        job.group("1", "TP", {0, 1}).group("2", "TP", {2, 3}).group("3", "DP", {0, 2}).group("4", "DP", {1, 3});
        job.calls(up_to(4), finished("all_reduce", "0", 1, 1)).calls({0, 3}, open("all_reduce", "0", 2, 2));
        std::vector<FlightRecorderDump> dumps;
        for (const int rank : {0, 3, 2, 3})
            dumps.push_back(read_flight_recorder(pickled(job.dump(rank))).value().dump);
        const std::vector<RankDump> given{{0, &dumps[0]}, {1, &dumps[1]}, {2, &dumps[2]}, {3, &dumps[3]}};
        const Hang hang = find_hang(given);
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{1});
        QCOMPARE(ranks_with(hang, HangVerdict::victim), (Ranks{0, 3}));
        QCOMPARE(hang.no_dump, Ranks{});
        QVERIFY(english(hang.rank(1)->why).starts_with("Its dump is of another rank. Whether it made"));
        QVERIFY(says(hang, "rank 2 did not come, whether rank 1 came is not known."));
        QVERIFY(says(hang, "The dump of rank 1 is of another rank, as its groups say: it is left out."));
        const std::vector<RankDump> alone{{1, &dumps[1]}};
        QVERIFY(!find_hang(alone).first_stuck);
        QCOMPARE(english(hang_headline(find_hang(alone))),
                 std::string("Whether the job hangs is not known: the dump of rank 1 is of another rank."));
    }

    void whoDidNotComeBecauseItWaitsElsewhereIsToldApart() {
        DumpedJob job(3);
        job.group("1", "A", {1, 2});
        job.calls(up_to(3), finished("all_reduce", "0", 1, 0)).calls({1, 2}, finished("all_reduce", "1", 1, 0));
        job.call(0, open("all_reduce", "0", 2, 1)).call(1, open("all_reduce", "1", 2, 3));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(hang.absent, (Ranks{1, 2}));
        QVERIFY(says(hang, "Rank 0 waits in it; ranks 1 and 2 did not come. Rank 1 waits in another call instead."));
    }

    void aMissingDumpHidesNothingThatIsProved_data() {
        QTest::addColumn<QByteArray>("folder");
        QTest::addColumn<QList<int>>("faulty");
        QTest::newRow("gpu_error_1st") << QByteArray("gpu_error_1st") << QList<int>{12, 14};
        QTest::newRow("lock_gil_1st") << QByteArray("lock_gil_1st") << QList<int>{9, 14};
    }
    /// Of NVIDIA's dumps of 16 ranks each is taken away.
    void aMissingDumpHidesNothingThatIsProved() {
        QFETCH(QByteArray, folder);
        QFETCH(QList<int>, faulty);
        namespace fs = std::filesystem;
        const fs::path path = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "flight_recorder" / folder.toStdString();
        if (!fs::exists(path))
            QSKIP("the shared traces are not here");
        std::vector<FlightRecorderDump> dumps;
        for (const int rank : up_to(16)) {
            std::ifstream file(path / ("_dump_" + std::to_string(rank)), std::ios::binary);
            dumps.push_back(read_flight_recorder(std::string(std::istreambuf_iterator<char>(file), {})).value().dump);
        }
        for (const int missing : up_to(16)) {
            std::vector<RankDump> given;
            for (const int rank : up_to(16))
                if (rank != missing)
                    given.push_back({rank, &dumps[static_cast<std::size_t>(rank)]});
            const Hang hang = find_hang(given);
            const Ranks culprits = ranks_with(hang, HangVerdict::culprit);
            QVERIFY(!culprits.empty());
            QVERIFY(std::ranges::all_of(culprits, [&](int rank) { return faulty.contains(rank); }));
            for (const int rank : faulty) // no mere waiter
                QVERIFY(hang.rank(rank)->verdict < HangVerdict::victim);
            QVERIFY(hang.problem == HangProblem::missing || hang.problem == HangProblem::stuck_inside);
            QVERIFY(std::ranges::any_of(hang.problem == HangProblem::missing ? hang.absent : hang.waiting,
                                        [&](int rank) { return faulty.contains(rank); }));
            QVERIFY(!says(hang, "for a crash"));
        }
    }
};

RANKSCOPE_TEST(TestHangEvidence)

} // namespace rankscope::hang_evidence_test

#include "test_hang_evidence.moc"
