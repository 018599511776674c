// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel classes and kinds: names seen in real traces, each with the class metrics.md gives it.
#include <QtTest>

#include <re2/re2.h>

#include <set>
#include <string>

#include "core/analysis/selection/communication_names.h"
#include "core/analysis/selection/kernel_class.h"
#include "core/analysis/selection/kernel_class_rules.h"
#include "core/trace/collective_kind.h"
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
        row("void barrier_on_stream_kernel_threadgroup<(threadgroup_t)2>(nvshmemi_team_t*, int)", "communication");
        row("void fbgemm_gpu::car_barrier(int, int, std::array<int*, 8>, int*)", "communication");
        row("void CudaIpcBarrierAllKernel(int, int, void**)", "communication");
        row("void cutlass::arch::NamedBarrier_gemm<128>(int)", "compute");
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
        QCOMPARE(text(kernel_class_word(KernelClassRules().class_of(EventKind::kernel, name.toStdString()))), expected);
    }

    void everyNameOfTheTableMatchesByItsOwnRow() {
        std::set<std::string_view> examples;
        for (const CommunicationName& name : communication_names()) {
            QVERIFY(!name.source.empty());
            QVERIFY(examples.insert(name.example).second);
            const re2::RE2 own("(?i)" + std::string(name.pattern));
            QVERIFY2(own.ok(), std::string(name.pattern).c_str());
            QVERIFY2(re2::RE2::PartialMatch(std::string(name.example), own), std::string(name.example).c_str());
            QCOMPARE(KernelClassRules().class_of(EventKind::kernel, name.example), KernelClass::communication);
        }
    }

    void communicationUnderOtherNames_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {
                 // DeepSeek's released training trace, and the same kernels where nobody demangled them
                 "void dpsk::ep::internode::dispatch<false, 4, false, 8192, 4, (int)8>(int4*, float*, long*)",
                 "void dpsk::ep::internode::combine<4, __nv_bfloat16, 4, 24, 8, 1>(int4*, float*, bool const*)",
                 "void dpsk::ep::internode::notify_dispatch<false, 4>(int const*, int*, int, int const*)",
                 "void dpsk::ep::internode::cached_notify<false>(int, int, int)",
                 "void dpsk::ep::intranode::dispatch<8>(int4*, float*, int*)",
                 "_ZN4dpsk2ep9internode8dispatchILb0ELi4EEEvP4int4",
                 "void deep_ep::internode_ll::combine<true, 3, 7168>(void*, void*)",
                 "void deep_ep::intranode::cached_notify_combine<4>(void**, int*)",
                 "void uccl::intranode::dispatch<8, 768>(int4*)",
                 "nvshmemi_collective_init",
                 "void c10d::nvshmem_extension::allToAllV(void*, void*)",
                 "void vllm::cross_device_reduce_2stage<__half, 8>(vllm::RankData*)",
                 "void sglang::cross_device_reduce_1stage<__nv_bfloat16, 4>()",
                 "_ZN5aiter33reduce_scatter_cross_device_storeIDF16bLi8EEEvPNS_8RankDataE",
                 "multimem_one_shot_all_reduce_kernel",
                 "void two_shot_all_reduce_kernel_inplace<c10::Half, 16, 8>()",
                 "void one_shot_all_reduce_kernel<float, 4>()",
                 "void tensorrt_llm::kernels::oneShotAllReduceKernel<__half, 8, true, false>()",
                 "void tensorrt_llm::kernels::ar_fusion::allreduce_fusion_kernel_twoshot_sync<3, __half, 8, false>()",
                 "void flashinfer::trtllm_mnnvl_allreduce::oneshotAllreduceFusionKernel<8, __nv_bfloat16>()",
                 "kuserbuffers_pushsend(int*, int*, int4*, int4*, int)",
                 "kuserbuffers_pushrecv(int, int, int*)",
                 "userbuffers_fp16_sum_inplace_gpu_rw_ag<8>",
                 "void mscclpp::allreduce::allreduceAllPairs<__half>()",
                 "void a2a_combine_recv_kernel<8u>()",
                 "hcom_allGather__628_1_2",
                 "hcom_reduceScatter__1",
                 "_ZTS24oneccl_allreduce_pcie_ll",
                 "mscclKernel_Sum_half_LL_false",
                 // ai-dynamo/nixl, examples/device/ep/csrc/kernels/nixl_ep_ll.cu and nixl_ep_ht.cu
                 "void nixl_ep::ep_kernels::combine<true, 7168, 11>(void*, void*, int*)",
                 "_ZN7nixl_ep10ep_kernels8dispatchILb1ELb0ELi7168EEEvPv",
                 // kvcache-ai/Mooncake, mooncake-ep/src/mooncake_ep_kernel.cu,
                 // mooncake-pg/src/mooncake_worker_kernels.cu
                 "void mooncake::dispatch<false, 3, 10, 7168>(void*, float*, int*, long*)",
                 "void mooncake::reduceKernel<c10::BFloat16>(c10::BFloat16*, c10::BFloat16 const*, unsigned long)",
                 "_ZN8mooncake17enqueueTaskKernelEN4c10d6OpTypeEmliimPvPNS_4TaskEiPKbPim",
             })
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void communicationUnderOtherNames() {
        QFETCH(QString, name);
        QCOMPARE(KernelClassRules().class_of(EventKind::kernel, name.toStdString()), KernelClass::communication);
    }

    void computeStaysCompute_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {
                 "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>",
                 "void cublasLt::splitKreduce_kernel<32, 16, int, float>",
                 "void cub::DeviceReduceSingleTileKernel<Policy600, int*>",
                 "void LayerNormForward<float, BlockAllReduce<SumOp, float, 256>>()",
                 "void deep_gemm::sm90_fp8_gemm_1d2d_impl<0u, 7168u>()",
                 "void cutlass::gemm::kernel::GemmUniversal<DeepEpilogue>()",
                 "void vllm::moe::topkGatingSoftmax<8, 256>()",
                 "fused_moe_kernel",
                 "void vllm::moe::moe_align_block_size_kernel<int>()",
                 "moe_combine_kernel",
                 "void dispatch_kernel<8>()",
                 "void flash::flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<128>>()",
                 "void aiter::local_device_load_rmsnorm<__hip_bfloat16>()",
                 "void at::native::(anonymous namespace)::indexSelectLargeIndex<float>",
                 "void cutlass::arch::AsyncClusterBarrier_kernel<128>()",
                 "void copy_srcClass_kernel<float>()",
                 "void at::native::_scatter_gather_elementwise_kernel<128, 8>",
                 "triton_red_fused_all_reduction_0",
                 "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNN",
                 "broadcast_add_kernel",
                 "one_hot_kernel",
                 "__amd_rocclr_fillBufferAligned.kd",
             })
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void computeStaysCompute() {
        QFETCH(QString, name);
        QCOMPARE(KernelClassRules().class_of(EventKind::kernel, name.toStdString()), KernelClass::compute);
    }

    void theUsersRulesWin() {
        const char* const deep_ep = "void dpsk::ep::internode::dispatch<false>()";
        const auto rules = KernelClassRules::of(
            {{"dpsk::ep::internode", KernelClass::compute}, {"^my_all_gather$", KernelClass::communication}});
        QVERIFY(rules);
        const auto rank = TraceBuilder(0).kernel(deep_ep, 7, 0, 10).kernel("my_all_gather", 7, 20, 10).build();
        const std::vector<KernelClass> expected{KernelClass::compute, KernelClass::communication};
        QVERIFY(rules->classes_of(*rank) == expected);
        QCOMPARE(KernelClassRules().class_of(EventKind::kernel, deep_ep), KernelClass::communication);
    }

    void copiesAndSetsKeepTheirClassWhateverTheirName() {
        QCOMPARE(KernelClassRules().class_of(EventKind::memcpy, "ncclLike"), KernelClass::memory_copy);
        QCOMPARE(KernelClassRules().class_of(EventKind::memset, "Memset (Device)"), KernelClass::memory_set);
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
        const std::vector<KernelClass> classes = KernelClassRules().classes_of(*rank);
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
        // bytedance/flux, src/ag_gemm/gemm_v3_ag_kernel.hpp and src/gemm_rs
        row("void cutlass::device_kernel<cutlass::gemm::kernel::Sm90AGGemmUniversal<cute::tuple<int, int, int, "
            "int>>>()",
            "fused");
        row("void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int, int, int>, "
            "cutlass::gemm::kernel::detail::PersistentTileSchedulerSm90ReduceScatter>>()",
            "fused");
        // ByteDance-Seed/Triton-distributed, python/triton_dist/kernels/nvidia/gemm_reduce_scatter.py,
        // allgather_gemm.py
        row("kernel_gemm_rs_producer_persistent", "fused");
        row("triton3x_sm90_gemm_rs_persistent_tensorop_bf16_bf16_bf16_128x256x64_ntn_fuse_scatter", "fused");
        row("cutlass_triton3x_sm90_a2a_consumer_gemm_persistent_tensorop_bf16_bf16_bf16_128x256x64_ntn", "fused");
        row("kernel_consumer_gemm_persistent", "fused");
        // NVIDIA/cutlass, examples/python/CuTeDSL: distributed_gemm_all_reduce_blackwell.py
        row("kernel_cutlass_kernel_Sm100PersistentDenseGemmAllReduceLDMCxSTMCKernel_object_at_", "fused");
        row("something_else", "other");
        // Of serving engines. FlashInfer is a library of all kinds.
        row("void flashinfer::BatchDecodeWithPagedKVCacheKernel<true, 8u>(Params)", "attention");
        row("void flashinfer::PersistentVariableLengthMergeStatesKernel<8u, 16u>(float*)", "attention");
        row("void flashinfer::norm::FusedAddRMSNormKernel<8u, __nv_bfloat16>(__nv_bfloat16*)", "normalisation");
        row("_ZN10flashinfer4norm13RMSNormKernelILj8EEEvPT_", "normalisation");
        row("void flashinfer::sampling::TopKTopPSamplingFromProbKernel<1024u>(float*)", "reduction");
        row("void flashinfer::group_gemm::compute_sm80_group_gemm_args<float>(int*)", "gemm");
        row("void flashinfer::activation::act_and_mul_kernel<__half>(__half*)", "other");
        row("bmm_Bfloat16_E2m1E2m1_Fp32_t128x8x512u2_s3_et128x8_m128x8x64_cga1x1x1_16dp256b_TN_sm100f", "gemm");
        row("fused_moe_kernel", "gemm");
        row("_fwd_grouped_kernel_stage1", "attention");
        row("_fwd_kernel_stage2", "attention");
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
        row("void dpsk::ep::internode::combine<4, __nv_bfloat16>(int4*, float*)", "AllToAll");
        row("void a2a_dispatch_send_kernel<true, 16u>(unsigned long)", "AllToAll");
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
