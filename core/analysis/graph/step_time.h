// SPDX-License-Identifier: GPL-3.0-or-later
// What a step takes, as recorded or in a replay.
#pragma once
#include <span>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// Ranks that are recorded on demand start and stop in the middle of an iteration, so a rank holds as many iterations
/// as periods fit into its recording, unless its last one is whole. If periods and count are off by one or more, the
/// recording holds other work besides, which is of no step. A rank whose work does not repeat, as of a device that only
/// copies, tells nothing of an iteration, unless there are no others.
void count_repetitions(StepGraph& graph, std::span<const Repetitions> known);

/// What a step takes, ns: the mean over the ranks. A rank counts from the start of its first step until its last step
/// and that step's GPU work have ended, over the number of its steps. Where the host runs ahead, it counts from when
/// the GPU has finished earlier work. If a replay cannot tell when the GPU comes to the first step, only later steps
/// count. Without profiler steps: from the start of the first repetition to that of the last; where these are not
/// known, the whole recording, over its repetitions.
double mean_step_time(const StepGraph& graph, std::span<const TimeNs> start, const GraphTimes& times);
double mean_step_time(const StepGraph& graph, const ReplayedTimes& replayed);
/// Both in one.
double predicted_step_time(const StepGraph& graph, const GraphTimes& times);

} // namespace rankscope
