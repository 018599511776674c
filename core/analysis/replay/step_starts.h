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

/// How much later than the mean of the ranks a rank starts a step, ns.
struct StepStarts {
    double first = 0;  ///< its first step
    double lowest = 0; ///< its later ones
    double usual = 0;  ///< median of these
    double highest = 0;
};

/// Per rank. starts: of each of graph.steps. Empty where a rank has less than three steps: then nobody can tell.
std::vector<StepStarts> step_starts(const StepGraph& graph, std::span<const TimeNs> starts);

/// As recorded, the ranks start the first step apart, as they start the later ones: the job was under way. As replayed,
/// one of them does not start it as it starts the later ones. step_time: what a step takes, ns.
bool first_start_is_held(std::span<const StepStarts> recorded, std::span<const StepStarts> replayed, double step_time);

} // namespace rankscope
