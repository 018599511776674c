// SPDX-License-Identifier: GPL-3.0-or-later
// How ranks differ, and which one the others wait for.
#include <QTest>

#include "core/analysis/delays/rank_spread.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::rank_spread_test {

namespace {

/// One compute kernel from 0, then one all-reduce that ends at 100 us on every rank.
TraceBuilder rankThatArrivesAt(int rank, double arrival_us) {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = 1024;
    call.group = {"0", "default_pg", {0, 1, 2, 3}, 4};
    return TraceBuilder(rank)
        .world_size(4)
        .kernel("gemm", 7, 0, arrival_us)
        .collective("ncclDevKernel_AllReduce", 20, arrival_us, 100 - arrival_us, call);
}

RunAnalysis analysed(const std::vector<double>& arrivals) {
    std::vector<TraceBuilder> ranks;
    for (std::size_t i = 0; i < arrivals.size(); ++i)
        ranks.push_back(rankThatArrivesAt(static_cast<int>(i), arrivals[i]));
    return RunAnalysis(make_run(ranks), {});
}

} // namespace

class TestRankSpread : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void meansAreOverRanksWithGpuWork() {
        const RunAnalysis analysis(
            make_run({TraceBuilder(0).kernel("gemm", 7, 0, 30), TraceBuilder(1).kernel("gemm", 7, 0, 50),
                      TraceBuilder(2).cpu_op("aten::add", 0, 10)}),
            {});
        const MeanTimeline mean = mean_timeline(analysis.ranks());
        QCOMPARE(mean.ranks, 2);
        QCOMPARE(mean.mean.computation, TimeNs{40'000});
        QCOMPARE(mean.mean.idle, TimeNs{0});
    }

    void spreadNamesTheRanksAtBothEnds() {
        const RunAnalysis analysis = analysed({20, 60, 40, 30});
        const auto spread = rank_spread(analysis.ranks(), &GpuTimeline::computation);
        QVERIFY(spread.has_value());
        QCOMPARE(spread->least_rank, 0);
        QCOMPARE(spread->least, TimeNs{20'000});
        QCOMPARE(spread->most_rank, 1);
        QCOMPARE(spread->most, TimeNs{60'000});
        QCOMPARE(spread->median, TimeNs{30'000}); // 20 30 40 60: the lower of the two in the middle
    }

    void theRankTheOthersWaitForIsLate() {
        // Transfer 20 us (rank 2, which comes last). The others' waits: 60 + 60 + 57 = 177 us, a third of it each: 59
        // us.
        const RunAnalysis analysis = analysed({20, 20, 80, 23});
        const auto late = analysis.late_rank();
        QVERIFY(late.has_value());
        QCOMPARE(late->rank, 2);
        QCOMPARE(late->times_last, 1);
        QCOMPARE(late->calls, 1);
        QCOMPARE(late->cost, TimeNs{59'000});
        QCOMPARE(late->share, 0.59);             // of 100 us
        QCOMPARE(late->slower, 80.0 / 20.0 - 1); // 20 20 23: median 20
    }

    void noRankIsLateWhenAllArriveTogether() { QVERIFY(!analysed({50, 50, 50, 50}).late_rank().has_value()); }

    void aFewNanosecondsMakeNoOneLate() {
        QVERIFY(!analysed({50, 50, 50.1, 50}).late_rank().has_value());
    } // 0.1 % of 100 us

    void oneRankAloneIsNotLate() {
        QVERIFY(!RunAnalysis(make_run({TraceBuilder(0).kernel("gemm", 7, 0, 30)}), {}).late_rank().has_value());
    }
};

RANKSCOPE_TEST(TestRankSpread)

} // namespace rankscope::rank_spread_test

#include "test_rank_spread.moc"
