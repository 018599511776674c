// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom, as a graph: an open call waits for members that did not make it, and for the open calls that a
// member made before it; a rank that did not come waits in its own open calls. What waits for nothing is at fault, or
// is a circle.
#pragma once
#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/hang/hang_waits.h"

namespace rankscope {

struct WaitEdge {
    std::uint32_t to = 0;
    int rank = 0; ///< whose doing it is
    bool proved = true;
};

/// Nodes are the open calls, then the ranks.
struct WaitGraph {
    std::size_t calls = 0;
    std::vector<std::vector<WaitEdge>> edges;
    std::vector<int> ranks;                          ///< of the nodes behind the calls; ascending
    std::vector<std::uint32_t> component;            ///< of each node
    std::vector<std::vector<std::uint32_t>> members; ///< of each component: nodes that wait for each other
    std::vector<char> leaves;                        ///< components from which an edge leads elsewhere

    [[nodiscard]] std::uint32_t node_of(int rank) const {
        return static_cast<std::uint32_t>(
            calls + static_cast<std::size_t>(std::ranges::lower_bound(ranks, rank) - ranks.begin()));
    }
    [[nodiscard]] bool is_call(std::uint32_t node) const { return node < calls; }
    [[nodiscard]] int rank_of(std::uint32_t node) const { return ranks[node - calls]; }
};

/// without_dump: ranks that left no dump that can be used, beside those of HangWaits::no_dump.
WaitGraph wait_graph(const HangWaits& waits, const std::set<int>& without_dump);

/// The calls of the shortest circle through a call, each with the rank that holds it up by the next one; empty: none.
std::vector<std::pair<std::uint32_t, int>> shortest_circle(const WaitGraph& graph, std::uint32_t from);

} // namespace rankscope
