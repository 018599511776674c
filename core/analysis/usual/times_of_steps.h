// SPDX-License-Identifier: GPL-3.0-or-later
// How long the same piece of work takes in the other steps of its rank.
//   A kernel takes 9 us in the first step, and 3, 3 and 4 us in the later ones: 3 us there.
#pragma once
#include <vector>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// Per node of a rank's first step: the median over its later steps of the same; -1 of other nodes, and where fewer
/// than two later steps have it. Computation that is no longer, beside that median, than most of its name in the later
/// steps keeps its time: microbatches may differ in length. alike: per step of the graph, whether it counts; empty: all
/// do.
std::vector<TimeNs> times_of_later_steps(const Run& run, const StepGraph& graph, const GraphTimes& times,
                                         const std::vector<char>& alike);
/// Of the host's own: from the point before to a launch or the start of a wait, with the call; to any other point but
/// the end of a wait without it. -1 of other nodes.
TimeNs own_host_time(const StepGraph& graph, const GraphTimes& times, std::uint32_t node);
/// Per host node of a rank's profiler steps, of own_host_time() over the rank's steps at the same place.
struct UsualHostTimes {
    std::vector<TimeNs> median;  ///< 0 where half of its steps do not have it; -1 of other nodes, below three steps
    std::vector<TimeNs> scatter; ///< the median distance from it; 0 where there is none
};
UsualHostTimes usual_host_times(const Run& run, const StepGraph& graph, const GraphTimes& times);

} // namespace rankscope
