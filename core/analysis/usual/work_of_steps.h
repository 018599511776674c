// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of serving engines compute, rank by rank.
#pragma once
#include <optional>
#include <vector>

#include "core/analysis/graph/step_graph.h"
#include "core/analysis/steps/step_work.h"

namespace rankscope {

using WorkOfSteps = std::vector<std::optional<EngineStepName>>;

/// step_work() of each of graph.steps; empty where it is empty for all ranks.
WorkOfSteps work_of_steps(const Run& run, const StepGraph& graph);

/// Replicas of a serving engine have requests of their own: of each rank (index in Run::ranks) the first one whose
/// steps of the same numbers compute the like (is_like_work()), where their names tell. All are 0 for other runs.
std::vector<std::uint32_t> ranks_of_like_work(const Run& run, const StepGraph& graph, const WorkOfSteps& work);

} // namespace rankscope
