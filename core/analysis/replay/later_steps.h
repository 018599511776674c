// SPDX-License-Identifier: GPL-3.0-or-later
// How long the work of first steps takes in later ones of like work.
#pragma once
#include <vector>

#include "core/analysis/replay/peer_times.h"

namespace rankscope {

/// times_of_later_steps() of the later steps that count: alike has an entry for each of graph.steps; empty: all count.
std::vector<TimeNs> times_of_later_steps(const Run& run, const StepGraph& graph, const std::vector<char>& alike);

} // namespace rankscope
