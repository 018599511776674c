// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers that divide a link, worked out by hand. A link carries one of them in 100 us, and two at one time in 200.
#include <QTest>

#include "core/analysis/replay/replays.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::shared_links_test {

namespace {

CollectiveCall call_of(const std::vector<int>& ranks) {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = 1 << 20;
    call.group = {std::to_string(ranks.front()) + std::to_string(ranks.back()), "", ranks,
                  static_cast<int>(ranks.size())};
    return call;
}

constexpr int kRounds = 10;
constexpr double kRound = 2000; ///< us
constexpr int kApart = 5;       ///< rounds in which the two calls of rank 0 do not meet

/// At the start of each round rank 0 reduces with rank 1, and is ready to reduce with rank 2. That comes after 500 us
/// of work on the same stream: 400 us later in the first rounds, and in the others at the same time. met: what the two
/// take then; second: what that with rank 2 takes alone.
RunAnalysis run_with(double first_met, double second_met, double second = 100) {
    const CollectiveCall with_1 = call_of({0, 1});
    const CollectiveCall with_2 = call_of({0, 2});
    std::vector<TraceBuilder> ranks;
    for (int r = 0; r < 3; ++r)
        ranks.emplace_back(r).world_size(3);
    for (int round = 0; round < kRounds; ++round) {
        const bool apart = round < kApart;
        const double at = 1000 + kRound * round;
        const double later = at + (apart ? 400 : 0);
        for (const int r : {0, 1})
            ranks[static_cast<std::size_t>(r)].collective("ncclDevKernel_AllReduce", 20, at, apart ? 100 : first_met,
                                                          with_1);
        ranks[2].kernel("gemm", 21, later - 500, 500);
        const double time = apart ? second : second_met;
        ranks[0].collective("ncclDevKernel_AllReduce", 21, at, later + time - at, with_2); // waits for rank 2
        ranks[2].collective("ncclDevKernel_AllReduce", 21, later, time, with_2);
    }
    return RunAnalysis(make_run(ranks), {});
}

/// The transfers of the call of rank 0 with that rank, in order.
std::vector<std::uint32_t> transfers_with(const RunAnalysis& analysis, int rank) {
    std::vector<std::uint32_t> nodes;
    for (const CommunicationNode& node : analysis.communication())
        if (analysis.collectives().groups[node.group].ranks == std::vector<int>{0, rank})
            nodes.push_back(node.node);
    return nodes;
}

/// The replay with another time for the work that rank 2 does before its call of the round, and that call faster.
Replays::Replayed replayed_with_work(const RunAnalysis& analysis, int round, TimeNs work, double faster = 1) {
    const StepGraph& graph = analysis.step_graph();
    GraphTimes times = graph.times;
    int own = 0;
    for (std::uint32_t n = graph.first_gpu_node[2]; n < graph.first_node[3]; ++n)
        if (graph.kind[n] == NodeKind::compute && own++ == round)
            times.duration[n] = work;
    TimeNs& time = times.duration[transfers_with(analysis, 2)[static_cast<std::size_t>(round)]];
    time = std::llround(static_cast<double>(time) / faster);
    return Replays(graph, nullptr, &analysis.shared_links()).replayed(times);
}

} // namespace

class TestSharedLinks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatTransfersLoseIsMeasuredInTheRun() {
        const RunAnalysis analysis = run_with(200, 200);
        const StepGraph& graph = analysis.step_graph();
        const std::vector<double> alone = analysis.shared_links().alone(graph);
        for (const int rank : {1, 2}) {
            const std::vector<std::uint32_t> transfers = transfers_with(analysis, rank);
            QCOMPARE(transfers.size(), std::size_t{kRounds});
            for (const std::uint32_t node : transfers)
                QCOMPARE(std::llround(static_cast<double>(graph.times.duration[node]) * alone[node]), 100'000);
        }
    }

    void transfersThatLoseNothingShareNoLink() { QVERIFY(run_with(100, 100).shared_links().empty()); }

    void thoseThatNoLongerMeetAreFast() {
        const RunAnalysis analysis = run_with(200, 200);
        const Replays::Replayed now = replayed_with_work(analysis, kApart, 900'000);
        for (const int rank : {1, 2})
            QCOMPARE(now.times.duration[transfers_with(analysis, rank)[kApart]], TimeNs{100'000});
    }

    void thoseThatMeetAreSlow() {
        const RunAnalysis analysis = run_with(200, 200);
        const Replays::Replayed now = replayed_with_work(analysis, 0, 100'000);
        for (const int rank : {1, 2})
            QCOMPARE(now.times.duration[transfers_with(analysis, rank)[0]], TimeNs{200'000});
    }

    /// The second starts 50 us after the first: these 50 are done, the other 50 take 100, and so do the second's first
    /// 50; its last 50 it has for itself.
    void thoseThatMeetForAWhileAreSlowForIt() {
        const RunAnalysis analysis = run_with(200, 200);
        const Replays::Replayed now = replayed_with_work(analysis, 0, 150'000);
        for (const int rank : {1, 2})
            QCOMPARE(now.times.duration[transfers_with(analysis, rank)[0]], TimeNs{150'000});
    }

    /// The second uses a quarter of the link, so the first has three quarters: 133.3 us. As fast as the first, it takes
    /// half.
    void aSlowOneLeavesTheRestAndTakesMoreWhenItIsFast() {
        const RunAnalysis analysis = run_with(400 / 3.0, 400, 400);
        const std::uint32_t first = transfers_with(analysis, 1)[kApart];
        const std::uint32_t second = transfers_with(analysis, 2)[kApart];
        const std::vector<double> alone = analysis.shared_links().alone(analysis.step_graph());
        QCOMPARE(std::llround(static_cast<double>(analysis.step_graph().times.duration[first]) * alone[first] / 1000),
                 100);
        QCOMPARE(alone[second], 1.0);
        const Replays::Replayed now = replayed_with_work(analysis, kApart, 500'000, 4);
        for (const std::uint32_t node : {first, second})
            QVERIFY2(std::abs(now.times.duration[node] - 200'000) < 100,
                     qPrintable(QString::number(now.times.duration[node])));
    }

    /// Ranks 1 and 2 reduce; beside it rank 1 does with rank 0, and rank 2 with rank 3. Each of the two ranks divides
    /// its own link by two.
    void othersAtOtherRanksDoNotAddUp() {
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 4; ++r)
            ranks.emplace_back(r).world_size(4);
        const auto reduce = [&](int first, int stream, double at, double time) {
            for (const int r : {first, first + 1})
                ranks[static_cast<std::size_t>(r)].collective("ncclDevKernel_AllReduce", stream, at, time,
                                                              call_of({first, first + 1}));
        };
        for (int round = 0; round < kRounds; ++round) {
            const double at = 1000 + kRound * round;
            reduce(0, 20, at, 100);
            reduce(2, 20, at, 100);
            reduce(1, 21, at + 400, 100);
            reduce(0, 20, at + 800, 200); // two of the three
            reduce(1, 21, at + 800, 200);
            reduce(0, 20, at + 1200, 200); // all
            reduce(1, 21, at + 1200, 200);
            reduce(2, 20, at + 1200, 200);
        }
        const RunAnalysis analysis(make_run(ranks), {});
        const StepGraph& graph = analysis.step_graph();
        const std::vector<double> alone = analysis.shared_links().alone(graph);
        for (const CommunicationNode& node : analysis.communication())
            QCOMPARE(std::llround(static_cast<double>(graph.times.duration[node.node]) * alone[node.node]), 100'000);
    }

    void messagesBothWaysUseDifferentPorts() {
        CommGroup there;
        there.ranks = {0, 1};
        there.point_to_point = true;
        CommGroup back = there;
        back.ranks = {1, 0};
        QCOMPARE(ports_of(there), (std::vector<Port>{{0, true}, {1, false}}));
        QCOMPARE(ports_of(back), (std::vector<Port>{{1, true}, {0, false}}));
    }

    void nothingChangesWhereNothingIsChanged() {
        const RunAnalysis analysis = run_with(200, 200);
        const StepGraph& graph = analysis.step_graph();
        const Replays::Replayed now = Replays(graph, nullptr, &analysis.shared_links()).replayed(graph.times);
        QCOMPARE(now.start, graph.start);
        QCOMPARE(now.times.duration, graph.times.duration);
    }
};

RANKSCOPE_TEST(TestSharedLinks)

} // namespace rankscope::shared_links_test

#include "test_shared_links.moc"
