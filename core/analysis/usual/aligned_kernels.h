// SPDX-License-Identifier: GPL-3.0-or-later
// Which computation of different stages is the same, though a stage has kernels that others do not have.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/graph/step_graph.h"
#include "core/analysis/usual/kernels_in_place.h"

namespace rankscope {

inline constexpr std::uint64_t kNotAligned = ~std::uint64_t{0};

/// Per node of computation in a profiler step its place in that step, the same one on all ranks of a class: a number of
/// the launching thread and a kernel of that thread, by the longest common sequence of names with the rank of the class
/// that has the middle number of kernels. A head of the last stage, whose matrix products have the names of a layer's,
/// then shifts no other kernels of these names; where names leave open which are the head's, they are those
/// after a pause of the host. kNotAligned of kernels that the other rank does not have, of other nodes, and of a thread
/// in a step where some rank takes passes in another order: the sequence then leaves out more of some name than one of
/// them has more of it. peer_class: per rank.
std::vector<std::uint64_t> aligned_kernels(const Run& run, const StepGraph& graph, const KernelsInPlace& in_place,
                                           std::span<const std::uint32_t> peer_class);

} // namespace rankscope
