// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels by name, and launch delays.
#include <QtTest>

#include "core/views/kernel_rows.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::kernel_rows_test {

class TestKernelRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ofOneRankAndOfAll() {
        TraceBuilder first(0);
        first.kernel("gemm", 7, 0, 10).kernel("gemm", 7, 20, 30).kernel("ncclDevKernel_AllReduce", 9, 60, 20);
        TraceBuilder second(1);
        second.kernel("gemm", 7, 0, 40);
        const RunAnalysis analysis(make_run({first, second}), {});
        const auto all = kernel_rows(analysis, {});
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(analysis.run().names->view(all[0].name), std::string_view("gemm"));
        QCOMPARE(all[0].time.count, std::int64_t{3});
        QCOMPARE(all[0].time.sum, TimeNs{80'000});
        QCOMPARE(all[0].time.median, TimeNs{30'000});
        QCOMPARE(all[0].time.p95, TimeNs{40'000});
        QCOMPARE(all[0].share, 0.8); // 80 of 100 us
        QVERIFY(all[0].compute_kind == ComputeKind::gemm);
        QVERIFY(all[1].kernel_class == KernelClass::communication);
        const auto one = kernel_rows(analysis, 1);
        QCOMPARE(one.size(), std::size_t{1});
        QCOMPARE(one[0].share, 1.0);
    }

    void aDelayIsFromTheBeginOfTheCallToTheFirstStartOnTheGpu() {
        TraceBuilder rank(0);
        rank.launch(0, 2).kernel("a", 7, 5, 1).launch(10, 2).kernel("b", 7, 30, 1).kernel("without", 7, 40, 1);
        const RunAnalysis analysis(make_run({rank}), {});
        const std::vector<TimeNs> expected{5'000, 20'000};
        QCOMPARE(launch_delays(analysis, {}), expected);
        QCOMPARE(distribution_of(expected).sum, analysis.launches()[0].delay.sum); // one definition in both places
    }
};

RANKSCOPE_TEST(TestKernelRows)

} // namespace rankscope::kernel_rows_test

#include "test_kernel_rows.moc"
