// SPDX-License-Identifier: GPL-3.0-or-later
// What stragglers cost a run whose kernels and launches were recorded: the definitions of straggler_slowdown.h on a
// step graph.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/graph/communication_nodes.h"
#include "core/analysis/slowdown/straggler_slowdown.h"

namespace rankscope {

/// Operations of the GPU that are the same (same_work.h) take their mean, whatever rank, step and repetition inside a
/// step they belong to; then all that a rank does of a type in a step (computation, copies, sets) the mean over all
/// ranks, stages and steps, in proportion. Transfers take the median of those that are alike. Launch delays, with them
/// all that the host takes, lie between the end of what GPU work waits for and its start. A transfer is the own one of
/// a set of ranks that holds all its members. Sets of pipelines and stages; stages: per rank (as Run::ranks), -1 where
/// unknown. Unavailable where threads_in_parallel (parallel_threads.h), and where it is not known which ranks much of
/// the communication joins.
StragglerSlowdown slowdown_of_graph(const Run& run, const StepGraph& graph, bool threads_in_parallel,
                                    const CollectiveMatching& matching,
                                    std::span<const CommunicationNode> communication, const std::vector<int>& stages);

/// Operation types of the graph: "compute", "memory-copy", "memory-set", and the kinds of communication in
/// lower case.
std::vector<std::string> operation_types(const StepGraph& graph, std::span<const CommunicationNode> communication);
/// All operations of the type as long as in the ideal of slowdown_of_graph(). Nothing happens where the graph has none
/// of the type.
void idealise_operations(const Run& run, const StepGraph& graph, std::span<const CommunicationNode> communication,
                         const std::vector<int>& stages, std::string_view type, GraphTimes& times);

} // namespace rankscope
