// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/selection/communication_names.h"

#include <array>
#include <string>

#include <re2/re2.h>

namespace rankscope {
namespace {

/// Words that compute kernels have too ("reduce", "dispatch", "combine", "allreduce" of a block of threads) only count
/// beside one that tells the library. Names run together: "AsyncClusterBarrier" has "nccl" in it, "srcClass" "rccl".
constexpr auto kNames = std::to_array<CommunicationName>({
    {"(?:^|[^y])nccl", "NCCL, and RCCL under its names; PyTorch's symmetric kernels of NCCL",
     "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"},
    {"(?:^|[^s])rccl", "RCCL", "rccl_main_kernel"},
    {"msccl", "MSCCL (RCCL runs its programs) and MSCCL++",
     "mscclKernel_Sum_float_Simple_false(ncclDevComm*, mscclAlgo*)"},
    {"hccl|\\bhcom_", "Ascend's HCCL; Habana's HCCL", "hcom_allReduce__974_0_1"},
    {"oneccl_", "oneCCL, SYCL kernels", "typeinfo name for oneccl_alltoall_pcie<sycl::half>"},
    {"nvshmem", "NVSHMEM, on the stream and in PyTorch's extension", "nvshmemi_proxy_quiet_on_stream_kernel(int)"},
    {"deep_?ep(?:[^a-z]|$)|dpsk::ep::|\\d+dpsk2ep\\d", "DeepEP, its own namespace and DeepSeek's",
     "void dpsk::ep::internode::combine<(bool)1, __nv_bfloat16, 4, 16>(int4*, float*)"},
    {"\\b(?:internode|internode_ll|intranode)::(?:dispatch|combine|notify_dispatch|cached_notify)",
     "DeepEP in other namespaces", "void ep_fork::intranode::notify_dispatch<8>(int const*, int*)"},
    {"\\d(?:internode|internode_ll|intranode)\\d+(?:dispatch|combine|notify_dispatch|cached_notify)",
     "DeepEP in other namespaces, not demangled", "_ZN7ep_fork9intranode7combineI13__nv_bfloat16Li8EEEvPT_"},
    {"\\bnixl_ep::|\\d+nixl_ep\\d", "NIXL's expert parallelism (ai-dynamo/nixl, examples/device/ep/csrc/kernels)",
     "void nixl_ep::ep_kernels::dispatch<(bool)0, (bool)0, 7168>(void*, void*, int*, long*, int*)"},
    {"\\bmooncake::|\\d+mooncake\\d",
     "Mooncake's expert parallelism and process group (kvcache-ai/Mooncake, mooncake-ep/src, mooncake-pg/src)",
     "mooncake::enqueueTaskKernel(c10d::OpType, unsigned long, long, int, unsigned long, void*, mooncake::Task*)"},
    {"hybrid_ep::", "DeepEP's hybrid kernels", "void hybrid_ep::dispatch_kernel<HYBRID_EP>(dispatch_param)"},
    {"\\bEp(?:Dispatch|Combine)(?:Intra|Inter)Node", "MORI, AMD's expert parallelism",
     "EpDispatchIntraNodeKernel_bf16"},
    {"\\ba2a_(?:dispatch|combine)_(?:send|recv)|\\bpplx::", "Perplexity's pplx-kernels and pplx-garden",
     "void a2a_dispatch_send_kernel<true, 16u, 8u, NotFixed>(unsigned long)"},
    {"moe_?a2a_?(?:dispatch|combine)|moe_?all_?to_?all|\\bmoe_comm::",
     "TensorRT-LLM, FlashInfer: all-to-all of experts",
     "void tensorrt_llm::kernels::mnnvl_throughput::moeA2ADispatchKernel<8>()"},
    {"cross_device_(?:reduce|store)", "vLLM, SGLang, AITER: custom all-reduce and its first step",
     "void aiter::reduce_scatter_cross_device_store<__hip_bfloat16, 8>(aiter::RankData*)"},
    {"\\b(?:one|two)_shot_|(?:one|two)_?shot_?(?:all_?reduce|all_?gather|reduce_?scatter)",
     "PyTorch's symmetric memory, vLLM, TensorRT-LLM, FlashInfer",
     "void tensorrt_llm::kernels::twoShotAllReduceKernel<__half, 8, true>(AllReduceParams)"},
    {"all_?reduce_?(?:one|two)_?shot", "SGLang's custom all-reduce",
     "(anonymous namespace)::all_reduce_one_shot_push_kernel<__nv_bfloat16, 8u, true>"},
    {"multimem_(?:one_shot_)?(?:all_?reduce|all_?gather|reduce_?scatter)",
     "PyTorch's symmetric memory over NVLS, SGLang",
     "void multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, unsigned long)"},
    {"\\bsymmetric_memory::|symm_mem", "PyTorch's symmetric memory: barriers and signals",
     "c10d::symmetric_memory::barrier_kernel(unsigned int**, int, int, int, unsigned long)"},
    {"\\bbarrier_on_stream_kernel|\\bfbgemm_gpu::(?:car_barrier|(?:one|two)_shot_car)|CudaIpcBarrier",
     "Barriers of NVSHMEM, FBGEMM and Flux, which wait for the other ranks",
     "void fbgemm_gpu::car_barrier(int, int, std::array<int*, 8>, int*)"},
    {"all_?reduce_?fusion|\\bar_fusion::", "TensorRT-LLM, FlashInfer: all-reduce with what follows it",
     "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<__half, 8>()"},
    {"quick_?reduce|allreduce_prototype_(?:one|two)shot", "quick reduce of vLLM, SGLang, AITER on AMD",
     "void quickreduce::allreduce_prototype_twoshot<AllReduceTwoshot<__half, CodecQ4>, __half>()"},
    {"user_?buffers_", "Transformer Engine, TensorRT-LLM, RTP-LLM: user buffers",
     "userbuffers_fp16_sum_inplace_gpu_rr_rs_oop<8>(int, int, int, int*, void**)"},
    {"\\bcollective_subgraph_execution", "MTIA", "collective_subgraph_execution"},
    {"^(?:all-reduce|all-gather|reduce-scatter|(?:ragged-)?all-to-all|collective-(?:permute|broadcast))"
     "(?:-start|-done)?(?:\\.\\d+)*$",
     "XLA's operators on a TPU, where the event is the operator", "all-reduce-done.12"},
});

const re2::RE2& any_name() {
    static const re2::RE2 expression = [] {
        std::string all = "(?i)";
        for (const CommunicationName& name : kNames)
            all += (all.size() > 4 ? "|" : "") + ("(?:" + std::string(name.pattern) + ")");
        return all;
    }();
    return expression;
}

} // namespace

std::span<const CommunicationName> communication_names() { return kNames; }

bool names_communication(std::string_view kernel_name) {
    // SGLang's kernels around DeepEP put rows in order on one GPU.
    for (const std::string_view local : {"deepep_permute", "deepep_post_reorder", "deepep_compute_src2dst"})
        if (kernel_name.find(local) != std::string_view::npos)
            return false;
    return re2::RE2::PartialMatch(re2::StringPiece(kernel_name.data(), kernel_name.size()), any_name());
}

} // namespace rankscope
