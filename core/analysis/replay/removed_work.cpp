// SPDX-License-Identifier: GPL-3.0-or-later
// Waits of work that is taken out.
#include "core/analysis/replay/removed_work.h"

#include <algorithm>

#include "core/analysis/replay/graph_changes.h"

namespace rankscope {
namespace {

constexpr int kFarthest = 64; ///< work of a stream that is looked back over

/// The work before this one on its stream: a node, a transfer where it is communication. kNoNode without.
std::uint32_t before_on_stream(const StepGraph& graph, std::uint32_t rank, std::uint32_t work) {
    if (work >= graph.first_node.back()) { // of a transfer, the rank's own arrival
        const auto arrivals = graph.edges_of(work);
        const auto own =
            std::ranges::find_if(arrivals, [&](const GraphEdge& edge) { return graph.rank[edge.from] == rank; });
        if (own == arrivals.end())
            return kNoNode;
        work = own->from;
    }
    const auto edges = graph.edges_of(work);
    const auto stream = std::ranges::find(edges, EdgeKind::stream, &GraphEdge::kind);
    return stream == edges.end() ? kNoNode : stream->from;
}

/// Whether the node waits for that work, or for later work of its stream.
bool waits_for(const StepGraph& graph, std::uint32_t rank, std::uint32_t node, std::uint32_t work) {
    return std::ranges::any_of(
        graph.edges_of(node),
        [&](const GraphEdge& edge) {
            std::uint32_t at = edge.kind == EdgeKind::dependency ? edge.from : kNoNode;
            for (int i = 0; i < kFarthest && at != kNoNode && at != work; ++i)
                at = before_on_stream(graph, rank, at);
            return at == work;
        });
}

} // namespace

void drop_waits_of_removed_work(const StepGraph& graph, const std::vector<bool>& removed,
                                const std::vector<bool>& ranks, GraphTimes& times) {
    for (std::uint32_t rank = 0; rank + 1 < graph.first_node.size(); ++rank) {
        const std::uint32_t first = graph.first_gpu_node[rank];
        const std::uint32_t end = graph.first_node[rank + 1];
        if (!ranks[rank])
            continue;
        std::vector<std::uint32_t> next(end - first, kNoNode); // on the same stream, of work that stays
        for (std::uint32_t n = end; n-- > first;) {
            const std::uint32_t stays = removed[n] ? next[n - first] : n;
            for (const GraphEdge& edge : graph.edges_of(n))
                if (edge.kind == EdgeKind::stream && edge.from >= first && edge.from < end)
                    next[edge.from - first] = stays;
        }
        for (std::uint32_t n = first; n < end; ++n) {
            const std::uint32_t after = next[n - first];
            for (std::uint32_t e = graph.first_edge[n]; removed[n] && after != kNoNode && e < graph.first_edge[n + 1];
                 ++e)
                if (graph.edges[e].kind == EdgeKind::dependency && waits_for(graph, rank, after, graph.edges[e].from))
                    times.lag[e] = kNever;
        }
    }
}

} // namespace rankscope
