// SPDX-License-Identifier: GPL-3.0-or-later
// Which nodes of a step graph start and end the steps of each rank.
//   Without profiler steps a rank has one step: 1000 to 9000 µs where its work lies. A first launch of 400 ms, 5 times
//   the slowest of the others, is not of it: the step then starts when that launch has returned.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/graph/rank_graph.h"

namespace rankscope {

/// Sets StepGraph::steps and profiler_steps. steps: of each rank. graph: with all nodes, transfers included.
void add_steps(const Run& run, std::span<const RankGraph> ranks, std::span<const std::vector<ProfilerStep>> steps,
               StepGraph& graph);

} // namespace rankscope
