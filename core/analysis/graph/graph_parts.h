// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps and which GPU work of each rank the step graph is built of.
//   --time-range from the middle of step 3 to the middle of step 6 -> steps 4 and 5, and the work launched in them.
//   Steps of a device, or of a host without launches -> no steps; their number is that of repetitions of the work.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/gpu/rank_analysis.h"
#include "core/analysis/graph/step_graph.h"
#include "core/analysis/steps/inferred_steps.h"

namespace rankscope {

/// Of a time range only whole steps are judged (RankAnalysis::steps): a part of a step has waits for what lies outside,
/// and costs cannot be told of a step that nobody has seen. False: without a time range, or in a run without steps, all
/// work counts.
bool only_work_of_steps(const Selection& selection, std::span<const RankAnalysis> ranks);

/// Per rank, as build_step_graph() wants them.
struct GraphParts {
    std::vector<std::vector<ProfilerStep>> steps;
    std::vector<std::vector<GpuSlice>> work_in_steps; ///< where not all work counts
    std::vector<std::span<const GpuSlice>> work;      ///< of work_in_steps, or of the ranks
    std::vector<Repetitions> repetitions;
};
/// inferred: of a run without profiler steps that repeats itself; else empty.
GraphParts graph_parts(const Selection& selection, std::span<const RankAnalysis> ranks,
                       std::span<const InferredSteps> inferred);

} // namespace rankscope
