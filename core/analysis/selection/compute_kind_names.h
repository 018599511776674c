// SPDX-License-Identifier: GPL-3.0-or-later
// Names by which kernels of computation are told apart: of PyTorch, and of the engines vLLM, SGLang and TensorRT-LLM
// with their libraries (FlashInfer, FlashAttention, FlashMLA, Marlin, AITER, DeepGEMM, Triton's kernels).
#pragma once
#include <span>
#include <string_view>

#include "core/analysis/selection/kernel_class.h"

namespace rankscope {

struct ComputeKindName {
    ComputeKind kind;
    std::string_view word; ///< lower case, found anywhere in the lower-cased name
};

/// The first match wins, so the special stands before the general: a convolution by implicit GEMM is a convolution.
/// Arguments are part of a name: what puts rows in order names the grouped product that follows it.
std::span<const ComputeKindName> compute_kind_names();

} // namespace rankscope
