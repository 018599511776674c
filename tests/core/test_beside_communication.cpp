// SPDX-License-Identifier: GPL-3.0-or-later
// Computation that a waiting communication kernel slows, worked out by hand.
#include <QTest>

#include "core/analysis/graph/replays.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::beside_communication_test {

namespace {

CollectiveCall all_reduce() {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = 1024;
    call.group = {"0", "default_pg", {0, 1}, 2};
    return call;
}

/// Rank 0: ten kernels of 100 us alone, then ten more of `beside` us next to an all-reduce that waits from 1000 us on
/// for rank 1, which comes at 2190 us after one long kernel of another name.
RunAnalysis run_with(double beside, double scatter = 0) {
    const CollectiveCall call = all_reduce();
    TraceBuilder early(0);
    early.world_size(2);
    double at = 0;
    for (int i = 0; i < 20; ++i) {
        const double time = (i < 10 ? 100 : beside) + (i % 2 == 0 ? scatter : -scatter);
        early.kernel("gemm", 7, at, time);
        at += time;
    }
    early.collective("ncclDevKernel_AllReduce", 20, 1000, 1200, call);
    TraceBuilder late(1);
    late.world_size(2).kernel("other", 7, 0, 2190).collective("ncclDevKernel_AllReduce", 20, 2190, 10, call);
    return RunAnalysis(make_run({early, late}), {});
}

} // namespace

class TestBesideCommunication : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSlowdownIsMeasuredInTheRun() {
        const RunAnalysis analysis = run_with(120);
        const auto& kernels = analysis.beside_communication().kernels();
        QCOMPARE(kernels.size(), 1U);
        QCOMPARE(analysis.run().names->view(kernels.front().name), std::string_view("gemm"));
        QVERIFY(std::abs(kernels.front().factor - 1.2) < 1e-6);
        QCOMPARE(kernels.front().beside, 10U);
        QCOMPARE(kernels.front().alone, 10U);
    }

    /// Two kernels take 120 instead of 100 us each time. Of a third one that scatters as much, its own times tell 10 %
    /// more, which could be chance; so it is taken to be slowed as the others are, by about as much.
    void aKernelThatScattersIsSlowedAsTheOthers() {
        const CollectiveCall call = all_reduce();
        TraceBuilder early(0);
        early.world_size(2);
        double at = 0;
        const auto run = [&](const char* name, double time) {
            early.kernel(name, 7, at, time);
            at += time;
        };
        for (int i = 0; i < 20; ++i) {
            const double slow = i < 10 ? 1 : 1.2;
            run("gemm", 100 * slow + i % 2);
            run("attention", 100 * slow + i % 2);
            run("relu", 100 * (i < 10 ? 1 : 1.1) + 5 * (i % 4) - 8);
            if (i == 9)
                early.collective("ncclDevKernel_AllReduce", 20, at, 4000, call);
        }
        TraceBuilder late(1);
        late.world_size(2).kernel("other", 7, 0, 6990).collective("ncclDevKernel_AllReduce", 20, 6990, 10, call);
        const RunAnalysis analysis(make_run({early, late}), {});
        const auto& kernels = analysis.beside_communication().kernels();
        QCOMPARE(kernels.size(), 3U);
        for (const SlowedKernel& kernel : kernels)
            QVERIFY2(std::abs(kernel.factor - 1.2) < 0.03, qPrintable(QString::number(kernel.factor)));
    }

    void scatterIsNoSlowdown() {
        QVERIFY(run_with(100).beside_communication().empty());
        QVERIFY(run_with(104, 30).beside_communication().empty());
    }

    /// Products of two sizes have one name and one launch, and the larger ones always run beside the all-reduce. In
    /// every second step it starts earlier, beside two of the smaller ones, which then take no longer.
    void largerWorkBesideCommunicationIsNotSlowedWork() {
        CollectiveCall call = all_reduce();
        call.group.ranks = {0, 1, 2, 3};
        call.group.size = 4;
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 4; ++r) {
            TraceBuilder& rank = ranks.emplace_back(r).world_size(4);
            for (int step = 0; step < 6; ++step) {
                double at = 3000.0 * step;
                rank.step(step, at, 2990);
                for (int i = 0; i < 20; ++i) {
                    const double time = i % 2 == 1 ? 20 : i < 10 ? 100 : 130;
                    rank.launch(3000.0 * step + i, 0.5)
                        .kernel(i % 2 == 1 ? "relu" : "gemm", 7, at, time + (i + step) % 3);
                    at += 160;
                }
                rank.launch(3000.0 * step + 40, 0.5)
                    .collective("ncclDevKernel_AllReduce", 20, 3000.0 * step + (step % 2 == 0 ? 1590 : 950), 1300,
                                call);
            }
        }
        QVERIFY(RunAnalysis(make_run(ranks), {}).beside_communication().empty());
    }

    /// Without the wait the kernels beside it take 100 us each: the last one ends at 2000 instead of 2200 us.
    void whatTakesTheWaitAwayGivesTheTimeBack() {
        const RunAnalysis analysis = run_with(120);
        const StepGraph& graph = analysis.step_graph();
        GraphTimes times = graph.times;
        for (std::uint32_t n = graph.first_gpu_node[1]; n < graph.first_node[2]; ++n)
            if (graph.kind[n] == NodeKind::compute)
                times.duration[n] = 990'000; // rank 1 is not late
        std::uint32_t last = graph.first_gpu_node[0];
        for (std::uint32_t n = graph.first_gpu_node[0]; n < graph.first_node[1]; ++n)
            if (graph.kind[n] == NodeKind::compute && graph.start[n] > graph.start[last])
                last = n;
        const auto end_of = [&](const BesideCommunication* beside) {
            const Replays::Replayed replayed = Replays(graph, beside).replayed(times);
            return replayed.start[last] + replayed.times.duration[last] - graph.start[graph.first_gpu_node[0]];
        };
        QCOMPARE(end_of(nullptr), TimeNs{2'200'000});
        // The all-reduce still runs from 1000 to 1010 us beside the first of them.
        const TimeNs given_back = end_of(&analysis.beside_communication());
        QVERIFY2(given_back >= 2'000'000 && given_back < 2'003'000, qPrintable(QString::number(given_back)));
    }

    void nothingChangesWhereNothingIsChanged() {
        const RunAnalysis analysis = run_with(120);
        const StepGraph& graph = analysis.step_graph();
        const Replays::Replayed replayed = Replays(graph, &analysis.beside_communication()).replayed(graph.times);
        QCOMPARE(replayed.start, graph.start);
        QCOMPARE(replayed.times.duration, graph.times.duration);
    }
};

RANKSCOPE_TEST(TestBesideCommunication)

} // namespace rankscope::beside_communication_test

#include "test_beside_communication.moc"
