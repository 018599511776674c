// SPDX-License-Identifier: GPL-3.0-or-later
// Communication of a step graph by group.
#include "core/analysis/communication_nodes.h"

#include "core/analysis/collective_timing.h"
#include "core/analysis/run_analysis.h"

namespace rankscope {
namespace {

CommunicationNode node_of(const RunAnalysis& analysis, const Parallelism& parallelism, std::uint32_t node,
                          const CommCall& call, bool lone) {
    const ParallelDimension dimension = dimension_of_call(analysis.traffic().groups[call.group], call, parallelism);
    return {node, call.group, dimension, call.kind, message_bytes(analysis.run(), call), lone};
}

} // namespace

std::vector<CommunicationNode> communication_nodes(const RunAnalysis& analysis) {
    const StepGraph& graph = analysis.step_graph();
    const CollectiveMatching& matching = analysis.collectives();
    const Parallelism parallelism = parallelism_of(analysis.run().config);
    std::vector<CommunicationNode> nodes;
    for (std::uint32_t t = 0; t < graph.matched.size(); ++t) {
        const MatchedCall& call = matching.matched[graph.matched[t]];
        nodes.push_back(
            node_of(analysis, parallelism, graph.first_node.back() + t, matching.call(call.members.front()), false));
    }
    for (std::size_t r = 0; r + 1 < graph.first_node.size(); ++r) {
        std::vector<std::uint32_t> of_event(analysis.run().ranks[r]->events.gpu_count, kNoNode);
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n)
            if (graph.kind[n] == NodeKind::lone_communication)
                of_event[graph.event[n]] = n;
        for (const CommCall& call : matching.calls[r])
            if (of_event[call.event] != kNoNode)
                nodes.push_back(node_of(analysis, parallelism, of_event[call.event], call, true));
    }
    return nodes;
}

} // namespace rankscope
