// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel classes and kinds: names seen in real traces, each with the class metrics.md gives it.
#include <QtTest>

#include "core/analysis/collectives/collective_kind.h"
#include "core/analysis/selection/kernel_class.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::kernel_class_test {

namespace {

QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

} // namespace

class TestKernelClass : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesDecideTheClassOfKernels_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(expected);
        };
        row("ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)", "communication");
        row("ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)", "communication");
        row("void mscclpp::allreduce7<__half>(...)", "communication");
        row("rcclSomething", "communication");
        row("void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(...)", "communication");
        row("void deep_ep::internode::dispatch<...>", "communication");
        row("DeepEP_combine", "communication");
        row("two_shot_all_reduce_kernel", "communication");
        row("void quick_reduce::twoshot", "communication");
        row("nvshmemi_transfer", "communication");
        row("MEMORY_COPY_HOST_TO_DEVICE", "memcpy");
        row("MEMORY_COPY_DEVICE_TO_DEVICE.kd", "memcpy");
        row("__amd_rocclr_copyBufferRectAligned.kd", "memcpy");
        row("__amd_rocclr_copyBuffer", "memcpy");
        row("__amd_rocclr_copyBufferImage", "compute"); // not in the pattern
        row("__amd_rocclr_fillBufferAligned.kd", "compute");
        row("my__amd_rocclr_copyBuffer", "compute"); // the pattern is the whole name
        row("void at::native::reduce_kernel<512, 1>", "compute");
        row("ampere_sgemm_32x128_nt", "compute");
        row("Memcpy DtoD (Device -> Device)", "compute"); // of cat kernel: only the category makes a copy
    }
    void namesDecideTheClassOfKernels() {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QCOMPARE(text(kernel_class_word(classify_kernel(EventKind::kernel, name.toStdString()))), expected);
    }

    void copiesAndSetsKeepTheirClassWhateverTheirName() {
        QCOMPARE(classify_kernel(EventKind::memcpy, "ncclLike"), KernelClass::memory_copy);
        QCOMPARE(classify_kernel(EventKind::memset, "Memset (Device)"), KernelClass::memory_set);
    }

    void collectiveArgumentsOutrankTheName() {
        CollectiveCall call;
        call.collective = "allreduce";
        const auto rank = TraceBuilder(0)
                              .kernel("custom_fused", 7, 0, 10)
                              .collective("custom_fused", 7, 20, 10, call)
                              .kernel("ncclDevKernel_AllReduce", 9, 0, 10)
                              .memory_copy("Memcpy HtoD", 7, 40, 1)
                              .build();
        const std::vector<KernelClass> classes = classify_gpu_events(*rank);
        const std::vector<KernelClass> expected{KernelClass::compute, KernelClass::communication,
                                                KernelClass::memory_copy, KernelClass::communication};
        QVERIFY(classes == expected);
    }

    void computeSplitsIntoKinds_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(expected);
        };
        row("ampere_sgemm_32x128_nt", "gemm");
        row("Cijk_Ailk_Bljk_BBS_BH_MT128x128x32", "gemm");
        row("void cublasLt::splitKreduce_kernel<32, 16>", "gemm");
        row("void flash_fwd_kernel<Flash_fwd_kernel_traits<128>>", "attention");
        row("fmha_v2_flash_attention_bf16", "attention");
        row("cudnn_infer_ampere_scudnn_128x64_relu_xregs_large_nn_v1", "convolution");
        row("_ZN19cutlass_cudnn_train6KernelINS_4conv6kernel23ImplicitGemmConvolution", "convolution");
        row("void cudnn::bn_bw_1C11_kernel_new<float>", "normalisation");
        row("void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float>", "normalisation");
        row("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>", "elementwise");
        row("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>", "reduction");
        row("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<>", "optimiser");
        row("void at::native::indexSelectLargeIndex<float>", "embedding");
        row("triton_poi_fused_add_0", "triton");
        row("something_else", "other");
    }
    void computeSplitsIntoKinds() {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QCOMPARE(text(compute_kind_word(compute_kind(name.toStdString()))), expected);
    }

    void collectiveKindsComeFromArgumentNamesAndKernelNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(expected);
        };
        row("allreduce", "AllReduce");
        row("_allgather_base", "AllGather");
        row("allgather_into_tensor_coalesced", "AllGather");
        row("reduce_scatter_tensor_coalesced", "ReduceScatter");
        row("_reduce_scatter_base", "ReduceScatter");
        row("all_to_allv", "AllToAll");
        row("broadcast", "Broadcast");
        row("reduce", "Reduce");
        row("gather", "Gather");
        row("scatter", "Scatter");
        row("send", "Send");
        row("recv", "Recv");
        row("barrier", "Barrier");
        row("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "ReduceScatter");
        row("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)", "SendRecv");
        row("ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*)", "Broadcast");
        row("void vllm::cross_device_reduce_2stage<float, 4>(...)", "AllReduce");
        row("ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)", "Other");
    }
    void collectiveKindsComeFromArgumentNamesAndKernelNames() {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QCOMPARE(text(collective_kind_word(collective_kind(name.toStdString()))), expected);
    }
};

RANKSCOPE_TEST(TestKernelClass)

} // namespace rankscope::kernel_class_test

#include "test_kernel_class.moc"
