// SPDX-License-Identifier: GPL-3.0-or-later
// When the ranks of a job start their steps, one beside the other. In the middle of a job a rank starts a step when it
// has finished the one before: what changes the steps changes this too. No replay knows of the steps before the
// recording, and so it holds the start of the first recorded step where it was.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/replay/step_graph.h"

namespace rankscope {

inline constexpr double kSameStart = 0.01; ///< of a step: starts that differ by less are no other ones

/// How much later than the mean of the ranks a rank starts its steps, ns.
struct StepStarts {
    double first = 0;
    std::vector<double> later; ///< its other steps, in order
};

/// Per rank. starts: of each of graph.steps. Empty where a rank has less than three steps: then nobody can tell.
std::vector<StepStarts> step_starts(const StepGraph& graph, std::span<const TimeNs> starts);

/// By how much later than replayed each rank should start its first step, ns; 0 where that is no other start. As
/// recorded, the ranks must start it apart, and three quarters of them as they start the later ones: the job was under
/// way. A rank then starts it as much later, or earlier, than recorded as those later steps that it started most nearly
/// as the first one. A rank whose later starts the replay shifts more and more only comes apart from the others: 0.
/// Empty where all are 0. step_time: what a step takes, ns.
std::vector<double> shifts_of_first_starts(std::span<const StepStarts> recorded, std::span<const StepStarts> replayed,
                                           double step_time);

} // namespace rankscope
