// SPDX-License-Identifier: GPL-3.0-or-later
// Who did not come: made-up jobs whose fault is known, and real dumps with injected faults.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

#include "core/analysis/hang/hang_evidence.h"
#include "core/analysis/hang/wait_graph.h"
#include "core/input/flight_recorder/dump.h"
#include "core/input/load/load_run.h"
#include "core/report/hang_report.h"
#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/hang_jobs.h"
#include "tests/support/large_hang.h"
#include "tests/support/test_program.h"

namespace rankscope::hang_test {

namespace fs = std::filesystem;
using namespace hang_jobs;

DumpCall message(const char* kind, const char* group, std::int64_t seq, int peer, double at) {
    return {.kind = kind, .group = group, .seq = seq, .state = "scheduled", .created_ms = at, .peer = peer};
}

/// What is found in these dumps, of ranks 0, 1 ...
Hang hang_in(const std::vector<nlohmann::ordered_json>& contents) {
    std::vector<FlightRecorderDump> dumps;
    HangEvidence evidence;
    for (const auto& content : contents) {
        auto read = read_flight_recorder(pickled(content)).value();
        if (read.left_out > 0)
            evidence.unread_calls[static_cast<int>(dumps.size())] = read.left_out;
        dumps.push_back(std::move(read.dump));
    }
    std::vector<RankDump> given;
    for (std::size_t rank = 0; rank < dumps.size(); ++rank)
        given.push_back({static_cast<int>(rank), &dumps[rank]});
    return find_hang(given, evidence);
}

std::vector<nlohmann::ordered_json> dumps_of(const DumpedJob& job, int ranks) {
    std::vector<nlohmann::ordered_json> contents;
    for (int rank = 0; rank < ranks; ++rank)
        contents.push_back(job.dump(rank));
    return contents;
}

/// Rank 2 skips the second call of four.
DumpedJob job_that_hangs() {
    DumpedJob job(4);
    job.calls(up_to(4), finished("all_reduce", "0", 1, 1)).calls({0, 1, 3}, open("all_reduce", "0", 2, 2));
    return job;
}

class TestHang : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Rank 0 waits in call 0 for rank 1, which waits in call 1 for rank 0; rank 2 waits in call 2 for rank 0.
    void whoWaitsForWhomByHand() {
        HangWaits waits;
        FlightRecorderDump of_one_call;
        of_one_call.calls.resize(1);
        const std::vector<FlightRecorderDump> dumps(3, of_one_call);
        for (int rank = 0; rank < 3; ++rank)
            waits.dumps.push_back({rank, &dumps[static_cast<std::size_t>(rank)]});
        using State = HangPart::State;
        const auto call = [](int waiter, int absent) {
            return OpenCall{
                .parts = {{waiter, State::waiting, true, 0, true}, {absent, State::absent, true, 0, false}}};
        };
        waits.calls = {call(0, 1), call(1, 0), call(2, 0)};
        waits.queues = {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}};
        const WaitGraph graph = wait_graph(waits, {});
        QCOMPARE(graph.ranks, (Ranks{0, 1, 2}));
        const std::uint32_t circle = graph.component[0];
        for (const std::uint32_t node : {1U, graph.node_of(0), graph.node_of(1)})
            QCOMPARE(graph.component[node], circle);
        QVERIFY(graph.component[2] != circle && graph.leaves[graph.component[2]] != 0);
        QVERIFY(graph.leaves[circle] == 0);
        using Steps = std::vector<std::pair<std::uint32_t, int>>;
        QCOMPARE(shortest_circle(graph, 0), (Steps{{0, 1}, {1, 0}}));
        QCOMPARE(shortest_circle(graph, 2), Steps());
    }
    void aRankThatSkippedACallIsTheCulprit() {
        DumpedJob job(4);
        job.calls(up_to(4), finished("all_reduce", "0", 1, 1)).calls({0, 1, 3}, open("all_reduce", "0", 2, 2));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::victim), (Ranks{0, 1, 3}));
        QVERIFY(hang.first_stuck.has_value());
        QCOMPARE(hang.first_stuck->seq, 2);
        QCOMPARE(hang.first_stuck->kind, std::string("all_reduce"));
        QCOMPARE(hang.waiting, (Ranks{0, 1, 3}));
        QCOMPARE(hang.absent, Ranks{2});
        QCOMPARE(hang.problem, HangProblem::missing);
        QCOMPARE(hang.since, DumpedJob::kBegin + 2'000'000);
        const HangRank* culprit = hang.rank(2);
        QCOMPARE(culprit->last_completed->seq, 1);
        QCOMPARE(culprit->last_completed_at, DumpedJob::kBegin + 1'500'000);
        QVERIFY(english(culprit->why).find("ranks 0, 1 and 3 wait for it there") != std::string::npos);
        QCOMPARE(hang.rank(0)->waits.front().ranks, Ranks{2});
    }

    void blameGoesOnToWhoWaitsForNobody() {
        // 0 waits for 1 in A, 1 waits for 2 in B, 2 waits for 3 in C, 3 does nothing.
        DumpedJob job(4);
        job.group("1", "A", {0, 1}).group("2", "B", {1, 2}).group("3", "C", {2, 3});
        job.call(0, finished("all_reduce", "1", 1, 0)).call(1, finished("all_reduce", "1", 1, 0));
        job.call(1, finished("all_reduce", "2", 1, 0)).call(2, finished("all_reduce", "2", 1, 0));
        job.call(2, finished("all_reduce", "3", 1, 0)).call(3, finished("all_reduce", "3", 1, 0));
        job.call(0, open("all_reduce", "1", 2, 1)).call(1, open("all_reduce", "2", 2, 2));
        job.call(2, open("all_reduce", "3", 2, 3));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{3});
        QCOMPARE(ranks_with(hang, HangVerdict::victim), (Ranks{0, 1, 2}));
        QCOMPARE(hang.first_stuck->description, std::string("C"));
        QCOMPARE(hang.rank(0)->waits.front().ranks, Ranks{1});
        QCOMPARE(hang.rank(1)->waits.front().ranks, Ranks{2});
    }

    void aCallBehindAnotherIsNotItsOwnFault() {
        // 0 and 1 made B at once; 1 has A open before it, for which 2 does not come.
        DumpedJob job(3);
        job.group("1", "A", {1, 2}).group("2", "B", {0, 1});
        job.call(2, finished("barrier", "1", 1, 0)).call(1, finished("barrier", "1", 1, 0));
        job.call(1, open("all_reduce", "1", 2, 1)).calls({0, 1}, open("all_reduce", "2", 1, 2));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{});
        QCOMPARE(hang.rank(0)->waits.front().ranks, Ranks{1});
    }

    void anotherKindOfCallIsTheFaultOfTheOddOne() {
        DumpedJob job(4);
        job.calls({0, 1, 3}, open("all_reduce", "0", 1, 1)).call(2, open("broadcast", "0", 1, 1));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(hang.problem, HangProblem::mismatch);
        QCOMPARE(hang.mismatches.size(), std::size_t{1});
        QCOMPARE(hang.mismatches[0].what, std::string("kind"));
        QCOMPARE(hang.mismatches[0].variants[0].ranks, (Ranks{0, 1, 3}));
        QCOMPARE(english(hang.mismatches[0].variants[1].called), std::string("broadcast [[1024]] BFloat16"));
    }

    void otherSizesAndTypesAreMismatches() {
        DumpedJob sizes(4);
        DumpCall call = open("all_reduce", "0", 1, 1);
        sizes.calls({0, 1, 3}, call);
        call.inputs = call.outputs = {{1000}};
        sizes.call(2, call);
        QCOMPARE(ranks_with(sizes.hang(), HangVerdict::culprit), Ranks{2});
        QCOMPARE(sizes.hang().mismatches.at(0).what, std::string("sizes"));

        // Ranks of one variant may differ in their inputs: then it is not told by the sizes of one of them.
        DumpedJob gather(4);
        for (const int rank : {0, 1, 3}) {
            call = open("all_gather", "0", 1, 1);
            call.inputs = {{100 + rank}};
            gather.call(rank, call);
        }
        call = open("all_reduce", "0", 1, 1);
        gather.call(2, call);
        QCOMPARE(english(gather.hang().mismatches.at(0).variants.at(0).called),
                 std::string("all_gather with sizes that differ by rank"));

        DumpedJob types(4);
        call = open("all_reduce", "0", 1, 1);
        types.calls({0, 1, 3}, call);
        call.type = "Float";
        types.call(2, call);
        QCOMPARE(ranks_with(types.hang(), HangVerdict::culprit), Ranks{2});
        QCOMPARE(types.hang().mismatches.at(0).what, std::string("types"));
    }

    void oneAgainstOneProvesNothing() {
        DumpedJob job(2);
        job.call(0, open("all_reduce", "0", 1, 1)).call(1, open("broadcast", "0", 1, 1));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), (Ranks{0, 1}));
        QCOMPARE(hang.problem, HangProblem::mismatch);
    }

    void sizesOfAllToAllMayDiffer() {
        DumpedJob job(3);
        DumpCall call = finished("all_to_all", "0", 1, 0);
        job.calls(up_to(3), call);
        call = open("all_to_all", "0", 2, 1);
        job.call(0, call);
        call.inputs = {{77}};
        job.call(1, call);
        const Hang hang = job.hang();
        QVERIFY(hang.mismatches.empty());
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
    }

    void aMessageThatNobodyReceives() {
        DumpedJob job(2);
        job.call(0, message("send", "0", 1, 1, 1));
        job.call(1, finished("barrier", "0", 1, 0)).call(0, finished("barrier", "0", 1, 0));
        const Hang hang = job.hang();
        QVERIFY(ranks_with(hang, HangVerdict::victim) == Ranks{0});
        QVERIFY(hang.rank(1)->verdict == HangVerdict::culprit || hang.rank(1)->verdict == HangVerdict::possible);
        QCOMPARE(hang.first_stuck->source, 0);
        QCOMPARE(hang.first_stuck->destination, 1);
        QVERIFY(english(hang.rank(1)->why).find("message 1 from rank 0 to rank 1") != std::string::npos);
    }

    void aReceiverWhoseBufferShowsItNeverReceivedIsProved() {
        DumpedJob job(2);
        job.call(0, {.kind = "send", .group = "0", .seq = 1, .created_ms = 1, .completed_ms = 2, .peer = 1});
        job.call(1, {.kind = "recv", .group = "0", .seq = 1, .created_ms = 1, .completed_ms = 2, .peer = 0});
        job.call(0, message("send", "0", 2, 1, 3));
        QCOMPARE(ranks_with(job.hang(), HangVerdict::culprit), Ranks{1});
    }

    void messagesOfOneBatchAreNoCircle() {
        // Both send and receive at once; rank 0 makes them in the one order, rank 1 in the other.
        DumpedJob job(3);
        job.group("1", "PP", {0, 1});
        job.call(0, message("send", "1", 1, 1, 1)).call(0, message("recv", "1", 1, 1, 1));
        job.call(1, message("send", "1", 1, 0, 1)).call(1, message("recv", "1", 1, 0, 1));
        const Hang hang = job.hang();
        QVERIFY(hang.deadlock.empty());
        QCOMPARE(ranks_with(hang, HangVerdict::possible), (Ranks{0, 1}));
    }

    void callsOfAFinishedBatchAreNotOpen() {
        // Three all-gathers made as one; only the entry that ends the batch says that it is finished.
        DumpedJob job(3);
        job.calls(up_to(3), open("_all_gather_base", "0", 1, 0)).calls(up_to(3), open("_all_gather_base", "0", 1, 0));
        job.calls(up_to(3), finished("coalesced", "0", 1, 0)).calls({0, 1}, open("all_reduce", "0", 2, 1));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(hang.first_stuck->seq, 2);
        QCOMPARE(hang.rank(0)->open_calls, std::size_t{1});
    }

    void twoGroupsInDifferentOrderAreADeadlock() {
        DumpedJob job(2);
        job.group("1", "A", {0, 1}).group("2", "B", {0, 1});
        job.calls({0, 1}, finished("all_reduce", "1", 1, 0)).calls({0, 1}, finished("all_reduce", "2", 1, 0));
        job.call(0, open("all_reduce", "1", 2, 1)).call(1, open("all_reduce", "2", 2, 1));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::deadlock), (Ranks{0, 1}));
        QCOMPARE(hang.problem, HangProblem::deadlock);
        QCOMPARE(hang.deadlock.size(), std::size_t{2});
        for (const HangLink& link : hang.deadlock) {
            QCOMPARE(link.awaited, 1 - link.waiter);
            QCOMPARE(link.call.description, std::string(link.waiter == 0 ? "A" : "B"));
        }
    }

    void ordersThatBothMadeAreADeadlockToo() {
        DumpedJob job(2);
        job.group("1", "A", {0, 1}).group("2", "B", {0, 1});
        job.call(0, open("all_reduce", "1", 1, 1)).call(0, open("all_reduce", "2", 1, 2));
        job.call(1, open("all_reduce", "2", 1, 1)).call(1, open("all_reduce", "1", 1, 2));
        const Hang hang = job.hang();
        QCOMPARE(hang.deadlock.size(), std::size_t{2});
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
    }

    void aCircleWithAWayOutIsNoDeadlock() {
        // 0 and 1 wait for each other, and 0 for 2, which does nothing: 2 is why.
        DumpedJob job(3);
        job.group("1", "A", {0, 2}).group("2", "PP", {0, 1});
        job.calls({0, 2}, finished("all_reduce", "1", 1, 0));
        job.call(0, message("recv", "2", 1, 1, 1)).call(0, open("all_reduce", "1", 2, 2));
        job.call(1, message("recv", "2", 1, 0, 1));
        const Hang hang = job.hang();
        QVERIFY(hang.deadlock.empty());
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
    }

    void aRankWithoutADumpIsNamedAndNotConvicted() {
        DumpedJob job(4);
        job.calls(up_to(4), finished("all_reduce", "0", 1, 1)).calls({0, 1, 2}, open("all_reduce", "0", 2, 2)).crash(3);
        const Hang hang = job.hang();
        QCOMPARE(hang.no_dump, Ranks{3});
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{3});
        QVERIFY(english(hang.rank(3)->why).starts_with("It left no dump"));
        QCOMPARE(hang.problem, HangProblem::no_dump);
        // If rank 3 came, one of the others stands still: they wait, and that they only wait is not proved.
        QCOMPARE(ranks_with(hang, HangVerdict::victim), up_to(3));
        QVERIFY(english(hang.rank(0)->why).find("is not proved") != std::string::npos);
    }

    /// Rank 3 proves that it did not come, rank 0 left nothing: what to do is about rank 3.
    void whoProvesNotToHaveComeIsToldBeforeWhoLeftNothing() {
        DumpedJob job(4);
        job.calls(up_to(4), finished("all_reduce", "0", 1, 1)).calls({1, 2}, open("all_reduce", "0", 2, 2)).crash(0);
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{3});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{0});
        QCOMPARE(hang.problem, HangProblem::missing);
        QCOMPARE(hang.absent, (Ranks{0, 3}));
        QCOMPARE(hang.perhaps_absent, Ranks{0});
        const std::vector<std::string> said = english(hang_sentences(hang));
        const auto says = [&](std::string_view words) {
            return std::ranges::any_of(said, [&](const std::string& s) { return s.find(words) != std::string::npos; });
        };
        QVERIFY(says("rank 3 did not come, whether rank 0 came is not known."));
        QVERIFY(says("py-spy"));
    }

    void whoWaitsForAPeerWithoutADumpIsNotCleared() {
        // 0 waits for 1, which left no dump: either GPU may stand still. 2 waits for 0 elsewhere.
        DumpedJob job(4);
        job.group("1", "TP", {0, 1}).group("2", "DP", {0, 2});
        job.calls({0, 1}, finished("all_reduce", "1", 1, 0)).calls({0, 2}, finished("all_reduce", "2", 1, 0));
        job.call(0, open("all_reduce", "1", 2, 1)).call(2, open("all_reduce", "2", 2, 2)).crash(1);
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::possible), (Ranks{0, 1}));
        QVERIFY(english(hang.rank(0)->why).find("its own GPU") != std::string::npos);
        QCOMPARE(ranks_with(hang, HangVerdict::victim), Ranks{2});
        QVERIFY(hang.rank(2)->why.empty());
    }

    void allStuckInsideBlamesNobody() {
        DumpedJob job(4);
        DumpCall call = open("all_reduce", "0", 1, 1);
        call.state = "started";
        call.started_ms = 2;
        job.calls(up_to(4), call);
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), up_to(4));
        QCOMPARE(hang.problem, HangProblem::stuck_inside);
    }

    void aGpuThatNeverBeganIsTheCulprit() {
        DumpedJob job(3);
        DumpCall before = finished("all_reduce", "0", 1, 0);
        before.started_ms = 0.1;
        job.calls(up_to(3), before);
        DumpCall call = open("all_reduce", "0", 2, 1);
        job.call(1, call);
        call.state = "started";
        call.started_ms = 2;
        job.calls({0, 2}, call);
        QCOMPARE(ranks_with(job.hang(), HangVerdict::culprit), Ranks{1});
    }

    void whoAloneDoesNotFinishIsTheCulprit() {
        DumpedJob job(3);
        job.calls({0, 1}, finished("all_reduce", "0", 1, 0)).call(2, open("all_reduce", "0", 1, 0));
        job.calls({0, 1}, open("all_reduce", "0", 2, 1));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QVERIFY(english(hang.rank(2)->why).find("though all other members did (ranks 0 and 1)") != std::string::npos);
    }

    void whoGaveUpBeforeTheOthersFinishedIsNotConvicted() {
        // 2 ran out of time after 100 ms; the others finished the call, and went on, at 500 ms.
        DumpedJob job(3);
        DumpCall late = finished("all_reduce", "0", 1, 0);
        late.completed_ms = 500;
        job.calls({0, 1}, late);
        DumpCall given_up = open("all_reduce", "0", 1, 0);
        given_up.timeout_ms = 100;
        job.call(2, given_up);
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{2});
    }

    void twoThatDoNotFinishAreBothPossible() {
        DumpedJob job(4);
        job.calls({0, 1}, finished("all_reduce", "0", 1, 0)).calls({2, 3}, open("all_reduce", "0", 1, 0));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), (Ranks{2, 3}));
    }

    void whatTheBufferNoLongerHoldsProvesNothing() {
        // 2 finished calls 1 to 5; its buffer starts at 4. Calls 1 and 2 are no mismatch and nobody missed them.
        DumpedJob job(3);
        for (int seq = 1; seq <= 5; ++seq)
            job.calls(up_to(3), finished("all_reduce", "0", seq, seq));
        job.keep_last(2, 2).keep_last(1, 4);
        job.calls({0, 1, 2}, open("all_reduce", "0", 6, 7));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(hang.first_stuck->seq, 6);
        QCOMPARE(hang.problem, HangProblem::stuck_inside);
    }

    void withoutStatusAnEmptyActiveDumpProvesNothing() {
        DumpedJob job(3);
        job.calls(up_to(3), finished("all_reduce", "0", 1, 0)).calls({0, 1}, open("all_reduce", "0", 2, 1));
        job.only_active();
        QCOMPARE(ranks_with(job.hang(), HangVerdict::culprit), Ranks{2}); // the status tells
        job.without_status();
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{2});
    }

    void groupsOfOneNameAreToldApartByTheirMembers() {
        DumpedJob job(4);
        job.group("1", "TP", {0, 1}).group("1", "TP", {2, 3});
        // group() finds the first of a name, so only ranks 0 and 1 call in it; 2 and 3 call in the default group.
        job.calls({0, 1}, finished("all_reduce", "1", 1, 0)).call(0, open("all_reduce", "1", 2, 1));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{1});
        QCOMPARE(hang.first_stuck->size, 2);
        QCOMPARE(ranks_with(hang, HangVerdict::unconcerned), (Ranks{2, 3}));
    }

    void nothingOpenIsNoHang() {
        DumpedJob job(2);
        job.calls({0, 1}, finished("all_reduce", "0", 1, 0));
        const Hang hang = job.hang();
        QVERIFY(!hang.first_stuck);
        QCOMPARE(ranks_with(hang, HangVerdict::unconcerned), (Ranks{0, 1}));
    }

    void framesOfTheLastCallAreShown() {
        DumpedJob job(2);
        DumpCall call = finished("all_reduce", "0", 1, 0);
        call.frames = {"all_reduce", "step"};
        job.call(1, call);
        job.call(0, call).call(0, open("all_reduce", "0", 2, 1));
        const Hang hang = job.hang();
        QCOMPARE(hang.rank(1)->frames.size(), std::size_t{2});
        QCOMPARE(hang.rank(1)->frames[1].name, std::string("step"));
        QCOMPARE(hang.rank(1)->frames[1].line, 17);
    }

    void twoThatStopApartAreBothFound() {
        // Two chains that have nothing to do with each other: 0 waits for 1, 2 waits for 3.
        DumpedJob job(4);
        job.group("1", "A", {0, 1}).group("2", "B", {2, 3});
        job.calls({0, 1}, finished("all_reduce", "1", 1, 0)).calls({2, 3}, finished("all_reduce", "2", 1, 0));
        job.call(0, open("all_reduce", "1", 2, 1)).call(2, open("all_reduce", "2", 2, 1));
        QCOMPARE(ranks_with(job.hang(), HangVerdict::culprit), (Ranks{1, 3}));
    }

    void oneThatHoldsUpTwoChainsIsNamedOnce() {
        DumpedJob job(5);
        job.group("1", "A", {0, 1, 2}).group("2", "B", {2, 3}).group("3", "C", {3, 4});
        job.calls({0, 1, 2}, finished("all_reduce", "1", 1, 0)).calls({2, 3}, finished("all_reduce", "2", 1, 0));
        job.calls({3, 4}, finished("all_reduce", "3", 1, 0));
        job.calls({0, 1}, open("all_reduce", "1", 2, 1)).call(3, open("all_reduce", "2", 2, 1));
        job.call(4, open("all_reduce", "3", 2, 2));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::victim), (Ranks{0, 1, 3, 4}));
    }

    void twoGroupsOfTheSameMembersAreNotMixedUp() {
        // Both groups count their calls apart: call 7 of the one is not call 7 of the other.
        DumpedJob job(3);
        job.group("1", "TENSOR", {0, 1, 2}).group("2", "EXPERT", {0, 1, 2});
        job.calls(up_to(3), finished("all_reduce", "1", 7, 0)).calls(up_to(3), finished("all_to_all", "2", 6, 1));
        job.calls({0, 1}, open("all_to_all", "2", 7, 2));
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(hang.first_stuck->description, std::string("EXPERT"));
        QVERIFY(hang.mismatches.empty());
    }

    void allToAllThatDoNotAddUpBlameNobody() {
        DumpedJob job(3);
        DumpCall call = open("all_to_all", "0", 1, 1);
        job.calls({0, 1}, call);
        call.outputs = {{1000}};
        job.call(2, call);
        const Hang hang = job.hang();
        QCOMPARE(hang.problem, HangProblem::mismatch);
        QCOMPARE(hang.mismatches.at(0).what, std::string("totals"));
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), up_to(3));
    }

    void aMessageOfAnotherSizeIsAMismatch() {
        DumpedJob job(3);
        job.group("1", "PP", {0, 1});
        job.call(0, message("send", "1", 1, 1, 1));
        DumpCall receive = message("recv", "1", 1, 0, 1);
        receive.outputs = {{512}};
        job.call(1, receive);
        const Hang hang = job.hang();
        QCOMPARE(hang.problem, HangProblem::mismatch);
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), (Ranks{0, 1}));
    }

    void messagesOfAFinishedBatchAreNotOpen() {
        // Messages of a batch never say that they are finished, and the entry that does was left out with the other
        // finished ones: only the status knows.
        DumpedJob job(3);
        job.group("1", "PP", {0, 1});
        for (int seq = 1; seq <= 2; ++seq) {
            job.call(0, message("send", "1", seq, 1, seq)).call(1, message("recv", "1", seq, 0, seq));
            DumpCall batch{
                .kind = "coalesced", .group = "1", .seq = seq, .created_ms = 1.0 * seq, .completed_ms = seq + 0.5};
            batch.of_messages = true;
            job.calls({0, 1}, batch);
        }
        job.calls({0, 1}, open("all_reduce", "0", 1, 5)).only_active();
        const Hang hang = job.hang();
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{2});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{});
        QCOMPARE(hang.rank(0)->open_calls, std::size_t{1});
    }

    void aDumpOfAnotherDayNeitherConvictsNorClears_data() {
        QTest::addColumn<int>("callsOfYesterday");
        QTest::newRow("fewer calls than today") << 1;
        QTest::newRow("more calls than today") << 9;
    }
    void aDumpOfAnotherDayNeitherConvictsNorClears() {
        // The dump of 2 is left over from yesterday, by when that launch had made some calls.
        QFETCH(int, callsOfYesterday);
        DumpedJob job(3);
        for (int seq = 1; seq <= callsOfYesterday; ++seq)
            job.calls({2}, finished("all_reduce", "0", seq, seq));
        job.calls({2}, open("all_reduce", "0", callsOfYesterday + 1, callsOfYesterday + 1));
        job.calls({0, 1}, finished("all_reduce", "0", 1, 86'400'000))
            .calls({0, 1}, open("all_reduce", "0", 2, 86'400'001));
        const Hang hang = job.hang();
        QCOMPARE(hang.problem, HangProblem::no_dump);
        QCOMPARE(hang.waiting, (Ranks{0, 1}));
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(hang, HangVerdict::possible), Ranks{2});
        QVERIFY(english(hang.rank(2)->why).starts_with("Its dump is of an earlier launch."));
        QVERIFY(std::ranges::any_of(hang.notes, [](const Message& note) {
            return english(note).starts_with("The dump of rank 2 ends hours before the oldest open call");
        }));
    }

    void dumpsInJsonAreJudgedAlike() {
        DumpedJob job(4);
        job.calls(up_to(4), finished("all_reduce", "0", 1, 1)).calls({0, 1, 3}, open("all_reduce", "0", 2, 2));
        job.only_active(); // so that only the status tells
        QTemporaryDir folder;
        job.write(folder.path().toStdString(), "comm_lib_trace_rank_", true);
        const auto run = load_run(folder.path().toStdString());
        QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
        QCOMPARE(ranks_with(*find_hang(**run), HangVerdict::culprit), Ranks{2});
    }

    void allThatIsFinishedIsNoHang() {
        DumpedJob job(2);
        job.calls({0, 1}, finished("all_reduce", "0", 1, 1));
        QVERIFY(english(hang_headline(job.hang())).starts_with("No call is open"));
        job.only_active(); // the status tells it
        QVERIFY(english(hang_headline(job.hang())).starts_with("No call is open"));
        job.without_status(); // an empty buffer looks the same
        QVERIFY(!job.hang().first_stuck);
        QCOMPARE(english(hang_headline(job.hang())),
                 std::string("Whether the job hangs is not known: the dumps of ranks 0 and 1 hold neither calls nor a "
                             "pg_status."));
        DumpedJob missing(3);
        missing.calls({0, 1}, finished("all_reduce", "0", 1, 1)).crash(2);
        QVERIFY(!missing.hang().first_stuck);
        QCOMPARE(english(hang_headline(missing.hang())),
                 std::string("Whether the job hangs is not known: rank 2 left no dump."));
    }

    void aStatusTellsOfAnOpenCallThatNoDumpHolds() {
        auto contents = dumps_of(job_that_hangs(), 4);
        for (auto& content : contents)
            content["entries"] = nlohmann::ordered_json::array();
        const Hang hang = hang_in(contents);
        QVERIFY(hang.first_stuck);
        QCOMPARE(hang.problem, HangProblem::missing);
        QCOMPARE(hang.waiting, (Ranks{0, 1, 3}));
        QCOMPARE(hang.absent, Ranks{2});
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{});
        QCOMPARE(english(hang_headline(hang)),
                 std::string("The job hangs in call or message 2 of group 0 (default_pg), perhaps because of "
                             "rank 2; 3 others wait."));
        QVERIFY(std::ranges::any_of(hang.notes, [](const Message& note) {
            return english(note).ends_with("If it counts messages, each rank may wait in another one.");
        }));
        // 0 waits for 1 in A, 1 for 2 in B: only 2 waits nowhere.
        DumpedJob chain(3);
        chain.group("1", "A", {0, 1}).group("2", "B", {1, 2});
        chain.calls({0, 1}, finished("all_reduce", "1", 1, 0)).calls({1, 2}, finished("all_reduce", "2", 1, 0));
        chain.call(0, open("all_reduce", "1", 2, 1)).call(1, open("all_reduce", "2", 2, 1));
        contents = dumps_of(chain, 3);
        for (auto& content : contents)
            content["entries"] = nlohmann::ordered_json::array();
        const Hang chained = hang_in(contents);
        QCOMPARE(ranks_with(chained, HangVerdict::possible), Ranks{2});
        QCOMPARE(ranks_with(chained, HangVerdict::victim), (Ranks{0, 1}));
        QCOMPARE(chained.first_stuck->description, std::string("B"));
        // All have called it.
        DumpedJob all(2);
        all.calls({0, 1}, finished("all_reduce", "0", 1, 1)).calls({0, 1}, open("all_reduce", "0", 2, 2));
        contents = dumps_of(all, 2);
        for (auto& content : contents)
            content["entries"] = nlohmann::ordered_json::array();
        QCOMPARE(hang_in(contents).problem, HangProblem::stuck_inside);
        QCOMPARE(ranks_with(hang_in(contents), HangVerdict::possible), (Ranks{0, 1}));
        // What an entry shows as finished is finished, though the status is behind.
        DumpedJob fine(2);
        fine.calls({0, 1}, finished("all_reduce", "0", 1, 1)).calls({0, 1}, finished("all_reduce", "0", 2, 2));
        contents = dumps_of(fine, 2);
        for (auto& [uid, status] : contents[0]["pg_status"].items())
            status["last_completed_collective"] = 1;
        QVERIFY(english(hang_headline(hang_in(contents))).starts_with("No call is open"));
    }

    void callsThatCannotBeReadClearAndConvictNobody() {
        auto contents = dumps_of(job_that_hangs(), 4);
        for (auto& content : contents) {
            content.erase("pg_status");
            for (auto& entry : content["entries"])
                entry.erase("profiling_name");
        }
        const Hang all = hang_in(contents);
        QVERIFY(!all.first_stuck);
        QCOMPARE(english(hang_headline(all)),
                 std::string("Whether the job hangs is not known: 7 calls in the dumps of ranks 0 "
                             "to 3 could not be read."));
        // Rank 2 made the second call too; its entry is damaged.
        DumpedJob job(4);
        job.calls(up_to(4), finished("all_reduce", "0", 1, 1)).calls(up_to(4), open("all_reduce", "0", 2, 2));
        contents = dumps_of(job, 4);
        contents[2].erase("pg_status");
        contents[2]["entries"][1]["collective_seq_id"] = nullptr;
        const Hang one = hang_in(contents);
        QVERIFY(one.first_stuck);
        QCOMPARE(ranks_with(one, HangVerdict::culprit), Ranks{});
        QCOMPARE(ranks_with(one, HangVerdict::possible), Ranks{2});
    }

    void aDumpThatCannotBeReadIsNotMissing() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        job_that_hangs().write(path);
        fs::resize_file(path / "nccl_trace_rank_1", fs::file_size(path / "nccl_trace_rank_1") / 2);
        fs::resize_file(path / "nccl_trace_rank_3", 0);
        const auto run = load_run(path);
        QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
        const auto hang = find_hang(**run);
        QCOMPARE(hang->no_dump, Ranks{});
        QCOMPARE(ranks_with(*hang, HangVerdict::culprit), Ranks{2});
        bool told = false;
        for (const std::string& sentence : english(hang_sentences(*hang))) {
            QVERIFY2(sentence.find("left no dump") == std::string::npos, sentence.c_str());
            told |= sentence.starts_with("The dumps of ranks 1 and 3 are there and cannot be read");
        }
        QVERIFY(told);
        QVERIFY(english(hang->rank(1)->why).starts_with("Its dump is there and cannot be read."));
    }

    void aMessageSaysWhoCountsIt() {
        // In a group of four each end counts all its own messages: 3's third from 2 is 2's fourth.
        DumpedJob job(4);
        job.group("1", "PP", up_to(4));
        job.call(2, message("send", "1", 4, 3, 1)).call(3, finished("barrier", "1", 1, 0));
        QCOMPARE(english(hang_call_text(*job.hang().first_stuck)),
                 std::string("message 4 (as rank 2 counts) from rank 2 to rank 3 in group 1 (PP)"));
        DumpedJob two(2);
        two.call(0, message("send", "0", 1, 1, 1)).call(1, finished("barrier", "0", 1, 0));
        QCOMPARE(english(hang_call_text(*two.hang().first_stuck)),
                 std::string("message 1 from rank 0 to rank 1 in group 0 (default_pg)"));
    }

    void groupsOfOldDumpsAreFoundByName() {
        // "pg_name" where newer versions write "process_group": name and description.
        DumpedJob job(4);
        job.group("1", "TP", {0, 1}).group("2", "TP", {2, 3});
        job.calls(up_to(4), finished("all_reduce", "0", 1, 1)).calls({2, 3}, finished("all_reduce", "2", 1, 2));
        job.call(2, open("all_reduce", "2", 2, 3));
        auto contents = dumps_of(job, 4);
        for (auto& content : contents)
            for (auto& entry : content["entries"]) {
                entry["pg_name"] = entry["process_group"][0];
                entry.erase("process_group");
                entry.erase("pg_id");
            }
        const Hang hang = hang_in(contents);
        QCOMPARE(ranks_with(hang, HangVerdict::culprit), Ranks{3});
        QCOMPARE(hang.first_stuck->description, std::string("TP"));
        for (const std::string& note : english(hang.notes))
            QVERIFY2(note.find("do not list the members") == std::string::npos, note.c_str());
    }

    void injectedFaultsAreFound_data() {
        QTest::addColumn<QByteArray>("folder");
        QTest::addColumn<QList<int>>("culprits");
        QTest::newRow("gpu_error_1st") << QByteArray("gpu_error_1st") << QList<int>{12, 14};
        QTest::newRow("lock_gil_1st") << QByteArray("lock_gil_1st") << QList<int>{9, 14};
    }
    void injectedFaultsAreFound() {
        QFETCH(QByteArray, folder);
        QFETCH(QList<int>, culprits);
        const fs::path path = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "flight_recorder" / folder.toStdString();
        if (!fs::exists(path))
            QSKIP("the shared traces are not here");
        const auto run = load_run(path);
        QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
        QCOMPARE((*run)->source, TraceSource::flight_recorder);
        QCOMPARE((*run)->ranks.size(), std::size_t{16});
        QVERIFY((*run)->missing_ranks.empty());
        const auto hang = find_hang(**run);
        QVERIFY(hang != nullptr);
        const Ranks found = ranks_with(*hang, HangVerdict::culprit);
        QCOMPARE(QList<int>(found.begin(), found.end()), culprits);
        QCOMPARE(ranks_with(*hang, HangVerdict::possible), Ranks{});
        QCOMPARE(ranks_with(*hang, HangVerdict::victim).size(), std::size_t{14});
    }

    void aThousandRanksAreReadAndJudged() {
        // A tenth of what rankscope_bench_hang measures: 16 of 1 024 ranks stop, and all others wait.
        LargeHang job;
        job.calls = 200;
        Ranks stopped;
        for (int rank = 5; rank < job.ranks(); rank += 64)
            stopped.push_back(rank);
        job.stopped.insert(stopped.begin(), stopped.end());
        QTemporaryDir folder;
        write_large_hang(job, folder.path().toStdString());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
        const auto hang = find_hang(**run);
        QCOMPARE(ranks_with(*hang, HangVerdict::culprit), stopped);
        QCOMPARE(ranks_with(*hang, HangVerdict::possible), Ranks{});
        QCOMPARE(ranks_with(*hang, HangVerdict::victim).size(), static_cast<std::size_t>(job.ranks()) - stopped.size());
        QCOMPARE((*run)->ranks.front()->flight_recorder->calls.size(), static_cast<std::size_t>(job.calls));
    }
};

RANKSCOPE_TEST(TestHang)

} // namespace rankscope::hang_test

#include "test_hang.moc"
