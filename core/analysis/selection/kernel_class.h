// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU event is for: computation, communication, memory; and which kind of computation.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

enum class KernelClass : std::uint8_t { compute, communication, memory_copy, memory_set };
inline constexpr std::size_t kKernelClassCount = 4;
std::string_view kernel_class_word(KernelClass c); ///< "compute", "communication", "memcpy", "memset"

/// Finer classes of compute, for tables and colours.
enum class ComputeKind : std::uint8_t {
    fused, ///< with communication: how long such a kernel waits for other ranks is not recorded
    gemm,
    attention,   ///< with what writes its keys and values
    experts,     ///< products of a mixture of experts
    routing,     ///< which token goes to which expert
    dispatch,    ///< tokens are put in the order of their experts
    combine,     ///< and back
    state_space, ///< Mamba and the like
    convolution,
    normalisation,
    rotary, ///< position embedding
    quantisation,
    sampling, ///< the next token is chosen
    elementwise,
    reduction,
    embedding,
    optimiser,
    triton,
    other
};
inline constexpr std::size_t kComputeKindCount = static_cast<std::size_t>(ComputeKind::other) + 1;
std::string_view compute_kind_word(ComputeKind kind);

/// By kind and name alone, without rules of the user's; what everybody asks is KernelClassRules.
KernelClass built_in_class(EventKind kind, std::string_view name);
ComputeKind compute_kind(std::string_view kernel_name);

} // namespace rankscope
