// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics per kernel name.
#include <QtTest>

#include <cmath>

#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::kernel_table_test {

class TestKernelTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rowsHaveCountTotalExtremesMeanAndSampleDeviation() {
        // gemm: 10, 20, 60 us: mean 30, deviations -20, -10, 30 -> squares 400 + 100 + 900 = 1400, / 2 = 700.
        const auto run = make_run({TraceBuilder(0)
                                       .kernel("gemm", 7, 0, 10)
                                       .kernel("gemm", 7, 20, 20)
                                       .kernel("gemm", 9, 50, 60)
                                       .kernel("relu", 7, 200, 5)});
        const auto table = RunAnalysis(run, {}).kernel_tables()[0];
        QCOMPARE(table.size(), std::size_t{2});
        QCOMPARE(run->names->view(table[0].name), std::string_view("gemm"));
        QCOMPARE(table[0].count, std::int64_t{3});
        QCOMPARE(table[0].total, TimeNs{90'000});
        QCOMPARE(table[0].min, TimeNs{10'000});
        QCOMPARE(table[0].max, TimeNs{60'000});
        QCOMPARE(table[0].mean, 30'000.0);
        QCOMPARE(table[0].standard_deviation, std::sqrt(700.0) * 1000);
        QCOMPARE(table[1].standard_deviation, 0.0);
    }

    void oneNameOfTwoClassesIsTwoRowsAndTiesGoByName() {
        CollectiveCall call;
        call.collective = "allreduce";
        const auto run = make_run({TraceBuilder(0)
                                       .kernel("zeta", 7, 0, 10)
                                       .kernel("alpha", 7, 20, 10)
                                       .kernel("fused", 7, 40, 30)
                                       .collective("fused", 9, 40, 20, call)});
        const auto table = RunAnalysis(run, {}).kernel_tables()[0];
        QCOMPARE(table.size(), std::size_t{4});
        QCOMPARE(table[0].kernel_class, KernelClass::compute);
        QCOMPARE(table[1].kernel_class, KernelClass::communication);
        QCOMPARE(table[1].total, TimeNs{20'000});
        QCOMPARE(run->names->view(table[2].name), std::string_view("alpha"));
        QCOMPARE(run->names->view(table[3].name), std::string_view("zeta"));
    }

    void durationsAreThoseInsideTheSelection() {
        const auto run = make_run({TraceBuilder(0).kernel("gemm", 7, 0, 100)});
        Selection selection;
        selection.time = TimeRange{10'000, 30'000};
        QCOMPARE(RunAnalysis(run, selection).kernel_tables()[0][0].total, TimeNs{20'000});
    }
};

RANKSCOPE_TEST(TestKernelTable)

} // namespace rankscope::kernel_table_test

#include "test_kernel_table.moc"
