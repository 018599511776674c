// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own kernel classes and peaks come before the built-in ones.
#include <QTest>

#include "core/analysis/operators/peak_flops.h"
#include "core/analysis/selection/kernel_class_rules.h"
#include "tests/support/test_program.h"

namespace rankscope::own_rules_test {

class TestOwnRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() {
        QVERIFY(set_kernel_class_rules({}));
        set_own_peaks({});
    }

    void theFirstRuleThatMatchesDecides() {
        QVERIFY(
            set_kernel_class_rules({{"^my_ring_", KernelClass::communication}, {"ring", KernelClass::memory_copy}}));
        QCOMPARE(classify_kernel(EventKind::kernel, "my_ring_step"), KernelClass::communication);
        QCOMPARE(classify_kernel(EventKind::kernel, "other_ring"), KernelClass::memory_copy);
        QCOMPARE(classify_kernel(EventKind::kernel, "gemm"), KernelClass::compute);
        QCOMPARE(classify_kernel(EventKind::memset, "ring"), KernelClass::memory_set);
    }

    void aRuleTakesAKernelOutOfCommunication() {
        QVERIFY(set_kernel_class_rules({{"nccl_test_kernel", KernelClass::compute}}));
        QCOMPARE(classify_kernel(EventKind::kernel, "nccl_test_kernel"), KernelClass::compute);
        QVERIFY(set_kernel_class_rules({}));
        QCOMPARE(classify_kernel(EventKind::kernel, "nccl_test_kernel"), KernelClass::communication);
    }

    void aPatternOfAFunctionTakesItsInstancesAndNoOther() {
        const std::string pattern = pattern_of_function("void mine::exchange<128, 4>(int*, float const*)");
        QVERIFY(set_kernel_class_rules({{pattern, KernelClass::communication}}));
        QCOMPARE(classify_kernel(EventKind::kernel, "void mine::exchange<256, 8>(int*, float const*)"),
                 KernelClass::communication);
        QCOMPARE(classify_kernel(EventKind::kernel, "void mine::exchange_and_sort<256>(int*)"), KernelClass::compute);
        QCOMPARE(pattern_of_function("gemm.kernel+1"),
                 std::string("^gemm\\.kernel\\+1\\b")); // nothing in it is special
        QCOMPARE(pattern_of_function("<lambda>(int)"), std::string("^\\<lambda\\>\\(int\\)"));
    }

    void aPatternThatIsNoExpressionChangesNothing() {
        QVERIFY(set_kernel_class_rules({{"a", KernelClass::memory_copy}}));
        const auto refused = set_kernel_class_rules({{"b", KernelClass::compute}, {"(", KernelClass::compute}});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Error::Code::usage);
        QVERIFY(refused.error().message.find("\"(\"") != std::string::npos);
        QCOMPARE(kernel_class_rules().size(), std::size_t{1});
        QVERIFY(!set_kernel_class_rules({{"", KernelClass::compute}}));
    }

    void ownPeaksComeFirstAndLeaveTheRestToTheTable() {
        QCOMPARE(peak_tflops("NVIDIA H100 80GB HBM3", Precision::fp16).value(), 989.0);
        set_own_peaks({{"h100", 0, 800, 0, 0}, {"My Chip", 100, 50, 25, 1.5}});
        QCOMPARE(peak_tflops("NVIDIA H100 80GB HBM3", Precision::fp16).value(), 800.0);
        QCOMPARE(peak_tflops("NVIDIA H100 80GB HBM3", Precision::fp32).value(), 67.0);
        QCOMPARE(peak_memory_tb_s("NVIDIA H100 80GB HBM3").value(), 3.35);
        QCOMPARE(peak_tflops("my chip 2", Precision::fp8).value(), 100.0);
        QCOMPARE(peak_memory_tb_s("my chip 2").value(), 1.5);
    }
};

RANKSCOPE_TEST(TestOwnRules)

} // namespace rankscope::own_rules_test

#include "test_own_rules.moc"
