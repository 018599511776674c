// SPDX-License-Identifier: GPL-3.0-or-later
// What the computation of a rank would take on a GPU as fast as its peers'.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// Per node, of computation with a time of its peers (expected, above 0): its time by the factor that this rank's
/// kernels of that name take longer by, in all steps, or in those of its level where the rank's steps are of two, or,
/// of a GPU that becomes slower by and by, times what a line through its steps says. What differs from one kernel to
/// the next (noise, microbatches of unequal length) is no fault of the GPU, and stays. -1 elsewhere.
std::vector<TimeNs> times_as_fast(const Run& run, const StepGraph& graph, std::span<const TimeNs> expected);

} // namespace rankscope
