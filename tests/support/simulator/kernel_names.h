// SPDX-License-Identifier: GPL-3.0-or-later
// Names of kernels as PyTorch, cuBLAS and FlashAttention give them on an H100.
#pragma once

namespace rankscope::machine {

inline constexpr const char* kQkvGemm =
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute"
    "_segment_k_off_kernel__5x_cublas";
inline constexpr const char* kWideGemm =
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x256x64_warpgroupsize2x1x1_"
    "execute_segment_k_off_kernel__5x_cublas";
inline constexpr const char* kWeightGemm =
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n_tilesize128x128x64_warpgroupsize1x1x1_"
    "execute_segment_k_off_kernel__5x_cublas";
inline constexpr const char* kFlash = "void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, "
                                      "cutlass::bfloat16_t> >(Flash_fwd_params)";
inline constexpr const char* kFlashBackward =
    "void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, "
    "64, 128, 8, 2, 4, 2, false> >(Flash_bwd_params)";
inline constexpr const char* kGelu =
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::"
    "TensorIteratorBase&, at::native::GeluType)::{lambda(c10::BFloat16)#1} >";
inline constexpr const char* kGeluBackward =
    "void at::native::vectorized_elementwise_kernel<4, at::native::"
    "GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&)::{lambda(c10::BFloat16)#1} >";
inline constexpr const char* kCopyOut =
    "void at::native::(anonymous namespace)::split_with_sizes_copy_out_contiguous_no_cast_"
    "kernel(char**, char**, long*, long*, long)";
inline constexpr const char* kEmbedding =
    "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, "
    "unsigned int, 2, 2, -2, true>()";
inline constexpr const char* kEmbeddingBackward =
    "void at::native::(anonymous namespace)::embedding_backward_feature_kernel<"
    "c10::BFloat16, float, long>()";
inline constexpr const char* kLoss =
    "void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, c10::BFloat16, float, "
    "float, LogSoftMaxForwardEpilogue>()";
inline constexpr const char* kNorm =
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<LpNormFunctor<float, "
    "2, 1, 1, 0> >()";
inline constexpr const char* kAdam =
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor<"
    "float, 4, ADAM_MODE::ADAMW, false> >()";

} // namespace rankscope::machine
