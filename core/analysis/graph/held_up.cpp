// SPDX-License-Identifier: GPL-3.0-or-later
// What held a node of the step graph up.
#include "core/analysis/graph/held_up.h"

#include <utility>

#include "core/analysis/graph/graph_changes.h"

namespace rankscope {

std::uint32_t HeldUp::binding_edge(std::uint32_t node) const {
    std::uint32_t binding = kNoNode;
    TimeNs latest = 0;
    for (std::uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e) {
        if (times.lag[e] <= kNever)
            continue;
        if (binding == kNoNode || ready(e) > latest) {
            binding = e;
            latest = ready(e);
        }
    }
    return binding;
}

std::uint32_t HeldUp::second_edge(std::uint32_t node, std::uint32_t binding) const {
    std::uint32_t second = kNoNode;
    if (!is_gpu_node(graph.kind[node]))
        return second;
    for (std::uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e) {
        const bool gpu = graph.edges[e].kind == EdgeKind::stream || graph.edges[e].kind == EdgeKind::dependency;
        const bool before =
            std::pair(ready(e), e) < std::pair(ready(binding), binding); // so that no way goes in circles
        if (gpu && before && times.lag[e] > kNever && (second == kNoNode || ready(e) > ready(second)))
            second = e;
    }
    return second;
}

std::uint32_t HeldUp::last_arrival(std::uint32_t transfer) const {
    std::uint32_t last = kNoNode;
    for (const GraphEdge& arrival : graph.edges_of(transfer))
        last = last == kNoNode || start[arrival.from] > start[last] ? arrival.from : last;
    for (const GraphEdge& arrival : graph.edges_of(transfer))
        last = !arrival.from_start && end(arrival.from) > start[last] ? arrival.from : last;
    return last;
}

std::uint32_t HeldUp::held_up_by(std::uint32_t transfer) const {
    const std::uint32_t edge = binding_edge(transfer);
    return edge == kNoNode ? kNoNode : graph.edges[edge].from;
}

} // namespace rankscope
