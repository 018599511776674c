// SPDX-License-Identifier: GPL-3.0-or-later
// How long others take for what a rank does: what is as long as that began no delay.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/replay/communication_nodes.h"
#include "core/analysis/replay/peer_times.h"
#include "core/analysis/replay/waiting.h"

namespace rankscope {

/// ns; -1 where nobody tells.
struct UsualTimes {
    std::vector<TimeNs>
        node;                ///< per node: the peers' median; of a transfer that of those alike in kind, group and size
    std::vector<TimeNs> way; ///< per node: of the host's way to it
};
UsualTimes usual_times(const StepGraph& graph, const PeerTimes& peers,
                       std::span<const CommunicationNode> communication);

/// They tell where delays began, and change no sum.
Waiting blame_waiting(const StepGraph& graph, const UsualTimes& usual);

} // namespace rankscope
