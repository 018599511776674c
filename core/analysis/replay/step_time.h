// SPDX-License-Identifier: GPL-3.0-or-later
// What a step takes, as recorded or in a replay.
#pragma once
#include <span>

#include "core/analysis/replay/step_graph.h"

namespace rankscope {

/// Ranks that are recorded on demand start and stop in the middle of an iteration, so a rank holds as many iterations
/// as periods fit into its recording. Where the last one is whole, the pause after it is missing. If periods and count
/// are off by one or more, the recording holds other work besides; the count stays. A rank whose work does not repeat,
/// as of a device that only copies, tells nothing of an iteration, unless there are no others.
void count_repetitions(StepGraph& graph, std::span<const Repetitions> known);

/// Mean over ranks of the time per step, ns: from the start of the first, or, where the host runs ahead, from when the
/// GPU is through with what was launched before, to the end of the last, or of its GPU work, over their number. Without
/// profiler steps the whole recording over its repetitions.
double mean_step_time(const StepGraph& graph, std::span<const TimeNs> start, const GraphTimes& times);
double mean_step_time(const StepGraph& graph, const ReplayedTimes& replayed);
/// Both in one.
double predicted_step_time(const StepGraph& graph, const GraphTimes& times);

} // namespace rankscope
