// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks are compared with each other.
//   Ranks 0 to 3 are stage 0 and ranks 4 to 7 stage 1: two classes of four.
//   Each stage has one rank, and all run mostly the same kernels: one class of all, across_stages.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/graph/step_graph.h"
#include "core/analysis/usual/kernels_in_place.h"
#include "core/analysis/usual/work_of_steps.h"

namespace rankscope {

/// Peers: ranks of the same pipeline stage, or, where a stage has one rank, those whose kernels are mostly the same.
struct PeerClasses {
    std::vector<std::uint32_t> peer_class; ///< per rank
    std::vector<std::uint32_t> class_size; ///< per class
    /// The peers are other stages, which may have more work to do: then only a rank whose kernels are slower nearly all
    /// is compared, and work that the others do not have says nothing.
    bool across_stages = false;
    bool lone_in_stage = false; ///< a stage has one rank
};

/// The parameters are those of peer_times().
PeerClasses peer_classes(const Run& run, const StepGraph& graph, const WorkOfSteps& work,
                         const std::vector<int>& stages, const KernelsInPlace& in_place, std::span<const double> even);

} // namespace rankscope
