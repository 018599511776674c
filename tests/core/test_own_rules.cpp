// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own kernel classes and peaks come before the built-in ones.
#include <QTest>

#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::own_rules_test {

class TestOwnRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstRuleThatMatchesDecides() {
        const auto classes =
            KernelClassRules::of({{"^my_ring_", KernelClass::communication}, {"ring", KernelClass::memory_copy}});
        QVERIFY(classes);
        QCOMPARE(classes->class_of(EventKind::kernel, "my_ring_step"), KernelClass::communication);
        QCOMPARE(classes->class_of(EventKind::kernel, "other_ring"), KernelClass::memory_copy);
        QCOMPARE(classes->class_of(EventKind::kernel, "gemm"), KernelClass::compute);
        QCOMPARE(classes->class_of(EventKind::memset, "ring"), KernelClass::memory_set);
    }

    void aRuleTakesAKernelOutOfCommunication() {
        QCOMPARE(KernelClassRules::of({{"nccl_test_kernel", KernelClass::compute}})
                     ->class_of(EventKind::kernel, "nccl_test_kernel"),
                 KernelClass::compute);
        QCOMPARE(KernelClassRules().class_of(EventKind::kernel, "nccl_test_kernel"), KernelClass::communication);
    }

    void aPatternOfAFunctionTakesItsInstancesAndNoOther() {
        const std::string pattern = pattern_of_function("void mine::exchange<128, 4>(int*, float const*)");
        const auto classes = KernelClassRules::of({{pattern, KernelClass::communication}});
        QVERIFY(classes);
        QCOMPARE(classes->class_of(EventKind::kernel, "void mine::exchange<256, 8>(int*, float const*)"),
                 KernelClass::communication);
        QCOMPARE(classes->class_of(EventKind::kernel, "void mine::exchange_and_sort<256>(int*)"), KernelClass::compute);
        QCOMPARE(pattern_of_function("gemm.kernel+1"),
                 std::string("^gemm\\.kernel\\+1\\b")); // nothing in it is special
        QCOMPARE(pattern_of_function("<lambda>(int)"), std::string("^\\<lambda\\>\\(int\\)"));
    }

    void aPatternThatIsNoExpressionIsRefused() {
        const auto refused = KernelClassRules::of({{"b", KernelClass::compute}, {"(", KernelClass::compute}});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Error::Code::usage);
        QVERIFY(english(refused.error().message).find("\"(\"") != std::string::npos);
        QVERIFY(!KernelClassRules::of({{"", KernelClass::compute}}));
    }

    void rulesAreEqualByWhatTheySay() {
        const std::vector<KernelClassRule> rules{{"a", KernelClass::memory_copy}};
        QVERIFY(*KernelClassRules::of(rules) == *KernelClassRules::of(rules));
        QVERIFY(*KernelClassRules::of(rules) != KernelClassRules());
        QVERIFY(*KernelClassRules::of({}) == KernelClassRules());
    }

    void ownPeaksComeFirstAndLeaveTheRestToTheTable() {
        const std::vector<DevicePeak> own{{"h100", 0, 800, 0, 0}, {"My Chip", 100, 50, 25, 1.5}};
        QCOMPARE(peak_tflops("NVIDIA H100 80GB HBM3", Precision::fp16).value(), 989.0);
        QCOMPARE(peak_tflops("NVIDIA H100 80GB HBM3", Precision::fp16, own).value(), 800.0);
        QCOMPARE(peak_tflops("NVIDIA H100 80GB HBM3", Precision::fp32, own).value(), 67.0);
        QCOMPARE(peak_memory_tb_s("NVIDIA H100 80GB HBM3", own).value(), 3.35);
        QCOMPARE(peak_tflops("my chip 2", Precision::fp8, own).value(), 100.0);
        QCOMPARE(peak_memory_tb_s("my chip 2", own).value(), 1.5);
    }

    /// The same run twice: 30 us of a kernel that one user calls communication, and 10 us of a gemm.
    void twoAnalysesHaveRulesOfTheirOwn() {
        const auto run = make_run({TraceBuilder(0).kernel("exchange", 7, 0, 30).kernel("gemm", 7, 40, 10)});
        const AnalysisRules own{*KernelClassRules::of({{"exchange", KernelClass::communication}}), {}, {}};
        const RunAnalysis by_names(run, {});
        const RunAnalysis by_rule(run, {}, Align::automatic, own);
        const auto communication = [](const RunAnalysis& analysis) {
            TimeNs sum = 0;
            for (const KernelStatistics& row : analysis.kernel_tables()[0])
                if (row.kernel_class == KernelClass::communication)
                    sum += row.total;
            return sum;
        };
        QCOMPARE(communication(by_rule), TimeNs{30'000});
        QCOMPARE(communication(by_names), TimeNs{0});
    }
};

RANKSCOPE_TEST(TestOwnRules)

} // namespace rankscope::own_rules_test

#include "test_own_rules.moc"
