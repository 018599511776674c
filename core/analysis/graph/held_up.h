// SPDX-License-Identifier: GPL-3.0-or-later
// What held a node of the step graph up: the way back from it.
#pragma once
#include <cstddef>
#include <span>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// Nodes that may be walked over for one part of the calls: a made trace must not take for ever.
inline constexpr std::size_t kMostWalked = 20'000'000;

/// start, times: as recorded, or of a replay.
struct HeldUp {
    const StepGraph& graph;
    std::span<const TimeNs> start;
    const GraphTimes& times;

    [[nodiscard]] TimeNs end(std::uint32_t node) const { return start[node] + times.duration[node]; }
    /// When what the edge counts from was over.
    [[nodiscard]] TimeNs source(const GraphEdge& edge) const {
        return start[edge.from] + (edge.from_start ? 0 : times.duration[edge.from]);
    }
    /// The edge that held the node up; kNoNode where nothing did.
    [[nodiscard]] std::uint32_t binding_edge(std::uint32_t node) const;
    /// When the edge lets its node start.
    [[nodiscard]] TimeNs ready(std::uint32_t edge) const { return source(graph.edges[edge]) + times.lag[edge]; }
    /// Of GPU work that the edge held up: the other GPU work, ready before it, that would have held it up without;
    /// kNoNode where none would, and of host points.
    [[nodiscard]] std::uint32_t second_edge(std::uint32_t node, std::uint32_t binding) const;
    /// Who came last. A message comes when its send starts; what its way takes is transfer, not waiting. One that is
    /// still under way when its receiver comes is the last.
    [[nodiscard]] std::uint32_t last_arrival(std::uint32_t transfer) const;
    /// What the transfer's start waited for: a message holds it up until it has ended.
    [[nodiscard]] std::uint32_t held_up_by(std::uint32_t transfer) const;
};

} // namespace rankscope
