// SPDX-License-Identifier: GPL-3.0-or-later
// GPU work that is taken out of a step graph: what it waited for holds nobody up any more.
#pragma once
#include <vector>

#include "core/analysis/replay/step_graph.h"

namespace rankscope {

/// removed: per node. ranks: whose, by index in Run::ranks. A wait of removed work for another stream goes where the
/// next work of its own stream that stays waits for that stream as well, at that place or later; otherwise it is left
/// to stand for the wait that the next work then has.
void drop_waits_of_removed_work(const StepGraph& graph, const std::vector<bool>& removed,
                                const std::vector<bool>& ranks, GraphTimes& times);

} // namespace rankscope
