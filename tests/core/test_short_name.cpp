// SPDX-License-Identifier: GPL-3.0-or-later
// Short names of kernels: what tells them apart stays, and comes first.
#include <QtTest>

#include <filesystem>
#include <map>
#include <string>

#include "core/input/load/load_run.h"
#include "core/trace/short_name.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::short_name_test {

class TestShortName : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatTellsAKernelApartComesFirst_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("shorter");
        const auto row = [](const char* name, const char* shorter) {
            QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(shorter);
        };
        row("void at::native::reduce_kernel<512, 1>(float)", "reduce_kernel<512, 1>");
        row("void at::native::(anonymous namespace)::softmax<float, long>(float*, int)", "softmax<float, long>");
        row("std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int>(cublasGemvParams<int>)",
            "kernel<int, int>");
        row("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, "
            "3ul> "
            ">(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)",
            "CUDAFunctor_add<float> · vectorized_elementwise_kernel<4, array<char*, 3>>");
        row("void at::native::vectorized_elementwise_kernel<4, "
            "at::native::sqrt_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() "
            "const::{lambda()#2}::operator()() const::{lambda(float)#1}, at::detail::Array<char*, 2> >(int)",
            "sqrt_kernel_cuda(float) · vectorized_elementwise_kernel<4, Array<char*, 2>>");
        row("void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4>("
            "cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4::Params)",
            "cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4 · Kernel");
        row("void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true, (cudnnKernelDataType_t)2>(float*)",
            "nchwToNhwcKernel<float, float, float, false, true, 2>");
        row("_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb1ELb0ELb1ELi1EEEvPT0_PT_PfS4_S4_S4_diiiiiiib",
            "add_rmsnorm_quant_kernel<bf16, bf16, 256, 16, 1, 0, 1, 1>");
        row("_Z6kernelILin3EEvPf", "kernel<-3>");
        row("_ZN5aiter4nor", "aiter"); // cut off
        row("void cub::Scan<cub::Policy<long, float>::Policy800, int>(int*)",
            "Scan<Policy<long, float>::Policy800, int>");
        row("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "AllReduce f32 Sum RING LL");
        row("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "AllReduce bf16 Sum RING LL");
        row("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "AllReduce f32 RING LL Sum");
        row("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long)", "SendRecv RING SIMPLE");
        row("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "SendRecv");
    }
    void whatTellsAKernelApartComesFirst() {
        QFETCH(QString, name);
        QFETCH(QString, shorter);
        QCOMPARE(QString::fromStdString(short_name(name.toStdString())), shorter);
    }

    void whatIsNoSignatureStaysAsItIs_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name :
             {"", "Memcpy HtoD (Pinned -> Device)", "aten::addmm", "torch/nn/modules/module.py(1501): _call_impl",
              "ProfilerStep#10", "execute_context_0(0)_generation_64(64)", "ncclDevKernel_Generic(x)",
              "volta_sgemm_32x128_nt", "void", "_Z", "_ZN", "_Z99999999999999999999f", "a::b<c", "a::b(c>)", "f>::g<",
              "void (", "{lambda", "void a<{lambda("})
            QTest::newRow(name) << QByteArray(name);
    }
    void whatIsNoSignatureStaysAsItIs() {
        QFETCH(QByteArray, name);
        const std::string shorter = short_name(name.toStdString());
        if (name == "ncclDevKernel_Generic(x)")
            QCOMPARE(shorter, "ncclDevKernel_Generic");
        else
            QCOMPARE(QByteArray::fromStdString(shorter), name);
    }

    /// A trace may hold any name: it costs no more than its length, and never the stack.
    void deepAndLongNamesAreLeftAlone() {
        std::string deep = "void f";
        for (int i = 0; i < 10'000; ++i)
            deep += "<g";
        QCOMPARE(short_name(deep), deep);
        std::string mangled = "_Z1f";
        for (int i = 0; i < 10'000; ++i)
            mangled += "I1g";
        QVERIFY(short_name(mangled).size() < mangled.size());
        std::string pointers = "_Z1fI";
        pointers.append(30'000, 'P');
        QVERIFY(short_name(pointers).starts_with("f<"));
        QCOMPARE(short_name(std::string(1 << 20, '<')).size(), std::size_t{1} << 20);
    }

    /// Two kernels of one run never look alike. They may be of two overloads: then parameters differ, nothing else.
    void kernelsOfARunStayApart_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder :
             {"dlrm_v100_8rank", "rccl_demo/37cu_384threads", "trace_diff_test", "nccl_a100", "vllm_decode_full",
              "sglang_decode", "resnet_mi300_1of8", "derived_sendrecv_4rank", "amd_mi250"})
            QTest::newRow(folder) << QString::fromLatin1(folder);
    }
    void kernelsOfARunStayApart() {
        QFETCH(QString, folder);
        const std::filesystem::path path =
            std::filesystem::path(RANKSCOPE_SHARED_DIR) / "traces" / folder.toStdString();
        if (!std::filesystem::exists(path))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(path);
        QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
        std::map<std::string, std::string> known;
        int alike = 0;
        for (const auto& rank : (*run)->ranks)
            for (EventIndex event = 0; event < rank->events.size(); ++event)
                if (rank->events.kind[event] == EventKind::kernel) {
                    const std::string name(rank->event_name(event));
                    const auto [other, added] = known.emplace(short_name(name), name);
                    if (!added && other->second != name) {
                        qInfo("%s\n%s", name.c_str(), other->second.c_str());
                        ++alike;
                    }
                }
        QVERIFY(!known.empty());
        QCOMPARE(alike, 0);
    }
};

RANKSCOPE_TEST(TestShortName)

} // namespace rankscope::short_name_test

#include "test_short_name.moc"
