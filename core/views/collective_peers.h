// SPDX-License-Identifier: GPL-3.0-or-later
// The same collective call on all ranks that ran it, side by side.
#pragma once
#include <optional>
#include <vector>

#include "core/run/run_analysis.h"

namespace rankscope {

/// One member's kernel. start: aligned time, ns from the run's first event. lag: start after the first arrival.
struct CollectivePeer {
    int rank = 0;
    EventIndex event = kNoEvent;
    TimeNs start = 0;
    TimeNs duration = 0;
    TimeNs lag = 0;
    bool last = false; ///< arrives last; of several the lowest rank (metrics.md, "straggler_lag")
};

struct CollectivePeers {
    bool complete = false;             ///< all traced members of the group are there
    std::vector<CollectivePeer> peers; ///< ascending by rank
};

/// Nothing: the event is no communication, or was matched with no other rank's. O(calls of the run) beside what
/// RunAnalysis computes at its first use.
std::optional<CollectivePeers> collective_peers(const RunAnalysis& analysis, int rank, EventIndex event);

} // namespace rankscope
