// SPDX-License-Identifier: GPL-3.0-or-later
// Which matched calls become transfers of the step graph.
//   An all-reduce whose members start at 100 and 250 µs and end at 400 and 402 µs: a transfer from 250 to 400 µs, of
//   which the second member is the last. One of which a member ends at 240 µs is none: its clocks are wrong.
#pragma once
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// A matched call as the graph joins it: arrivals at start, together until end.
struct GraphTransfer {
    std::uint32_t matched = 0;
    TimeNs start = 0;
    TimeNs end = 0;
    std::uint32_t last_rank = 0;
    EventIndex last_event = kNoEvent;
    std::vector<std::uint32_t> arrivals; ///< nodes
    std::uint32_t message = kNoNode;     ///< of the arrivals: the send that waited for nobody
    TimeNs message_lag = 0;              ///< from its end; less than 0 where the receive ends before it
};

/// A call is joined when no member ends before all have started: then its end follows from its arrivals. So is a
/// message that left without its receiver.
/// graph: with the nodes of all ranks.
std::vector<GraphTransfer> graph_transfers(const Run& run, const StepGraph& graph, const CollectiveMatching& matching);

} // namespace rankscope
