// SPDX-License-Identifier: GPL-3.0-or-later
// Microbatches of unequal length, told by all the stages that compute them: ranks of other pipelines, which have other
// microbatches, are then compared by what the same length would take.
#pragma once
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/collectives/rank_sets.h"
#include "core/analysis/replay/beside_communication.h"
#include "core/analysis/replay/kernels_in_place.h"
#include "core/analysis/replay/step_graph.h"

namespace rankscope {

/// Ranks that messages join, directly or through others: those of a pipeline compute the same microbatches.
RankSets pipelines_of(const CollectiveMatching& matching, std::size_t ranks);

/// Measured in turns: a microbatch beside communication looks longer, and then communication seems to cost less.
struct InputLengths {
    std::vector<double> of_node;
    BesideCommunication beside; ///< with these lengths

    /// Per node, what its recorded duration times this would be alone, in a microbatch of the usual length: ranks are
    /// compared by that. even: likewise of experts, or empty. The result is empty where nothing differs.
    [[nodiscard]] std::vector<double> comparable(const StepGraph& graph, const std::vector<double>& even) const;
};

/// of_node: how long its microbatch is, 1 as long as usual; of nodes that no other stage tells of, as what the same
/// thread launched before it, or as the kernels of that name elsewhere. Empty where lengths do not clearly differ, or
/// no messages tell the pipelines. A microbatch that takes longer on half of the stages of a pipeline or more, than is
/// usual on the fastest rank of the stage at the same place (kernels_by_place()), is longer; what one stage alone takes
/// longer for is its own. Pipelines that tell the same, as those of a tensor-parallel group do, tell it together.
/// Empty as well where the stages of a pipeline contradict each other: where one thread launches forward and backward
/// passes, the same place is another microbatch's on each stage. And where lengths differ from step to step only, in
/// which some stage is slow: then it is that. stages: of peer_stages().
InputLengths input_lengths(const Run& run, const StepGraph& graph, const CollectiveMatching& matching,
                           const std::vector<int>& stages, const KernelsInPlace& in_place);

} // namespace rankscope
