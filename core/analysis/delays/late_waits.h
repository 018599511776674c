// SPDX-License-Identifier: GPL-3.0-or-later
// What ranks took longer than their peers, as far as others waited for it.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/graph/step_graph.h"
#include "core/analysis/usual/peer_times.h"

namespace rankscope {

struct LateWaits {
    std::vector<double> of_rank;              ///< ns
    std::vector<std::vector<double>> by_step; ///< the same by rank and the graph's step of who came last; may end early
};

/// Per rank: of the waits at collectives, what this rank took longer than its peers since the members last came
/// together, as far as it explains the waits; and, of peers that do the same work, all of a wait that no other rank has
/// part in. What a program is made of (the order of a pipeline, say) is nobody's fault and not in here.
/// start, times: as recorded, or of a replay.
LateWaits late_waits(const StepGraph& graph, const PeerTimes& peers, const CollectiveMatching& matching,
                     std::span<const TimeNs> start, const GraphTimes& times);

} // namespace rankscope
