// SPDX-License-Identifier: GPL-3.0-or-later
// Which group, dimension and size the communication of a step graph has.
#pragma once
#include <compare>
#include <set>
#include <span>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/collectives/machines.h"
#include "core/analysis/collectives/traffic.h"
#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// Calls that should take equally long, whichever group makes them.
struct SameCalls {
    ParallelDimension dimension = ParallelDimension::unknown;
    CollectiveKind kind = CollectiveKind::other;
    std::int64_t bytes = kUnknown; ///< of the message
    std::size_t members = 0;       ///< of the group
    Way way = Way::unknown;        ///< that joins them
    auto operator<=>(const SameCalls&) const = default;
};

/// A transfer, a message that left without its receiver, or communication of which some partner is not recorded (lone):
/// then its duration may hold waits for that one as well.
struct CommunicationNode {
    std::uint32_t node = 0;
    std::uint32_t group = 0; ///< index in CollectiveMatching::groups
    ParallelDimension dimension = ParallelDimension::unknown;
    CollectiveKind kind = CollectiveKind::other;
    std::int64_t bytes = kUnknown;
    bool lone = false;
    std::size_t members = 0; ///< of the group
    Way way = Way::unknown;  ///< that joins them

    [[nodiscard]] SameCalls same() const { return {dimension, kind, bytes, members, way}; }
};

/// matching, traffic and machines: of the same run as the graph.
std::vector<CommunicationNode> communication_nodes(const Run& run, const StepGraph& graph,
                                                   const CollectiveMatching& matching, const TrafficAnalysis& traffic,
                                                   const Machines& machines);

/// Of those that make calls that another group makes as well (same()), lone ones aside: indices.
std::set<std::uint32_t> groups_with_peers(std::span<const CommunicationNode> communication);

/// Number of the profiler step that a message is sent in, or whose work a transfer joins; 0 without any steps, -1
/// outside of all.
std::int64_t step_number(const StepGraph& graph, std::uint32_t node);

} // namespace rankscope
