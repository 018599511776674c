// SPDX-License-Identifier: GPL-3.0-or-later
// Microbatches of unequal length, told by all the stages that compute them: ranks of other pipelines, which have other
// microbatches, are then compared by what the same length would take.
#pragma once
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/replay/step_graph.h"

namespace rankscope {

/// Per node: how long its microbatch is, 1 as long as usual; of nodes that no other stage tells of, as the work that
/// the same thread launched before it. Empty where lengths do not clearly differ, or no messages tell the pipelines.
/// A microbatch that takes longer on half of the stages of a pipeline or more, than is usual on the fastest rank of the
/// stage at the same place (the n-th kernel of a name and launching thread in the step), is longer; what one stage
/// alone takes longer for is its own. Empty as well where the stages of a pipeline contradict each other: where one
/// thread launches forward and backward passes, the same place is another microbatch's on each stage. stages: of
/// peer_stages().
std::vector<double> input_lengths(const Run& run, const StepGraph& graph, const CollectiveMatching& matching,
                                  const std::vector<int>& stages);

} // namespace rankscope
