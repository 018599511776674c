// SPDX-License-Identifier: GPL-3.0-or-later
// Faults are taken out of a run one after the other, worked out by hand.
#include <QTest>

#include "core/analysis/findings/repaired_run.h"
#include "core/analysis/graph/step_time.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::repaired_run_test {

class TestRepairedRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Two steps, each a gemm of 60 and behind it a copy of 30 us in one stream; the host goes on when the GPU is done.
    void faultsAreTakenOutOneAfterTheOther() {
        TraceBuilder rank(0);
        for (int step = 0; step < 2; ++step) {
            const double start = 100.0 * step;
            rank.step(step + 1, start, 40)
                .launch(start, 1)
                .kernel("gemm", 7, start + 10, 60)
                .launch(start + 2, 1)
                .memory_copy("Memcpy HtoD (Pinned -> Device)", 7, start + 70, 30);
        }
        const RunAnalysis analysis(make_run({rank}), {});
        const StepGraph& graph = analysis.step_graph();
        const Replays replays(graph);
        const double recorded = mean_step_time(graph, graph.start, graph.times);
        const auto half = [&](NodeKind kind) -> TimesChange {
            return [&graph, kind](GraphTimes& times) {
                for (std::uint32_t n = 0; n < graph.size(); ++n)
                    if (graph.kind[n] == kind)
                        times.duration[n] /= 2;
            };
        };
        RepairedRun repaired(graph, replays, recorded);
        QVERIFY(!repaired.changed());
        QCOMPARE(repaired.times().duration, graph.times.duration);
        QCOMPARE(repaired.step_ns(), recorded);
        const double computation = repaired.saved_ns(half(NodeKind::compute));
        const double copies = repaired.saved_ns(half(NodeKind::memory_copy));
        QCOMPARE(computation, 30'000.0);
        QCOMPARE(copies, 15'000.0);

        repaired.tell({0}, half(NodeKind::compute));
        QVERIFY(repaired.changed());
        QCOMPARE(repaired.step_ns(), recorded); // until it is replayed
        repaired.replay();
        QCOMPARE(repaired.step_ns(), recorded - computation);
        QCOMPARE(repaired.saved_ns(half(NodeKind::memory_copy)), copies); // one behind the other: each as before
        repaired.tell_of_hosts({0}, half(NodeKind::memory_copy));
        repaired.take_out(half(NodeKind::memory_copy));
        repaired.replay();
        QCOMPARE(repaired.step_ns(), recorded - computation - copies);
        QCOMPARE(repaired.told().size(), std::size_t{1});
        QCOMPARE(repaired.told_of_hosts().size(), std::size_t{1});
        QCOMPARE(repaired.step_ns_without_told(), recorded - computation); // the hosts' faults stay
        repaired.set_step_ns(1);
        QCOMPARE(repaired.step_ns(), 1.0);
    }
};

RANKSCOPE_TEST(TestRepairedRun)

} // namespace rankscope::repaired_run_test

#include "test_repaired_run.moc"
