// SPDX-License-Identifier: GPL-3.0-or-later
// gpu_timeline on a picture small enough to work out by hand.
#include <QtTest>

#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::gpu_timeline_test {

class TestGpuTimeline : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // time (us)   0    10   20   30   40   50   60   70   80   90  100
    // gemm        [---------)                                            0..20
    // memset                               [----)                       50..60 (counts as compute)
    // nccl             [--------------)                                 10..40
    // memcpy                     [---------------)                      30..62: exposed 40..50 and 60..62
    // gemm, late                                                [----)  95..100, after idle 62..95; another gap of 0
    void everyTermOfTheBreakdownIsWhatTheDrawingSays() {
        const auto run = make_run({TraceBuilder(0)
                                       .launch(0, 1)
                                       .kernel("gemm", 7, 0, 20)
                                       .launch(2, 1)
                                       .kernel("ncclDevKernel_AllReduce", 9, 10, 30)
                                       .launch(4, 1)
                                       .memory_copy("Memcpy HtoD", 11, 30, 32)
                                       .launch(6, 1)
                                       .memory_set("Memset (Device)", 7, 50, 10)
                                       .kernel("gemm", 7, 95, 5)});
        const RunAnalysis analysis(run, {});
        const GpuTimeline& t = analysis.ranks()[0].timeline;
        QCOMPARE(t.total, TimeNs{100'000});
        QCOMPARE(t.computation, TimeNs{35'000}); // 20 + 10 + 5
        QCOMPARE(t.total_comm, TimeNs{30'000});
        QCOMPARE(t.overlap, TimeNs{10'000});      // 10..20
        QCOMPARE(t.exposed_comm, TimeNs{20'000}); // 20..40
        QCOMPARE(t.total_memcpy, TimeNs{32'000});
        QCOMPARE(t.exposed_memcpy, TimeNs{12'000}); // 40..50, 60..62
        QCOMPARE(t.busy, TimeNs{67'000});           // 0..62, 95..100
        QCOMPARE(t.idle, TimeNs{33'000});
        QCOMPARE(t.micro_idle, TimeNs{0});

        const GpuTimeline& linked = analysis.ranks()[0].linked_timeline; // without the last gemm, which has no launch
        QCOMPARE(linked.total, TimeNs{62'000});
        QCOMPARE(linked.computation, TimeNs{30'000});
        QCOMPARE(linked.idle, TimeNs{0});
    }

    void gapsUnderTenMicrosecondsAreMicroIdle() {
        const auto run = make_run({TraceBuilder(0)
                                       .kernel("a", 7, 0, 5)
                                       .kernel("b", 7, 14.999, 5.001) // gap 9.999
                                       .kernel("c", 7, 30, 5)         // gap 10: not micro
                                       .kernel("instant", 9, 39, 0)   // parts the gap 35..45 in 4 and 6
                                       .kernel("d", 7, 45, 5)});
        const GpuTimeline t = RunAnalysis(run, {}).ranks()[0].timeline;
        QCOMPARE(t.idle, TimeNs{29'999});
        QCOMPARE(t.micro_idle, TimeNs{19'999});
    }

    void aRankWithoutGpuWorkHasAnEmptyTimeline() {
        const auto run = make_run({TraceBuilder(0).cpu_op("aten::mm", 0, 10)});
        const GpuTimeline t = RunAnalysis(run, {}).ranks()[0].timeline;
        QCOMPARE(t.total, TimeNs{0});
        QCOMPARE(t.idle, TimeNs{0});
    }

    void theTimelineFollowsTheSelection() {
        const auto run =
            make_run({TraceBuilder(0).kernel("a", 7, 0, 10).kernel("b", 7, 20, 10).kernel("c", 7, 40, 10)});
        Selection selection;
        selection.time = TimeRange{5'000, 25'000};
        const GpuTimeline t = RunAnalysis(run, selection).ranks()[0].timeline;
        QCOMPARE(t.total, TimeNs{20'000});       // 5..25
        QCOMPARE(t.computation, TimeNs{10'000}); // 5..10 and 20..25
        QCOMPARE(t.idle, TimeNs{10'000});
    }

    void gpuAnnotationsAreNeverWork() {
        const auto run = make_run({TraceBuilder(0).kernel("a", 7, 10, 10).gpu_annotation("forward", 7, 0, 100)});
        QCOMPARE(RunAnalysis(run, {}).ranks()[0].timeline.total, TimeNs{10'000});
    }
};

RANKSCOPE_TEST(TestGpuTimeline)

} // namespace rankscope::gpu_timeline_test

#include "test_gpu_timeline.moc"
