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
    gemm,
    attention,
    convolution,
    normalisation,
    elementwise,
    reduction,
    embedding,
    optimiser,
    triton,
    other
};
std::string_view compute_kind_word(ComputeKind kind);

/// Class by kind and name alone (metrics.md, "Kernel classes", rules 2-5); collective arguments, when present, decide
/// before.
KernelClass classify_kernel(EventKind kind, std::string_view name);
ComputeKind compute_kind(std::string_view kernel_name);

/// Class of every GPU event of the rank: entry i belongs to event i, i < gpu_count.
std::vector<KernelClass> classify_gpu_events(const RankTrace& rank);

} // namespace rankscope
