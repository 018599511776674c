// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's rules, each on the smallest trace that shows it.
#include <QtTest>

#include <cmath>

#include "core/analysis/compat/hta_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::temporal_breakdown_test {

namespace {

TemporalBreakdown breakdown(const TraceBuilder& rank, bool include_last = false) {
    return hta_analysis(*make_run({rank}), include_last).breakdowns[0];
}

QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

} // namespace

class TestTemporalBreakdown : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void classesFollowThePatternsOnTheRawName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(expected);
        };
        row("ncclKernel_AllReduce", "COMMUNICATION");
        row("void ncclKernel_x", "COMMUNICATION");
        row("void ncclDevKernel_x", "COMPUTATION"); // ncclDevKernel counts only at the start
        row("hipMemcpyAsync", "COMMUNICATION");     // hip is tried before memory
        row("rcclKernel", "COMPUTATION");
        row("Memcpy HtoD (Pageable -> Device)", "MEMORY");
        row("Memset (Device)", "MEMORY");
        row("dma_copy", "MEMORY");
        row("fused_dma", "OTHER");
        row("Stream Wait Event", "OTHER");
        row("Context Sync", "OTHER");
        row("kernelWithSyncInside", "OTHER");
        row("cudaLaunchKernel", "OTHER");
        row("gemm", "COMPUTATION");
    }
    void classesFollowThePatternsOnTheRawName() {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QCOMPARE(text(hta_class_word(hta_class(name.toStdString()))), expected);
    }

    void idleComputeAndNonComputeAddUpToTheSpan() {
        // 0..40 gemm, 30..50 nccl, 60..70 memset: span 70, idle 50..60, compute 40, the rest 40..50 and 60..70.
        const TemporalBreakdown b = breakdown(TraceBuilder(3)
                                                  .kernel("gemm", 7, 0, 40)
                                                  .kernel("ncclKernel_AllReduce", 9, 30, 20)
                                                  .memory_set("Memset (Device)", 7, 60, 10));
        QCOMPARE(b.rank, 3);
        QCOMPARE(b.kernel_us, std::int64_t{70});
        QCOMPARE(b.idle_us, std::int64_t{10});
        QCOMPARE(b.compute_us, std::int64_t{40});
        QCOMPARE(b.non_compute_us, std::int64_t{20});
        QCOMPARE(b.idle_percent, 14.29);
        QCOMPARE(b.compute_percent, 57.14);
        QCOMPARE(b.non_compute_percent, 28.57);
        QCOMPARE(b.comm_comp_overlap_percent, 50.0); // 30..40 of 30..50
    }

    void withoutCommunicationThereIsNoOverlap() {
        QVERIFY(std::isnan(breakdown(TraceBuilder(0).kernel("gemm", 7, 0, 1)).comm_comp_overlap_percent));
    }

    void aTraceWithoutGpuRowsGivesZeros() {
        QCOMPARE(breakdown(TraceBuilder(0).cpu_op("aten::mm", 0, 5)).kernel_us, std::int64_t{0});
    }

    void syncRecordsWithAStreamAreGpuRows() {
        // The sync at 20..30 has a stream, so it extends the span and is busy "other" time.
        const TemporalBreakdown b =
            breakdown(TraceBuilder(0).kernel("gemm", 7, 0, 10).gpu_sync("Stream Sync", 7, 20, 10));
        QCOMPARE(b.kernel_us, std::int64_t{30});
        QCOMPARE(b.idle_us, std::int64_t{10});
        QCOMPARE(b.non_compute_us, std::int64_t{10});
    }

    void withSeveralStepsTheLastStepsLaunchesAreDropped() {
        const TraceBuilder rank = TraceBuilder(0)
                                      .step(1, 0, 100)
                                      .step(2, 100, 100)
                                      .launch(10, 1)
                                      .kernel("gemm", 7, 20, 10)
                                      .launch(90, 1)
                                      .kernel("gemm", 7, 150, 20) // launched in step 1: stays
                                      .launch(110, 1)
                                      .kernel("gemm", 7, 180, 10)  // launched in step 2: goes
                                      .kernel("gemm", 7, 300, 10); // no launch: goes in either case
        QCOMPARE(breakdown(rank).kernel_us, std::int64_t{150});    // 20..170
        QCOMPARE(breakdown(rank).compute_us, std::int64_t{30});
        QCOMPARE(breakdown(rank, true).kernel_us, std::int64_t{170}); // 20..190
        QCOMPARE(breakdown(rank, true).compute_us, std::int64_t{40});
    }

    void withOneStepNothingIsDropped() {
        const TraceBuilder rank =
            TraceBuilder(0).step(1, 0, 100).launch(10, 1).kernel("gemm", 7, 20, 10).kernel("gemm", 7, 300, 10);
        QCOMPARE(breakdown(rank).kernel_us, std::int64_t{290});
    }

    void aStepSeenByAnotherRankOnlyStillFiltersThisOne() {
        // Two step names in the run: rank 1 has one of them, and drops its launches from that step's start on.
        const auto run = make_run({TraceBuilder(0).step(1, 0, 10).step(2, 10, 10), TraceBuilder(1)
                                                                                       .step(1, 50, 50)
                                                                                       .launch(10, 1)
                                                                                       .kernel("gemm", 7, 20, 5)
                                                                                       .launch(60, 1)
                                                                                       .kernel("gemm", 7, 70, 5)});
        QCOMPARE(hta_analysis(*run, false).breakdowns[1].kernel_us, std::int64_t{5});
    }

    void fractionalStartsRoundEveryEventInwards() {
        // a: 0.2..10.7 -> 1..10; b: 10.9..20.0 -> 11..20: busy 18 of 19, idle 1.
        const TemporalBreakdown b = breakdown(TraceBuilder(0).kernel("a", 7, 0.2, 10.5).kernel("b", 7, 10.9, 9.1));
        QCOMPARE(b.kernel_us, std::int64_t{19});
        QCOMPARE(b.compute_us, std::int64_t{18});
        QCOMPARE(b.idle_us, std::int64_t{1});
    }

    void anEventWithinOneMicrosecondGetsANegativeLength() {
        // a: 5.2..5.7 -> 6..5: HTA adds its -1. b: 10..20. Span 6..20 = 14, busy 9, idle 5.
        const TemporalBreakdown b = breakdown(TraceBuilder(0).kernel("a", 7, 5.2, 0.5).kernel("b", 7, 10, 10));
        QCOMPARE(b.kernel_us, std::int64_t{14});
        QCOMPARE(b.compute_us, std::int64_t{9});
        QCOMPARE(b.idle_us, std::int64_t{5});
    }

    void kernelTypesAreTimesPerCombinationOfClasses() {
        const auto run = make_run({TraceBuilder(0)
                                       .kernel("gemm", 7, 0, 40)
                                       .kernel("ncclKernel_AllReduce", 9, 30, 20)
                                       .memory_copy("Memcpy HtoD", 11, 45, 15)});
        const HtaAnalysis hta = hta_analysis(*run, false);
        // 0..30 compute, 30..40 both, 40..45 communication, 45..50 communication and memory, 50..60 memory: 60 in all.
        QCOMPARE(hta.types.size(), std::size_t{5});
        QCOMPARE(hta.types[0].name, std::string("COMPUTATION"));
        QCOMPARE(hta.types[0].sum_us, std::int64_t{30});
        QCOMPARE(hta.types[0].percent, 50.0);
        QCOMPARE(hta.types[1].name, std::string("COMPUTATION overlapping COMMUNICATION"));
        QCOMPARE(hta.types[1].sum_us, std::int64_t{10});
        QCOMPARE(hta.types[1].percent, 16.7);
        QCOMPARE(hta.types_without_memory.size(), std::size_t{3}); // 30, 10 and 10
        QCOMPARE(hta.types_without_memory[2].percent, 20.0);
    }

    void topKernelsRepeatHtasStatisticsOfSums() {
        // Sums 60, 30, 20, 10, 5 with a limit of 2. Cumulated: 60 90 110 120 125; 80 % quantile: position 3.2 -> 121.
        // Only the limit cuts: "a" and "b" stay, and 20, 10, 5 become "others".
        TraceBuilder builder(0);
        builder.kernel("a", 7, 0, 20).kernel("a", 7, 20, 40).kernel("b", 7, 100, 30).kernel("c", 7, 200, 20);
        builder.kernel("d", 7, 300, 10).kernel("e", 7, 400, 5);
        const HtaAnalysis hta = hta_analysis(*make_run({builder}), false);
        QCOMPARE(hta.kernels[0][0].name, std::string("a"));
        QCOMPARE(hta.kernels[0][0].mean_us, 30.0);
        QCOMPARE(hta.kernels[0][0].std_us, std::sqrt(200.0)); // ((20 - 30)^2 + (40 - 30)^2) / 1
        const std::vector<HtaKernel> top = hta_top_kernels(hta.kernels[0], 2);
        QCOMPARE(top.size(), std::size_t{3});
        QCOMPARE(top[0].max_us, 60.0); // the sum, not the longest
        QCOMPARE(top[0].std_us, 0.0);
        QCOMPARE(top[2].name, std::string("others"));
        QCOMPARE(top[2].sum_us, 35.0);
        QCOMPARE(top[2].max_us, 20.0);
        QCOMPARE(top[2].min_us, 5.0);
    }
};

RANKSCOPE_TEST(TestTemporalBreakdown)

} // namespace rankscope::temporal_breakdown_test

#include "test_temporal_breakdown.moc"
