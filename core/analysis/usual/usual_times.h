// SPDX-License-Identifier: GPL-3.0-or-later
// How long others take for what a rank does: what is as long as that started no delay.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/graph/communication_nodes.h"
#include "core/analysis/usual/peer_times.h"

namespace rankscope {

/// ns; -1 where nobody tells.
struct UsualTimes {
    std::vector<TimeNs>
        node;                ///< per node: the peers' median; of a transfer that of those alike in kind, group and size
    std::vector<TimeNs> way; ///< per node: of the host's way to it
    std::vector<TimeNs> wait; ///< per node: of an arrival, the peers' median wait for the others at the same place
    /// Per node: of an arrival, the same number for the same place on each of the peers: the n-th call of the step of
    /// that kind, dimension and size, with partners of the same class. kNoNode of other nodes, and without peers.
    std::vector<std::uint32_t> place;
    std::vector<bool> own_wait; ///< per node: the end of a wait for the GPU that most peers do not have
};
UsualTimes usual_times(const Run& run, const StepGraph& graph, const PeerTimes& peers,
                       std::span<const CommunicationNode> communication, const CollectiveMatching& matching);

} // namespace rankscope
