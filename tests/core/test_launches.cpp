// SPDX-License-Identifier: GPL-3.0-or-later
// Launch delays, queue lengths and short kernels worked out by hand.
#include <QtTest>

#include "core/analysis/gpu/launches.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::launches_test {

namespace {

LaunchAnalysis launches(const TraceBuilder& rank) { return RunAnalysis(make_run({rank}), {}).launches()[0]; }

} // namespace

class TestLaunches : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void delaysRunFromTheStartAndFromTheEndOfTheCall() {
        // call 0..4, kernel 10..40: delay 10, after the call 6. call 20..23, kernel 22..27 starts inside its call:
        // delay 2, after the call 0. Means 6 and 3; calls 4 and 3; kernels 30 and 5, of which one is under 10 and both
        // are under 50.
        const LaunchAnalysis l = launches(TraceBuilder(0)
                                              .launch(0, 4)
                                              .kernel("a", 7, 10, 30)
                                              .launch(20, 3)
                                              .kernel("b", 9, 22, 5)
                                              .kernel("unlaunched", 7, 60, 90));
        QCOMPARE(l.delay.count, std::int64_t{2});
        QCOMPARE(l.delay.mean, 6000.0);
        QCOMPARE(l.delay.max, TimeNs{10'000});
        QCOMPARE(l.delay.p50, TimeNs{2'000}); // nearest rank: the first of two
        QCOMPARE(l.after_call.mean, 3000.0);
        QCOMPARE(l.call.mean, 3500.0);
        QCOMPARE(l.gpu.sum, TimeNs{35'000});
        QCOMPARE(l.without_launch, std::int64_t{1});
        QCOMPARE(l.kernels, std::int64_t{3});
        QCOMPARE(l.short_kernels[0].count, std::int64_t{1});
        QCOMPARE(l.short_kernels[0].time, TimeNs{5'000});
        QCOMPARE(l.short_kernels[1].count, std::int64_t{2});
        QCOMPARE(l.short_kernels[1].time, TimeNs{35'000});
    }

    void theQueueGrowsAtLaunchesAndShrinksAtStarts() {
        // Launches at 0, 2, 4; starts at 4, 10, 20. Length 1 in 0..2, 2 in 2..10 (at 4 one comes and one goes), 1
        // in 10..20, then 0. Mean over 0..20: (1·2 + 2·8 + 1·10) / 20 = 1.4.
        const auto run = make_run({TraceBuilder(0)
                                       .launch(0, 1)
                                       .kernel("a", 7, 4, 6)
                                       .launch(2, 1)
                                       .kernel("b", 7, 10, 10)
                                       .launch(4, 1)
                                       .kernel("c", 7, 20, 5)});
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.launches()[0].queues.size(), std::size_t{1});
        const StreamQueue& queue = analysis.launches()[0].queues[0];
        QCOMPARE(queue.longest, std::int64_t{2});
        QCOMPARE(queue.mean, 1.4);
        QCOMPARE(queue.time, TimeNs{20'000});
        QCOMPARE(queue.empty, TimeNs{0});
        std::vector<std::int64_t> lengths;
        for (const QueuePoint& point : queue_length(*run->ranks[0], analysis.ranks()[0].gpu_work, 0, 7))
            lengths.push_back(point.length);
        QCOMPARE(lengths, (std::vector<std::int64_t>{1, 2, 2, 1, 0}));
    }

    void aQueueOfItsCapacityIsFull() {
        // 1030 launches, one a microsecond from 0; the first kernel starts at 2000, the others follow one a
        // microsecond. The queue reaches 1024 at 1023, holds until it falls below at the 7th start (1030 - 7 = 1023) at
        // 2006: 983 us.
        TraceBuilder rank(0);
        for (int i = 0; i < 1030; ++i)
            rank.launch(i, 1).kernel("k", 7, 2000 + i, 1);
        const StreamQueue queue = launches(rank).queues.at(0);
        QCOMPARE(queue.longest, std::int64_t{1030});
        QCOMPARE(queue.full, TimeNs{983'000});
    }

    void aGraphLaunchCountsOnce() {
        const LaunchAnalysis l = launches(TraceBuilder(0)
                                              .launch(0, 5, "cudaGraphLaunch")
                                              .kernel("a", 7, 10, 2)
                                              .correlation(99)
                                              .runtime("cudaGraphLaunch", 1, 2)
                                              .correlation(99)
                                              .kernel("b", 7, 20, 2)
                                              .correlation(99));
        QCOMPARE(l.delay.count, std::int64_t{1});
        QCOMPARE(l.delay.sum, TimeNs{9'000}); // from the call at 1 to the first kernel
        QCOMPARE(l.queues.at(0).launches, std::int64_t{1});
    }

    void theMetricIsTheMeanOverAllRanks() {
        // Delays 10 on one rank, 2 and 3 on the other: 5.
        const std::vector<std::string> ids{"launch_stats"};
        const auto value = [&](const std::vector<TraceBuilder>& ranks) {
            return compute_metrics(RunAnalysis(make_run(ranks), {}), ids).entries.at(0).result;
        };
        const MetricResult result =
            value({TraceBuilder(0).launch(0, 1).kernel("a", 7, 10, 5),
                   TraceBuilder(1).launch(0, 1).kernel("a", 7, 2, 1).launch(5, 1).kernel("b", 7, 8, 60)});
        QCOMPARE(result.value, 5.0);
        QCOMPARE(result.details["short_kernels_10us"]["count"].get<int>(), 2);
        QCOMPARE(result.details["short_kernels_50us"]["count_percent"].get<double>(), 66.666667);
        QVERIFY(!value({TraceBuilder(0).kernel("a", 7, 10, 5)}).available);
    }
};

RANKSCOPE_TEST(TestLaunches)

} // namespace rankscope::launches_test

#include "test_launches.moc"
