// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of one kernel name and a collective's peers, against numbers worked out by hand.
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include <QTest>

#include "core/analysis/search/name_statistics.h"
#include "core/views/collective_peers.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::name_statistics_test {

namespace {

/// gemm: 10, 20, 30 us on rank 0, 40 us on rank 1; another name and a CPU operator called gemm do not count.
std::shared_ptr<const Run> gemms() {
    return make_run({TraceBuilder(0)
                         .kernel("gemm", 7, 0, 10)
                         .kernel("gemm", 7, 20, 30)
                         .kernel("gemm", 8, 100, 20)
                         .kernel("relu", 7, 200, 99)
                         .cpu_op("gemm", 0, 500),
                     TraceBuilder(1).kernel("gemm", 7, 0, 40)});
}

EventIndex event_of(const RankTrace& rank, TimeNs duration) {
    for (EventIndex i = 0; i < rank.events.size(); ++i)
        if (rank.events.duration[i] == duration)
            return i;
    return kNoEvent;
}

CollectiveCall all_reduce() {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = 1024;
    call.group = ProcessGroup{"0", "default_pg", {0, 1, 2}, 3};
    return call;
}

} // namespace

class TestNameStatistics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsTheNameOnItsRankAndInTheRun() {
        const auto run = gemms();
        const RankTrace& rank = *run->ranks[0];
        const NameStatistics s = name_statistics(*run, rank, event_of(rank, 20'000));
        QCOMPARE(s.on_rank.count, 3);
        QCOMPARE(s.on_rank.sum, 60'000);
        QCOMPARE(s.on_rank.mean, 20'000.0);
        QCOMPARE(s.on_rank.median, 20'000);
        QCOMPARE(s.in_run.count, 4);
        QCOMPARE(s.in_run.min, 10'000);
        QCOMPARE(s.in_run.max, 40'000);
        QCOMPARE(s.in_run.median, 25'000); // between the middle ones
        QCOMPARE(s.in_run.p95, 40'000);
        QCOMPARE(s.shorter, 1);
        QCOMPARE(s.duration, 20'000);
    }
    void theHistogramCountsEveryEventOnce() {
        const auto run = gemms();
        const RankTrace& rank = *run->ranks[0];
        const DurationHistogram h = name_statistics(*run, rank, event_of(rank, 20'000)).histogram;
        QVERIFY(!h.logarithmic);
        QCOMPARE(std::accumulate(h.counts.begin(), h.counts.end(), std::int64_t{0}), 4);
        QCOMPARE(h.counts.front(), 1);
        QCOMPARE(h.counts.back(), 1);              // the longest, on the last edge
        QCOMPARE(h.counts[kHistogramBars / 3], 1); // 20 is a third of the way from 10 to 40
        QCOMPARE(h.position(25'000), 0.5);
    }
    void anOutlierMakesItLogarithmic() {
        std::vector<TimeNs> durations(99, 1000);
        durations.push_back(100'000);
        const DurationHistogram h = duration_histogram(durations);
        QVERIFY(h.logarithmic);
        QVERIFY(std::abs(h.position(10'000) - 0.5) < 0.001); // 1 to 10 us as 10 to 100 us
        QCOMPARE(h.counts.front(), 99);
    }
    void alikeOnesStandInTheMiddle() {
        const DurationHistogram h = duration_histogram({5, 5, 5});
        QCOMPARE(h.position(5), 0.5);
        QCOMPARE(h.counts[kHistogramBars / 2], 3);
        QVERIFY(duration_histogram({}).counts.empty());
    }

    void theMembersOfACallStandSideBySide() {
        // Rank 1 comes 30 us after rank 0 and 2 comes 10 us after it; all end at 150 us.
        const auto run = make_run(
            {TraceBuilder(0).collective("ncclDevKernel_AllReduce", 20, 100, 50, all_reduce()).kernel("gemm", 7, 0, 5),
             TraceBuilder(1).collective("ncclDevKernel_AllReduce", 20, 130, 20, all_reduce()),
             TraceBuilder(2).collective("ncclDevKernel_AllReduce", 20, 110, 40, all_reduce())});
        const RunAnalysis analysis(run, {}, Align::none);
        const auto found = collective_peers(analysis, 2, event_of(*run->ranks[2], 40'000));
        QVERIFY(found && found->complete);
        QCOMPARE(found->peers.size(), std::size_t{3});
        const std::array<TimeNs, 3> lags{0, 30'000, 10'000};
        const std::array<TimeNs, 3> starts{100'000, 130'000, 110'000}; // the run starts with gemm at 0
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(found->peers[i].rank, static_cast<int>(i));
            QCOMPARE(found->peers[i].lag, lags[i]);
            QCOMPARE(found->peers[i].start, starts[i]);
            QCOMPARE(found->peers[i].last, i == 1);
        }
        QVERIFY(!collective_peers(analysis, 0, event_of(*run->ranks[0], 5'000))); // gemm
        QVERIFY(!collective_peers(analysis, 7, 0));
    }
};

RANKSCOPE_TEST(TestNameStatistics)

} // namespace rankscope::name_statistics_test

#include "test_name_statistics.moc"
