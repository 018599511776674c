// SPDX-License-Identifier: GPL-3.0-or-later
// What each host point and each GPU work of a rank waited for, as edges of the step graph.
//   A kernel starts at 300 µs; its launch lets it start at 105 µs, and the kernel before it ends at 299 µs: two edges.
//   The later one held it up, with the lag as recorded (1 µs); the other one keeps the least lag (5 µs), not 200 µs.
#pragma once
#include <vector>

#include "core/analysis/graph/rank_graph.h"

namespace rankscope {

struct RankEdges {
    std::vector<std::uint32_t> first; ///< per node of the rank, one more at the end
    std::vector<GraphEdge> edges;
    std::vector<TimeNs> lag;
};
/// graph: with all nodes, transfers included. r: index of the rank.
RankEdges rank_edges(const RankTrace& trace, const RankGraph& rank, const StepGraph& graph, std::uint32_t r);

/// How long after that time the GPU event before this work in its stream ends, though it may not be selected.
TimeNs gpu_busy_after(const StepGraph& graph, const RankTrace& trace, std::uint32_t r, EventIndex work, TimeNs time);

} // namespace rankscope
