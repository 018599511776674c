// SPDX-License-Identifier: GPL-3.0-or-later
// Which work is the same: how long it would take if it were as long on every rank, in every step and in every
// repetition inside a step.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/graph/communication_nodes.h"
#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// One row for each time a program ran (a rank in a step), one value for each of its places, ns.
struct PlaceTimes {
    std::vector<std::vector<double>> rows; ///< all of one length
    std::vector<std::int64_t> step;        ///< of each row
};
/// Per place a number, the same one for places that do not differ: their means over the rows are no farther apart than
/// the times of a place scatter from step to step (F test of an analysis of variance, after each row is brought to the
/// same sum; of one step, from row to row). Places that do differ are divided at the largest gaps between their means.
/// A single row tells nothing: each place has a number of its own.
std::vector<std::uint32_t> alike_places(const PlaceTimes& times);

/// Per node: of computation, copies and sets, the mean over all that is the same, ns; -1 of other nodes, and outside of
/// all steps. The same is the n-th of a name in a step, on ranks of one program that have as many of that name in the
/// step, and so are its places of that name that are alike (layers, microbatches).
/// duration: per node; program: per rank, alike for ranks that do the same work, such as its stage.
std::vector<double> even_times(const Run& run, const StepGraph& graph, std::span<const TimeNs> duration,
                               std::span<const int> program);

/// Per transfer of communication a number, the same one for those that are alike (CommunicationNode::same()). Where the
/// size is not recorded: in kind, dimension, name of the kernel and place among such calls of its group in the step, or
/// in another place that does not differ. Of lone communication kNoNode.
std::vector<std::uint32_t> alike_transfers(const Run& run, const StepGraph& graph,
                                           std::span<const CommunicationNode> communication);
/// Per communication node: the median over transfers that are alike, ns; -1 of lone ones.
std::vector<TimeNs> usual_transfers(const Run& run, const StepGraph& graph,
                                    std::span<const CommunicationNode> communication);

} // namespace rankscope
