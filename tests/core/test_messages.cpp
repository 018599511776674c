// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between two ranks: which receive belongs to which send, what their ends tell about clocks, and what waits
// for what where a send leaves without its receiver.
#include <QtTest>

#include "core/analysis/collectives/call_alignment.h"
#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/graph/step_graph.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::messages_test {

namespace {

struct Span {
    double start_us = 0;
    double dur_us = 0;
};
using Spans = std::vector<Span>;

CollectiveCall message(bool sends, int from, int to) {
    CollectiveCall call;
    call.collective = sends ? "send" : "recv";
    call.in_elements = call.out_elements = 1024;
    call.group = {"1", "mesh_pp", {0, 1}, 2};
    (sends ? call.destination_rank : call.source_rank) = sends ? to : from;
    return call;
}

/// Messages from rank 0 to rank 1, and back, with the clock of rank 1 this far ahead.
CollectiveMatching exchange(const Spans& sends, const Spans& receives, const Spans& back_sends,
                            const Spans& back_receives, double ahead_us, std::vector<TimeNs>& offsets) {
    TraceBuilder r0(0);
    TraceBuilder r1(1);
    for (TraceBuilder* rank : {&r0, &r1})
        rank->base(1'000'000'000);
    for (const Span& span : sends)
        r0.collective("ncclDevKernel_SendRecv", 20, span.start_us, span.dur_us, message(true, 0, 1));
    for (const Span& span : receives)
        r1.collective("ncclDevKernel_SendRecv", 20, span.start_us + ahead_us, span.dur_us, message(false, 0, 1));
    for (const Span& span : back_sends)
        r1.collective("ncclDevKernel_SendRecv", 21, span.start_us + ahead_us, span.dur_us, message(true, 1, 0));
    for (const Span& span : back_receives)
        r0.collective("ncclDevKernel_SendRecv", 21, span.start_us, span.dur_us, message(false, 1, 0));
    const auto run = make_run({r0, r1});
    const RunAnalysis analysis(run, {});
    offsets = offsets_by_messages(analysis.collectives(), analysis.clock());
    return analysis.collectives();
}

CallKey key(MessageEnd end, double start_us, double end_us) {
    return {1, {static_cast<TimeNs>(start_us * 1000), static_cast<TimeNs>(end_us * 1000)}, false, -1, end};
}

std::vector<CallKey> keys(MessageEnd end, const Spans& spans) {
    std::vector<CallKey> result;
    for (const Span& span : spans)
        result.push_back(key(end, span.start_us, span.start_us + span.dur_us));
    return result;
}

/// Rank 0 sends at 200 and 1000 us what rank 1 receives at 30 450 and 950 us; each computes before and after.
StepGraph late_then_early(std::shared_ptr<const Run>& run, double first_receive_us) {
    TraceBuilder sender(0);
    TraceBuilder receiver(1);
    for (TraceBuilder* rank : {&sender, &receiver})
        rank->step(1, 0, 3000);
    sender.launch(10, 5).kernel("gemm", 7, 100, 100);
    sender.launch(20, 5).collective("ncclDevKernel_SendRecv", 20, 200, 10, message(true, 0, 1));
    sender.launch(30, 5).kernel("gemm", 7, 200, 800);
    sender.launch(40, 5).collective("ncclDevKernel_SendRecv", 20, 1000, 10, message(true, 0, 1));
    receiver.launch(10, 5).kernel("gemm", 7, 50, first_receive_us - 50);
    receiver.launch(20, 5).collective("ncclDevKernel_SendRecv", 20, first_receive_us, 4, message(false, 0, 1));
    receiver.launch(30, 5).kernel("gemm", 7, first_receive_us + 4, 400);
    receiver.launch(40, 5).collective("ncclDevKernel_SendRecv", 20, first_receive_us + 404,
                                      1010 - first_receive_us - 404, message(false, 0, 1));
    receiver.launch(50, 5).kernel("gemm", 7, 1010, 200);
    run = make_run({sender, receiver});
    return RunAnalysis(run, {}).step_graph();
}

/// Nodes of that kind, by start.
std::vector<std::uint32_t> nodes_of(const StepGraph& graph, NodeKind kind, std::uint32_t rank) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t n = 0; n < graph.size(); ++n)
        if (graph.kind[n] == kind && graph.rank[n] == rank)
            nodes.push_back(n);
    std::ranges::sort(nodes, {}, [&](std::uint32_t n) { return graph.start[n]; });
    return nodes;
}

} // namespace

class TestMessages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Two ranks that share no collective, on machines whose clocks are 100 ms apart: a message ends together.
    void messagesAlignClocksThatNoCollectiveJoins() {
        const auto run_with = [](double ahead_us) {
            TraceBuilder sender(0);
            TraceBuilder receiver(1);
            for (int i = 0; i < 4; ++i) {
                sender.collective("ncclDevKernel_SendRecv", 20, 1000.0 * i, 30, message(true, 0, 1));
                receiver.collective("ncclDevKernel_SendRecv", 20, 1000.0 * i + 10 + ahead_us, 20, message(false, 0, 1));
                receiver.collective("ncclDevKernel_SendRecv", 21, 1000.0 * i + 500 + ahead_us, 30, message(true, 1, 0));
                sender.collective("ncclDevKernel_SendRecv", 21, 1000.0 * i + 505, 25, message(false, 1, 0));
            }
            return make_run({sender, receiver});
        };
        const auto apart = run_with(100'000);
        QCOMPARE(RunAnalysis(apart, {}).clock().offset, (std::vector<TimeNs>{0, 100'000'000}));
        QVERIFY(RunAnalysis(apart, {}).clock().applied);
        QCOMPARE(RunAnalysis(apart, {}).length(), TimeNs{3'530'000});
        QCOMPARE(RunAnalysis(apart, {}, Align::none).clock().offset, (std::vector<TimeNs>{0, 0}));
        QVERIFY(!RunAnalysis(run_with(0), {}).clock().applied);
    }

    void theNthMessageIsReceivedNthHoweverLate() {
        const auto sends = keys(MessageEnd::send, {{0, 10}, {1000, 10}, {2000, 10}});
        const auto receives = keys(MessageEnd::receive, {{15'000, 3}, {31'000, 3}, {52'000, 3}});
        const std::vector<std::pair<std::uint32_t, std::uint32_t>> in_order{{0, 0}, {1, 1}, {2, 2}};
        QVERIFY(align_calls(sends, receives).pairs == in_order);
        QVERIFY(align_calls(receives, sends).pairs == in_order);
        // Received before it was sent: whatever these are, they are not these messages.
        const auto before = keys(MessageEnd::receive, {{15'000, 3}, {31'000, 3}, {32'000, 3}});
        const auto after = keys(MessageEnd::send, {{0, 10}, {1000, 10}, {62'000, 10}});
        QVERIFY(align_calls(after, before, TimeNs{0}).pairs != in_order);
        // One was lost, and nothing tells which.
        const auto two = keys(MessageEnd::receive, {{15'000, 3}, {52'000, 3}});
        QVERIFY(align_calls(sends, two, TimeNs{0}).pairs.empty());
    }

    void lateReceivesDoNotMoveClocks() {
        std::vector<TimeNs> offsets;
        const CollectiveMatching matching =
            exchange({{100, 10}, {1100, 10}, {2100, 10}}, {{400, 3}, {1700, 3}, {2500, 3}},
                     {{600, 10}, {1900, 10}, {2700, 10}}, {{900, 3}, {2000, 3}, {3000, 3}}, 0, offsets);
        QCOMPARE(matching.matched.size(), std::size_t{6});
        QCOMPARE(matching.partial, 0);
        QCOMPARE(offsets, (std::vector<TimeNs>{0, 0}));
    }

    /// Twelve messages of 94 us, 10 ms apart. Rank 1's clock is 3 ms ahead at the first and gains 1 ms a second. Every
    /// third receive comes late and ends at once.
    void clocksThatOnlyMessagesJoinAreAlignedByLines() {
        TraceBuilder sender(0);
        TraceBuilder receiver(1);
        for (TraceBuilder* rank : {&sender, &receiver})
            rank->base(1'000'000'000);
        for (int i = 0; i < 12; ++i) {
            const double start = 10'000.0 * i;
            const double ahead = 3000 + 1e-3 * start;
            sender.collective("ncclDevKernel_SendRecv", 20, start, 94, message(true, 0, 1));
            if (i % 3 == 2)
                receiver.collective("ncclDevKernel_SendRecv", 20, start + ahead + 2000, 3, message(false, 0, 1));
            else
                receiver.collective("ncclDevKernel_SendRecv", 20, start + ahead - 500, 594, message(false, 0, 1));
        }
        const RunAnalysis analysis(make_run({sender, receiver}), {});
        const ClockAlignment clock = joined_by_messages(analysis.collectives(), analysis.clock());
        QVERIFY(clock.applied);
        QVERIFY(std::abs(clock.drift.at(1) - 1e-3) < 1e-5);
        for (const TimeNs time : {1'000'094'000, 1'040'094'000, 1'100'094'000}) {
            const TimeNs on_receiver = time + 3'000'000 + (time - 1'000'094'000) / 1000;
            QVERIFY(std::abs(clock.aligned(1, on_receiver) - clock.aligned(0, time)) < 5000);
        }
    }

    /// As above without a drift.
    void receivesThatComeLateAreNoDrift() {
        TraceBuilder sender(0);
        TraceBuilder receiver(1);
        for (int i = 0; i < 12; ++i) {
            const double start = 10'000.0 * i;
            sender.collective("ncclDevKernel_SendRecv", 20, start, 94, message(true, 0, 1));
            receiver.collective("ncclDevKernel_SendRecv", 20, start + 100.0 * i, 3, message(false, 0, 1));
        }
        const RunAnalysis analysis(make_run({sender, receiver}), {});
        QVERIFY(joined_by_messages(analysis.collectives(), analysis.clock()).drift.empty());
    }

    void clocksThatMessagesOfBothWaysContradictAreMoved() {
        // Every message ends together at both ends, by a clock that is 700 us ahead.
        std::vector<TimeNs> offsets;
        exchange({{100, 10}, {1100, 10}, {2300, 10}}, {{50, 60}, {1000, 110}, {2200, 110}},
                 {{600, 10}, {1900, 10}, {2700, 10}}, {{500, 110}, {1800, 110}, {2600, 110}}, 700, offsets);
        QCOMPARE(offsets, (std::vector<TimeNs>{0, 700'000}));
    }

    void aSendThatLeavesWithoutItsReceiverWaitsForNobody() {
        std::shared_ptr<const Run> run;
        const StepGraph graph = late_then_early(run, 450);
        QCOMPARE(replay(graph, graph.times), graph.start); // as recorded
        const auto sends = nodes_of(graph, NodeKind::message, 0);
        QCOMPARE(sends.size(), std::size_t{2}); // the second's receive was there first: it is the same connection
        QCOMPARE(nodes_of(graph, NodeKind::arrival, 1).size(), std::size_t{2});
        QVERIFY(nodes_of(graph, NodeKind::lone_communication, 0).empty());

        // A receiver that is 300 us later delays itself alone.
        GraphTimes times = graph.times;
        times.duration[nodes_of(graph, NodeKind::compute, 1).front()] += 300'000;
        std::vector<TimeNs> start = replay(graph, times);
        for (const std::uint32_t n : nodes_of(graph, NodeKind::compute, 0))
            QCOMPARE(start[n], graph.start[n]);
        for (const std::uint32_t n : sends)
            QCOMPARE(start[n], graph.start[n]);
        QCOMPARE(start[nodes_of(graph, NodeKind::compute, 1)[1]], TimeNs{754'000});

        // A sender that is 300 us later is not noticed by the late receive (it would be 250 us later), and delays the
        // one that waits.
        times = graph.times;
        times.duration[nodes_of(graph, NodeKind::compute, 0).front()] += 300'000;
        start = replay(graph, times);
        const auto computed = nodes_of(graph, NodeKind::compute, 1);
        QCOMPARE(start[computed[1]], TimeNs{514'000}); // 200 + 300 + 10 is there, and 4 to take it
        QCOMPARE(start[computed[2]], TimeNs{1'310'000});
    }

    void sendsThatEndWithTheirReceivesWaitForThem() {
        std::shared_ptr<const Run> run;
        const StepGraph graph = late_then_early(run, 206); // both messages overlap: nothing says that they need not
        QVERIFY(nodes_of(graph, NodeKind::message, 0).empty());
        QCOMPARE(nodes_of(graph, NodeKind::arrival, 0).size(), std::size_t{2});
    }

    /// Rank 1 is late to what rank 0 sends it, so that one is seen to leave. Rank 3 is never late to the same from rank
    /// 2, or late to most of it while the send lasts.
    void messagesOfOneSizeLeaveInOneWay_data() {
        QTest::addColumn<bool>("waits");
        QTest::addColumn<int>("left"); // messages of rank 2
        QTest::newRow("nothing tells of rank 2") << false << 3;
        QTest::newRow("most sends of rank 2 wait") << true << 0;
    }
    void messagesOfOneSizeLeaveInOneWay() {
        QFETCH(bool, waits);
        QFETCH(int, left);
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 4; ++rank)
            ranks.emplace_back(rank).world_size(4).step(1, 0, 4000);
        const auto add = [&](int rank, int call, double start, double duration) {
            const int first = rank / 2 * 2; // of the pair
            CollectiveCall sent = message(rank == first, first, first + 1);
            sent.group = {std::to_string(first), "mesh_pp", {first, first + 1}, 2};
            ranks[static_cast<std::size_t>(rank)]
                .launch(10 + 10 * call, 5)
                .collective("ncclDevKernel_SendRecv", 20, start, duration, sent);
        };
        for (int call = 0; call < 3; ++call) {
            const double at = 1000.0 * (call + 1);
            const bool late = waits && call > 0;
            add(0, call, at, 10);
            add(1, call, at + 100 + 200 * call, 4); // else the clocks might differ by that
            add(2, call, at, late ? 304 : 10);
            add(3, call, late ? at + 294 : at - 200, late ? 10 : 210);
        }
        const auto run = make_run(ranks);
        const RunAnalysis analysis(run, {});
        const StepGraph& graph = analysis.step_graph();
        QCOMPARE(nodes_of(graph, NodeKind::message, 0).size(), std::size_t{3});
        QCOMPARE(nodes_of(graph, NodeKind::message, 2).size(), static_cast<std::size_t>(left));
    }

    void callsLaunchedBeforeTheRecordingAreMatchedWithNone() {
        // Their groups are not recorded. By stream and time they would fit; that proves nothing.
        CollectiveCall reduce = message(true, 0, 1);
        reduce.collective = "allreduce";
        reduce.destination_rank = -1;
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 2; ++r) {
            TraceBuilder rank(r);
            rank.step(1, 0, 1000);
            rank.kernel("ncclDevKernel_AllReduce", 20, 20, 50);
            rank.launch(100, 5).collective("ncclDevKernel_AllReduce", 20, 200, 50, reduce);
            ranks.push_back(rank);
        }
        const RunAnalysis analysis(make_run(ranks), {});
        QCOMPARE(analysis.collectives().matched.size(), std::size_t{1});
        QCOMPARE(analysis.collectives().calls[0].size(), std::size_t{2});
        QCOMPARE(analysis.collectives().partial, 0);
    }
};

RANKSCOPE_TEST(TestMessages)

} // namespace rankscope::messages_test

#include "test_messages.moc"
