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
        row("void flashinfer::sampling::TopKTopPSamplingFromProbKernel<1024u>(float*)", "sampling");
        row("void flashinfer::group_gemm::compute_sm80_group_gemm_args<float>(int*)", "experts");
        row("void flashinfer::activation::act_and_mul_kernel<__half>(__half*)", "elementwise");
        row("bmm_Bfloat16_E2m1E2m1_Fp32_t128x8x512u2_s3_et128x8_m128x8x64_cga1x1x1_16dp256b_TN_sm100f", "gemm");
        row("fused_moe_kernel", "experts");
        row("_fwd_grouped_kernel_stage1", "attention");
        row("_fwd_kernel_stage2", "attention");
    }
    void computeSplitsIntoKinds() {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QCOMPARE(text(compute_kind_word(compute_kind(name.toStdString()))), expected);
    }

    /// Names in the manner of vLLM, SGLang and TensorRT-LLM. Most patterns they try were read in a public profile or
    /// source; 19 of 134, mostly of Mamba and some of TensorRT-LLM, were written from memory.
    void kernelsOfEnginesHaveTheirKind_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        constexpr std::pair<const char*, const char*> kNames[] = {
            {"void vllm::moe::moe_sum_kernel<c10::BFloat16, 4>(c10::BFloat16*, c10::BFloat16 const*, int)", "combine"},
            {"void tensorrt_llm::kernels::cutlass_kernels::finalizeMoeRoutingKernel<__nv_bfloat16, __nv_bfloat16, "
             "__nv_bfloat16, (tensorrt_llm::kernels::cutlass_kernels::ScaleMode)1>",
             "combine"},
            {"void moe::dev::finalize::finalizeKernelVecLoad<moe::dev::finalize::KernelParams<cutlass::bfloat16_t, "
             "float, 2, true> >",
             "combine"},
            {"_finalize_matmul_scatter_bf16", "combine"},
            {"moe_reduction_kernel_plain_bf16_topk6_md7168", "combine"},
            {"post_reorder_triton_kernel", "combine"},
            {"_fwd_kernel_ep_gather", "combine"},
            {"void apply_shuffle_mul_sum_kernel<c10::BFloat16>", "combine"},
            {"void moe_sum_reduce_kernel_warp_token_topk<c10::BFloat16, 8, 4>", "combine"},
            {"_moe_sum_reduce_kernel", "combine"},
            {"void tensorrt_llm::kernels::cutlass_kernels::expandInputRowsKernel<__nv_bfloat16, __nv_bfloat16, "
             "(tensorrt_llm::kernels::cutlass_kernels::TmaWarpSpecializedGroupedGemmInput::FpXBlockScalingType)2, "
             "false>",
             "dispatch"},
            {"void shuffleRowsKernel<__nv_bfloat16>", "dispatch"},
            {"pre_reorder_triton_kernel", "dispatch"},
            {"_fwd_kernel_ep_scatter_2", "dispatch"},
            {"deepep_permute_triton_kernel", "dispatch"},
            {"void vllm::moe::topkGatingSoftmax<8, 128, 4, 16, 32, int>", "routing"},
            {"void vllm::moe::topkGating<8, 128, 4, 16, 32, int, __nv_bfloat16, (vllm::moe::ScoringFunc)0>", "routing"},
            {"void vllm::moe::topkGatingSoftplusSqrt<8, 256, 4, 16, 32, false, int, float>(float const*, bool const*)",
             "routing"},
            {"void vllm::moe::moeSoftmax<256>(float const*, bool const*, float*, int)", "routing"},
            {"void vllm::moe::moeTopK<256, int>", "routing"},
            {"void vllm::moe::moe_align_block_size_kernel<int>(int const*, int*)", "routing"},
            {"void vllm::moe::count_and_sort_expert_tokens_kernel<int>", "routing"},
            {"void vllm::moe::topk_with_k2_kernel<float>", "routing"},
            {"void vllm::moe::group_idx_and_topk_idx_kernel<float, int>", "routing"},
            {"void "
             "moe::dev::routing::routingCustom::routingIndicesClusterKernel<moe::dev::routing::routingCustom::"
             "KernelParams<__nv_bfloat16>>",
             "routing"},
            {"void "
             "moe::dev::routing::routingCustom::routingIndicesBlockKernel<moe::dev::routing::routingCustom::"
             "KernelParams<__nv_bfloat16, __nv_bfloat16, 512, 16, "
             "moe::dev::routing::TopKExpertSelect<moe::dev::routing::NoOpPreprocess, "
             "moe::dev::routing::SoftmaxPostprocess> > >",
             "routing"},
            {"void tensorrt_llm::kernels::customMoeRoutingKernel<__nv_bfloat16, float, int, 128, 8, false>", "routing"},
            {"void tensorrt_llm::kernels::cutlass_kernels::fusedBuildExpertMapsSortFirstTokenKernel<32, 8, 8>",
             "routing"},
            {"void tensorrt_llm::kernels::cutlass_kernels::globalExpertPrefixSumLargeKernel<1024>", "routing"},
            {"void tensorrt_llm::kernels::cutlass_kernels::blockExpertPrefixSumKernel<1024>", "routing"},
            {"_combined_routing_compute", "routing"},
            {"_combined_routing_memset", "routing"},
            {"_sum_bitmatrix_rows", "routing"},
            {"_topk_forward", "routing"},
            {"aiter::grouped_topk_opt_sort_kernel", "routing"},
            {"void aiter::topk_softplus_kernel_opt<hip_bfloat16>", "routing"},
            {"void moe_fused_gate_kernel<float, float, 32>", "routing"},
            {"kimi_k2_moe_fused_gate_kernel_small_token", "routing"},
            {"void tensorrt_llm::kernels::deepseek_v3_topk_kernel<float, float, int, 256, true>", "routing"},
            {"compute_seg_indptr_triton_kernel", "routing"},
            {"deepep_compute_src2dst_triton_kernel", "routing"},
            {"computeExpertOffsetsAndInverseKernel(int const*, long, int, long*, int const*, int*)", "routing"},
            {"preprocessTopkIdKernel(int*, int, int const*, int)", "routing"},
            {"compute_expert_blockscale_offsets(int const*, int*, int*, int*, int, int, bool)", "routing"},
            {"fused_moe_kernel", "experts"},
            {"fused_moe_kernel_gptq_awq", "experts"},
            {"_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1_swiglu", "experts"},
            {"_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1", "experts"},
            {"bmm_E2m1_E2m1E2m1_Fp32_Ab16_Bb16_Cb16_t128x32x512u2_s4_et128x32_m128x32x64_c1x1x1_rM_TN_transOut_"
             "schPd2x1x2x3_biasFp32M_bN_ldgsts_ldgstsSf_rgTma_clmp_swiGlu_dynB_sm100f",
             "experts"},
            {"bmm_E2m1_E2m1E2m1_Fp32_bA16_bB16_bC16_t128x8x512u2_s5_et128x8_m128x8x64_cga1x1x1_16dp256b_rM_TN_transOut_"
             "schedS_biasM_bN_ldgsts_tmaOpt_clmp_swiGlu_dynBatch_sm100f",
             "experts"},
            {"_ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversalINS1_"
             "17GroupProblemShapeIN4cute5tupleIJlllEEEEENS1_10collective13CollectiveMmaINS1_"
             "39MainloopSm90ArrayTmaGmmaWarpSpecializedILi12E..31EpilogueMoeFusedFinalizeBuilder",
             "experts"},
            {"void fused_moe::run_global<fused_moe::Fused_Moe_Kernel_sm80<cutlass::bfloat16_t, cutlass::bfloat16_t, "
             "cutlass::bfloat16_t, 32, 128, 64, 4, (fused_moe::Activation_Type)3> >",
             "experts"},
            {"void marlin_moe_wna16::Marlin<1125899906909960l, 562949953487106l, 1125899906909960l, 2814749767>",
             "experts"},
            {"_ZN5aiter50fmoe_bf16_blockscaleFp8_g1u1_vs_silu_1tg_ps_32x256E", "experts"},
            {"aiter::fmoe_bf16_pertokenMXfp4_g1u1_flat_novs_silu_16x256", "experts"},
            {"void ck_tile::kentry<2, ck_tile::MoeFlatmmKernel<ck_tile::GemmSpatiallyLocalTilePartitioner<ck_ti.",
             "experts"},
            {"mfma_moe1_silu_mul_afp8_wfp4_fp8_t32x128x256_p", "experts"},
            {"mfma_moe2_afp8_wfp4_bf16_cshuffle_t32x256x256_", "experts"},
            {"void deep_gemm::fp8_gemm_kernel<4096u, 7168u, 256u, 128u, 128u, 0u, 128u, 4u, 3u, 128u, 128u, 1u, true, "
             "(deep_gemm::GemmType)2>(__nv_bfloat16*, float*, int*)",
             "experts"},
            {"void tensorrt_llm::kernels::cutlass_kernels::computeStridesTmaWarpSpecializedKernel<__nv_bfloat16, "
             "__nv_bfloat16, __nv_bfloat16, __nv_bfloat16>",
             "experts"},
            {"void deep_gemm::sm90_fp8_gemm_1d2d_impl<(cute::UMMA::Major)0, 0u, 4096u, 1024u, 1u, 256u, 128u, 128u, "
             "3u, 128u, 256u, 2u, true, 132u, (deep_gemm::GemmType)0, "
             "deep_gemm::epilogue::transform::EpilogueIdentity>",
             "gemm"},
            {"nvjet_tst_64x8_64x16_4x1_v_bz_splitK_TNT", "gemm"},
            {"void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16, float, __nv_bfloat16, false>",
             "gemm"},
            {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, __nv_bfloat16, __nv_bfloa",
             "gemm"},
            {"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT16x32x512", "gemm"},
            {"_w8a8_triton_block_scaled_mm", "gemm"},
            {"void marlin::Marlin<1125899906909960l, 562949953487106l>", "gemm"},
            {"void wvSplitKrc_<__hip_bfloat16, 64, 16, 4, 8>", "gemm"},
            {"hgemm_bf16_32x64x128x5_SPK8_W2x2x1_BLDS1_TN_AS1_0", "gemm"},
            {"_gemm_a8w8_blockscale_kernel_GROUP_K_128", "gemm"},
            {"aiter::fp8gemm_bf16_blockscale_BpreShuffle_32x128", "gemm"},
            {"void ck::kernel_gemm_xdl_cshuffle_v3_multi_d_b_preshuffle<ck::Gridwise>", "gemm"},
            {"void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8>", "gemm"},
            {"kernel_cutlass_kernel_flashinfergemmkernelsdense_blockscaled_gemm_"
             "sm100Sm100BlockScaledPersistentDenseGemmKernel_object_",
             "gemm"},
            {"void "
             "cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<flash::"
             "CollectiveMainloopFwdSm90<2>>>>",
             "attention"},
            {"void cutlass::device_kernel<flash::FlashAttnFwdCombine<cute::tuple<cute::C<8>, cute::C<128> >, 5, 256, "
             "1, false, true>>",
             "attention"},
            {"void flash::prepare_varlen_num_blocks_kernel<1, true>", "attention"},
            {"void smxx::decode::flash_fwd_mla_combine_kernel<cutlass::bfloat16_t, 512, 8, 32, 256>", "attention"},
            {"get_mla_metadata_kernel(GetDecodingMetadataParams)", "attention"},
            {"void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, __nv_bfloat16, (vllm::Fp8KVCacheDataType)0>",
             "attention"},
            {"void vllm::concat_and_cache_mla_kernel<__nv_bfloat16, unsigned char, (vllm::Fp8KVCacheDataType)1>",
             "attention"},
            {"void flashinfer::PersistentVariableLengthMergeStatesKernel<8, 16, 8, 4, __nv_bfloat16, __nv_bfloat16, "
             "int>",
             "attention"},
            {"kernel_unified_attention_3d", "attention"},
            {"reduce_segments", "attention"},
            {"_fwd_grouped_kernel_stage1", "attention"},
            {"_fwd_kernel_stage2", "attention"},
            {"create_flashinfer_kv_indices_triton", "attention"},
            {"void (anonymous namespace)::store_kvcache<2048l, 4, false, long>((anonymous "
             "namespace)::StoreKVCacheParams)",
             "attention"},
            {"set_mla_kv_buffer_kernel", "attention"},
            {"fmhaSm100fKernel_QkvE4m3OBfloat16H128PagedKvCausalP16VarSeqQ16Kv128StaticSwapsAbForGen", "attention"},
            {"kernel_mha", "attention"},
            {"void tensorrt_llm::kernels::applyBiasRopeUpdateKVCacheV2<__nv_bfloat16, __nv_bfloat16, 256, 128, false, "
             "false, false, true, tensorrt_llm::kernels::KVBlockArray>",
             "attention"},
            {"void deep_gemm::sm90_fp8_paged_mqa_logits<1u, 64u, 128u>", "attention"},
            {"void vllm::topKPerRowDecode<1024, true, false, true>", "attention"},
            {"void vllm::sampled_topk::sampled_topk_kernel<512>(float const*, int const*, int*, long, int)",
             "attention"},
            {"_dsv4_topk_kernel", "attention"},
            {"aiter::mla_a8w8_qh16_qseqlen1_gqaratio16_ps", "attention"},
            {"void kn_mla_reduce_v1<MlaReduceKernelV1Traits<512, 128, 1>, float, bfloat16>", "attention"},
            {"void paged_attention_ll4mi_reduce_kernel<__hip_bfloat16, __hip_bfloat16, 128, 128, 256, 3, false>",
             "attention"},
            {"void selective_scan_fwd_kernel<Selective_Scan_fwd_kernel_traits<64, 4>>", "state space"},
            {"_selective_scan_update_kernel", "state space"},
            {"_chunk_scan_fwd_kernel", "state space"},
            {"_state_passing_fwd_kernel", "state space"},
            {"_bmm_chunk_fwd_kernel", "state space"},
            {"_causal_conv1d_update_kernel", "state space"},
            {"fused_recurrent_gated_delta_rule_packed_decode_kernel", "state space"},
            {"chunk_gated_delta_rule_fwd_kernel_h_blockdim64", "state space"},
            {"chunk_fwd_kernel_o", "state space"},
            {"recompute_w_u_fwd_kernel", "state space"},
            {"chunk_scaled_dot_kkt_fwd_kernel", "state space"},
            {"_FullyFusedDeltaRuleSm90", "state space"},
            {"fused_gdn_gating_kernel", "state space"},
            {"void (anonymous namespace)::kda_decode_fusion_many_heads_kernel<true, true, 96, 96>", "state space"},
            {"void vllm::rotary_embedding_kernel<c10::BFloat16, true>", "rotary"},
            {"void flashinfer::BatchQKApplyRotaryPosIdsCosSinCacheHeadParallelismKernel<false, 128>", "rotary"},
            {"void (anonymous namespace)::fused_rope_kernel<true, 128l, true, __nv_bfloat16, long, 16u>", "rotary"},
            {"void tensorrt_llm::kernels::fusedQKNormRopeKernel<128, false>", "rotary"},
            {"aiter::kn_entry_2c_sbhd_cached_indirect_inplace", "rotary"},
            {"_triton_mrope_forward_fused", "rotary"},
            {"void flashinfer::norm::FusedAddRMSNormKernel<8u, __nv_bfloat16>", "normalisation"},
            {"_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb0ELb0ELb1ELi1EEEvPT0_PT_PfS4_S4_S4_diiiiiiib",
             "normalisation"},
            {"_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePass..NS_"
             "23Rmsnorm2dFusedQuantEnumE0E",
             "normalisation"},
            {"void vllm::rms_norm_static_fp8_quant_kernel<c10::BFloat16, c10::Float8_e4m3fn>", "normalisation"},
            {"kernel_cutlass_kernel_flashinfernormkernelsfused_add_rmsnormFusedAddRMSNormKernel_object_at__"
             "tensorptrbf16gmemalign128o409640961",
             "normalisation"},
            {"_fused_rms_fp8_group_quant_kernel", "normalisation"},
            {"_layer_norm_fwd_1pass_kernel", "normalisation"},
            {"_gemma_fused_add_rmsnorm_kernel", "normalisation"},
            {"l2norm_fwd_kernel", "normalisation"},
            {"_q_kv_norm_quant_kernel", "normalisation"},
            {"void per_token_group_quant_8bit_kernel<c10::BFloat16, __nv_fp8_e4m3, false, false, float>",
             "quantisation"},
            {"_ZN5aiter37dynamic_per_group_scaled_quant_kernelIDF16b", "quantisation"},
            {"void vllm::dynamic_per_token_scaled_fp8_quant_kernel_strided<c10::BFloat16, c10::Float8_e4m3fn>",
             "quantisation"},
            {"void vllm::segmented_max_reduction_strided<c10::BFloat16, c10::Float8_e4m3fn>", "quantisation"},
            {"void vllm::cvt_fp16_to_fp4<__nv_bfloat16, false>", "quantisation"},
            {"kernel_cutlass_kernel_flashinferquantizationkernelsmxfp8_quantizeMXFP8QuantizeSwizzledKernel_object_at__"
             "tensorptrbf16gme",
             "quantisation"},
            {"_ZN5aiter30fused_mx_quant_moe_sort_kernelIDF16", "quantisation"},
            {"aiter::mxfp4_moe_sort_kernel", "quantisation"},
            {"void deep_gemm::transpose_and_pack_fp32_into_ue8m0<512u, 128u, 24u>", "quantisation"},
            {"void vllm::act_and_mul_kernel<c10::BFloat16, __nv_bfloat162, &(c10::BFloat16 "
             "vllm::silu_kernel<c10::BFloat16>(c10::BFloat16 const&))>",
             "elementwise"},
            {"_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_S5_EEEEvPS3_"
             "PS4_i",
             "elementwise"},
            {"void tensorrt_llm::kernels::cutlass_kernels::doActivationKernel<__nv_fp4_e2m1, __nv_bfloat16, "
             "__nv_bfloat16, GLUAdaptor<cutlass::epilogue::thread::SiLu>, "
             "(TmaWarpSpecializedGroupedGemmInput::FpXBlockScalingType)0>",
             "elementwise"},
            {"silu_and_mul_triton_kernel", "elementwise"},
            {"_silu_mul_fp8_quant_deep_gemm", "elementwise"},
            {"_fused_clamp_silu_mul_kernel_BLOCK_SIZE_N_4096", "elementwise"},
            {"void flashinfer::sampling::TopKTopPSamplingFromProbKernel<1024u>", "sampling"},
            {"void flashinfer::sampling::TopPRenormProbKernel<1024>", "sampling"},
            {"void flashinfer::sampling::TopKMaskLogitsKernel<1024>", "sampling"},
            {"void flashinfer::sampling::ChainSpeculativeSampling<1024>", "sampling"},
            {"void TreeSpeculativeSamplingTargetOnly<1024>", "sampling"},
            {"void VerifyTreeGreedy<int, long>", "sampling"},
            {"rejection_greedy_sample_kernel", "sampling"},
            {"rejection_random_sample_kernel", "sampling"},
            {"sample_recovered_tokens_kernel", "sampling"},
            {"_gumbel_sample_kernel", "sampling"},
            {"_topk_topp_kernel", "sampling"},
            {"_penalties_kernel", "sampling"},
            {"_temperature_kernel", "sampling"},
            {"_min_p_kernel", "sampling"},
            {"_apply_grammar_bitmask_kernel", "sampling"},
            {"apply_token_bitmask_inplace_kernel", "sampling"},
            {"void vllm::apply_repetition_penalties_kernel<float>", "sampling"},
            {"void tensorrt_llm::kernels::topKStage2Sampling<float, 128, 8>", "sampling"},
            {"void tensorrt_llm::kernels::batchApplyPenalty<__half>", "sampling"},
            {"tensorrt_llm::kernels::computeToppDecay(float*)", "sampling"},
            {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::ArgMaxOps<float>, "
             "unsigned int, long, 4, 4> >",
             "sampling"},
            {"void at::native::(anonymous namespace)::sampleMultinomialOnce<float, float>", "sampling"},
            {"_topk_log_softmax_kernel", "sampling"},
            {"triton_red_fused_moe_forward_shared_rms_norm_0", "triton"},
            {"triton_poi_fused_constant_pad_nd_moe_forward_0", "triton"},
            {"triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_1", "triton"},
            {"void at::native::(anonymous namespace)::upsample_nearest2d_out_frame<float>", "other"},
            {"void fbgemm_gpu::permute_2D_data_kernel<false, int, int, decltype(nullptr)>", "other"},
            {"void deep_gemm::sm100_fp8_fp4_mega_moe_impl<1>", "fused"},
            {"_ZN5aiter42pa_bf16_pertokenFp8_gqa10_1tg_4w_mtp3_msk1E", "attention"},
            {"batched_triton_kernel", "experts"},
            {"void tensorrt_llm::kernels::fp8_blockscale_gemm::scale_1x128_kernel<__nv_bfloat16, __nv_fp8_e4m3>",
             "quantisation"},
        };
        for (const auto& [name, expected] : kNames)
            QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(expected);
    }
    void kernelsOfEnginesHaveTheirKind() { computeSplitsIntoKinds(); }

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
