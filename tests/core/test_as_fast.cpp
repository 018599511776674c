// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank's kernels would take on a GPU as fast as its peers'.
#include <QTest>

#include "core/analysis/usual/as_fast.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::as_fast_test {

namespace {

/// By step, what its kernels take, us.
using Steps = std::vector<std::vector<double>>;

/// Kernels of one name, each launched in its step.
TraceBuilder rank_of(int rank, const Steps& steps) {
    TraceBuilder builder(rank);
    double now = 0;
    std::int64_t number = 0;
    for (const std::vector<double>& step : steps) {
        double length = 20;
        for (const double time : step)
            length += time;
        builder.step(number++, now, length);
        double start = now + 10;
        for (std::size_t i = 0; i < step.size(); ++i) {
            builder.launch(now + 1 + static_cast<double>(i), 0.5).kernel("gemm", 7, start, step[i]);
            start += step[i];
        }
        now += length;
    }
    return builder;
}

/// Of the first of two ranks, in order, us.
std::vector<double> as_fast(const Steps& own, const Steps& peer) {
    const RunAnalysis analysis(make_run({rank_of(0, own), rank_of(1, peer)}), {});
    const StepGraph& graph = analysis.step_graph();
    std::vector<TimeNs> expected(graph.size(), -1);
    const std::uint32_t kernels = graph.first_node[1] - graph.first_gpu_node[0];
    for (std::uint32_t i = 0; i < kernels; ++i)
        expected[graph.first_gpu_node[0] + i] = graph.times.duration[graph.first_gpu_node[1] + i];
    std::vector<double> result;
    for (const TimeNs time : times_as_fast(analysis.run(), graph, expected))
        if (time >= 0)
            result.push_back(static_cast<double>(time) / 1000);
    return result;
}

} // namespace

class TestAsFast : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// 660 instead of 600 us: 1.1 times. The microbatches of both are of unequal length, and each keeps its own.
    void aSlowGpuKeepsWhatDiffersFromKernelToKernel() {
        QCOMPARE(as_fast({{110, 220, 330}}, {{100, 250, 250}}), (std::vector<double>{100, 200, 300}));
    }

    /// Twice as long in the last three steps: the others keep their times, which are those of the peer.
    void stepsOfTwoLevelsHaveAFactorEach() {
        const Steps own{{100}, {102}, {98}, {210}, {190}, {200}};
        const Steps peer{{101}, {100}, {99}, {100}, {101}, {99}};
        QCOMPARE(as_fast(own, peer), (std::vector<double>{100, 102, 98, 105, 95, 100}));
    }

    /// The ratios 1, 1.1, 1.2, 1.3 and 1.4 are scatter about 1.2: 600 instead of 500 us.
    void stepsThatScatterHaveOneFactor() {
        const Steps own{{100}, {140}, {120}, {110}, {130}};
        const Steps peer{{100}, {100}, {100}, {100}, {100}};
        QCOMPARE(as_fast(own, peer), (std::vector<double>{83.333, 116.667, 100, 91.667, 108.333}));
    }
};

RANKSCOPE_TEST(TestAsFast)

} // namespace rankscope::as_fast_test

#include "test_as_fast.moc"
