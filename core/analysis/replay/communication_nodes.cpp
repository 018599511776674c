// SPDX-License-Identifier: GPL-3.0-or-later
// Communication of a step graph by group.
#include "core/analysis/replay/communication_nodes.h"

#include "core/analysis/collectives/collective_timing.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

CommunicationNode node_of(const Run& run, const TrafficAnalysis& traffic, const Parallelism& parallelism,
                          std::uint32_t node, const CommCall& call, bool lone) {
    const ParallelDimension dimension = dimension_of_call(traffic.groups[call.group], call, parallelism);
    return {node, call.group, dimension, call.kind, message_bytes(run, call), lone};
}

} // namespace

std::vector<CommunicationNode> communication_nodes(const Run& run, const StepGraph& graph,
                                                   const CollectiveMatching& matching, const TrafficAnalysis& traffic) {
    count_work("communication_nodes");
    const Parallelism parallelism = parallelism_of(run.config);
    const std::vector<bool> traced = fully_traced(run, matching);
    std::vector<CommunicationNode> nodes;
    for (std::uint32_t t = 0; t < graph.matched.size(); ++t) {
        const MatchedCall& call = matching.matched[graph.matched[t]];
        std::uint32_t node = graph.first_node.back() + t;
        for (const GraphEdge& edge : graph.edges_of(node))
            node = graph.kind[edge.from] == NodeKind::message ? edge.from : node;
        nodes.push_back(node_of(run, traffic, parallelism, node, matching.call(call.members.front()),
                                !traced[call.group] || !call.complete));
    }
    for (std::size_t r = 0; r + 1 < graph.first_node.size(); ++r) {
        std::vector<std::uint32_t> of_event(run.ranks[r]->events.gpu_count, kNoNode);
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n)
            if (graph.kind[n] == NodeKind::lone_communication)
                of_event[graph.event[n]] = n;
        for (const CommCall& call : matching.calls[r])
            if (of_event[call.event] != kNoNode)
                nodes.push_back(node_of(run, traffic, parallelism, of_event[call.event], call, true));
    }
    return nodes;
}

std::int64_t step_number(const StepGraph& graph, std::uint32_t node) {
    if (!graph.profiler_steps)
        return 0;
    const auto own_number = [&](std::uint32_t n) -> std::int64_t {
        const GraphStep* const step = graph.step_of(n);
        return step == nullptr ? -1 : step->number;
    };
    if (graph.kind[node] != NodeKind::transfer)
        return own_number(node);
    for (const GraphEdge& edge : graph.edges_of(node))
        if (const std::int64_t number = own_number(edge.from); number >= 0)
            return number;
    return -1;
}

} // namespace rankscope
