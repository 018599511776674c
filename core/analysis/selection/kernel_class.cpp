// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel classes by name. The patterns live in tables (communication: communication_names.cpp); a rank asks them once
// per distinct name, never per event.
#include "core/analysis/selection/kernel_class.h"

#include <algorithm>

#include "core/analysis/selection/communication_names.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

struct KindPattern {
    ComputeKind kind;
    std::string_view word; ///< lower case, found anywhere in the lower-cased name
};

/// First match wins, so the special stands before the general: a convolution by implicit GEMM is a convolution.
constexpr KindPattern kComputeKinds[] = {
    // Flux (src/ag_gemm/gemm_v3_ag_kernel.hpp, src/gemm_rs)
    {ComputeKind::fused, "sm90aggemmuniversal"},
    {ComputeKind::fused, "agkerneltilescheduler"},
    {ComputeKind::fused, "tileschedulersm90reducescatter"},
    // Triton-distributed (python/triton_dist/kernels), by its functions and by the names that it gives them
    {ComputeKind::fused, "kernel_consumer_gemm"},
    {ComputeKind::fused, "_consumer_gemm_persistent"},
    {ComputeKind::fused, "kernel_gemm_rs_producer"},
    {ComputeKind::fused, "_gemm_rs_persistent"},
    {ComputeKind::fused, "gemmallreduce"}, // CUTLASS's distributed_gemm_all_reduce_blackwell.py, FlashInfer
    {ComputeKind::triton, "triton_"},
    {ComputeKind::attention, "flash"},
    {ComputeKind::attention, "fmha"},
    {ComputeKind::attention, "attention"},
    {ComputeKind::attention, "attn"},
    {ComputeKind::attention, "paged_"},
    {ComputeKind::attention, "kvcachekernel"},             // FlashInfer's BatchDecodeWithPagedKVCacheKernel
    {ComputeKind::attention, "mergestate"},                // and what joins its parts
    {ComputeKind::attention, "_fwd_grouped_kernel_stage"}, // SGLang's, in Triton
    {ComputeKind::attention, "_fwd_kernel_stage"},
    {ComputeKind::optimiser, "multi_tensor_apply"},
    {ComputeKind::optimiser, "multitensorapply"},
    {ComputeKind::optimiser, "adam"},
    {ComputeKind::optimiser, "lamb_"},
    {ComputeKind::optimiser, "sgd_"},
    {ComputeKind::optimiser, "optimizer"},
    {ComputeKind::normalisation, "layer_norm"},
    {ComputeKind::normalisation, "layernorm"},
    {ComputeKind::normalisation, "rms_norm"},
    {ComputeKind::normalisation, "rmsnorm"},
    {ComputeKind::normalisation, "batch_norm"},
    {ComputeKind::normalisation, "batchnorm"},
    {ComputeKind::normalisation, "group_norm"},
    {ComputeKind::normalisation, "groupnorm"},
    {ComputeKind::normalisation, "rowwisemoments"},
    {ComputeKind::normalisation, "gammabeta"},
    {ComputeKind::normalisation, "bn_fw"},
    {ComputeKind::normalisation, "bn_bw"},
    {ComputeKind::normalisation, "softmax"},
    {ComputeKind::convolution, "convol"},
    {ComputeKind::convolution, "conv1d"},
    {ComputeKind::convolution, "conv2d"},
    {ComputeKind::convolution, "conv3d"},
    {ComputeKind::convolution, "conv_"},
    {ComputeKind::convolution, "fprop"},
    {ComputeKind::convolution, "cudnn_"},
    {ComputeKind::convolution, "winograd"},
    {ComputeKind::convolution, "wgrad"},
    {ComputeKind::convolution, "dgrad"},
    {ComputeKind::convolution, "igemm_"},
    {ComputeKind::convolution, "im2col"},
    {ComputeKind::convolution, "miopen"},
    {ComputeKind::embedding, "embedding"},
    {ComputeKind::embedding, "index"},
    {ComputeKind::embedding, "gather"},
    {ComputeKind::embedding, "scatter"},
    {ComputeKind::gemm, "gemm"},
    {ComputeKind::gemm, "gemv"},
    {ComputeKind::gemm, "cijk_"},
    {ComputeKind::gemm, "cutlass"},
    {ComputeKind::gemm, "matmul"},
    {ComputeKind::gemm, "splitkreduce"},
    {ComputeKind::gemm, "nvjet"},
    {ComputeKind::gemm, "xmma"},
    {ComputeKind::gemm, "s884"},
    {ComputeKind::gemm, "s1688"},
    {ComputeKind::gemm, "bmm_"}, // TensorRT-LLM: bmm_Bfloat16_E2m1E2m1_Fp32_t128x8x512...
    {ComputeKind::gemm, "fused_moe_kernel"},
    {ComputeKind::reduction, "reduce"},
    {ComputeKind::reduction, "reduction"},
    {ComputeKind::reduction, "cub::devicescan"},
    {ComputeKind::reduction, "argmax"},
    {ComputeKind::reduction, "topk"},
    {ComputeKind::elementwise, "elementwise"},
    {ComputeKind::elementwise, "pointwise"},
    {ComputeKind::elementwise, "catarray"},
    {ComputeKind::elementwise, "copy"},
    {ComputeKind::elementwise, "fill"},
    {ComputeKind::elementwise, "dropout"},
    {ComputeKind::elementwise, "gelu"},
    {ComputeKind::elementwise, "silu"},
    {ComputeKind::elementwise, "relu"},
    {ComputeKind::elementwise, "transpose"},
    {ComputeKind::elementwise, "cast"},
};

/// One of the runtime's own copy kernels: the whole name, with or without ".kd".
bool is_copy_kernel(std::string_view name) {
    if (name.ends_with(".kd"))
        name.remove_suffix(3);
    return name == "MEMORY_COPY_HOST_TO_DEVICE" || name == "MEMORY_COPY_DEVICE_TO_HOST" ||
           name == "MEMORY_COPY_DEVICE_TO_DEVICE" || name == "__amd_rocclr_copyBuffer" ||
           name == "__amd_rocclr_copyBufferAligned" || name == "__amd_rocclr_copyBufferRect" ||
           name == "__amd_rocclr_copyBufferRectAligned";
}

} // namespace

std::string_view kernel_class_word(KernelClass c) {
    switch (c) {
    case KernelClass::compute: return "compute";
    case KernelClass::communication: return "communication";
    case KernelClass::memory_copy: return "memcpy";
    case KernelClass::memory_set: return "memset";
    }
    return "compute";
}

std::string_view compute_kind_word(ComputeKind kind) {
    switch (kind) {
    case ComputeKind::fused: return "fused";
    case ComputeKind::gemm: return "gemm";
    case ComputeKind::attention: return "attention";
    case ComputeKind::convolution: return "convolution";
    case ComputeKind::normalisation: return "normalisation";
    case ComputeKind::elementwise: return "elementwise";
    case ComputeKind::reduction: return "reduction";
    case ComputeKind::embedding: return "embedding";
    case ComputeKind::optimiser: return "optimiser";
    case ComputeKind::triton: return "triton";
    case ComputeKind::other: break;
    }
    return "other";
}

KernelClass built_in_class(EventKind kind, std::string_view name) {
    if (kind == EventKind::memcpy)
        return KernelClass::memory_copy;
    if (kind == EventKind::memset)
        return KernelClass::memory_set;
    if (is_copy_kernel(name))
        return KernelClass::memory_copy;
    // The runtime's fill kernels (__amd_rocclr_fillBuffer) match nothing below, and so are compute, as they should be.
    return names_communication(name) ? KernelClass::communication : KernelClass::compute;
}

ComputeKind compute_kind(std::string_view kernel_name) {
    std::string lower = lower_case(kernel_name);
    // A library of all kinds of kernels, whose name says of none that it is attention.
    constexpr std::string_view kLibrary = "flashinfer";
    for (std::size_t at = lower.find(kLibrary); at != std::string::npos; at = lower.find(kLibrary, at))
        lower.erase(at, kLibrary.size());
    for (const KindPattern& pattern : kComputeKinds)
        if (lower.find(pattern.word) != std::string::npos)
            return pattern.kind;
    return ComputeKind::other;
}

} // namespace rankscope
