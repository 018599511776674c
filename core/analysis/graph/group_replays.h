// SPDX-License-Identifier: GPL-3.0-or-later
// Replays that differ in the durations of one group of nodes each: several in one walk over the graph.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/graph/step_time.h"

namespace rankscope {

inline constexpr std::int32_t kNoGroupOfNodes = -1;

/// What a step takes on mean, ns, if the nodes of one group have other durations, all else as in base; of each group.
/// mean: of the graph. durations, group_of: per node.
std::vector<double> step_times_by_group(const StepGraph& graph, const MeanStepTime& mean, const GraphTimes& base,
                                        std::span<const TimeNs> durations, std::span<const std::int32_t> group_of,
                                        std::size_t groups);

} // namespace rankscope
