// SPDX-License-Identifier: GPL-3.0-or-later
// In what order the nodes of a step graph are replayed.
#pragma once
#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// Whether node a comes before b in time, as the GPUs' clocks tell it (StepGraph::gpu_early). What was waited for
/// started before; at equal times arrivals, transfers, other work, host points: each waits, if at all, for those before
/// it.
bool is_before(const StepGraph& graph, std::uint32_t a, std::uint32_t b);

/// Cuts the edges that lead backward in time (clocks that fit badly) and sets StepGraph::order.
///
/// The order is not that of time: a rank goes on until it waits for a transfer whose members have not all arrived, so
/// that a replay reads its memory in long runs.
void set_replay_order(StepGraph& graph);

} // namespace rankscope
