// SPDX-License-Identifier: GPL-3.0-or-later
// Communication of a step graph by group.
#include "core/analysis/graph/communication_nodes.h"

#include <map>

#include "core/analysis/collectives/collective_timing.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

class NodesOfRun {
public:
    NodesOfRun(const Run& run, const CollectiveMatching& matching, const TrafficAnalysis& traffic,
               const Machines& machines)
        : run_(run), groups_(matching.groups), traffic_(traffic), parallelism_(parallelism_of(run.config)) {
        for (const CommGroup& group : groups_)
            ways_.push_back(machines.way(group.ranks));
    }

    [[nodiscard]] CommunicationNode node(std::uint32_t node, const CommCall& call, bool lone) const {
        return {node,
                call.group,
                dimension_of_call(traffic_.groups[call.group], call, parallelism_),
                call.kind,
                message_bytes(run_, call),
                lone,
                groups_[call.group].ranks.size(),
                ways_[call.group]};
    }

private:
    const Run& run_;
    std::span<const CommGroup> groups_;
    const TrafficAnalysis& traffic_;
    Parallelism parallelism_;
    std::vector<Way> ways_; ///< per group
};

} // namespace

std::vector<CommunicationNode> communication_nodes(const Run& run, const StepGraph& graph,
                                                   const CollectiveMatching& matching, const TrafficAnalysis& traffic,
                                                   const Machines& machines) {
    count_work("communication_nodes");
    const NodesOfRun of_run(run, matching, traffic, machines);
    const std::vector<bool> traced = fully_traced(run, matching);
    std::vector<CommunicationNode> nodes;
    for (std::uint32_t t = 0; t < graph.matched.size(); ++t) {
        const MatchedCall& call = matching.matched[graph.matched[t]];
        std::uint32_t node = graph.first_node.back() + t;
        for (const GraphEdge& edge : graph.edges_of(node))
            node = graph.kind[edge.from] == NodeKind::message ? edge.from : node;
        nodes.push_back(of_run.node(node, matching.call(call.members.front()), !traced[call.group] || !call.complete));
    }
    for (std::size_t r = 0; r + 1 < graph.first_node.size(); ++r) {
        std::vector<std::uint32_t> of_event(run.ranks[r]->events.gpu_count, kNoNode);
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n)
            if (graph.kind[n] == NodeKind::lone_communication)
                of_event[graph.event[n]] = n;
        for (const CommCall& call : matching.calls[r])
            if (of_event[call.event] != kNoNode)
                nodes.push_back(of_run.node(of_event[call.event], call, true));
    }
    return nodes;
}

std::set<std::uint32_t> groups_with_peers(std::span<const CommunicationNode> communication) {
    std::map<SameCalls, std::set<std::uint32_t>> groups;
    for (const CommunicationNode& node : communication)
        if (!node.lone)
            groups[node.same()].insert(node.group);
    std::set<std::uint32_t> with_peers;
    for (const auto& [same, own] : groups)
        if (own.size() > 1)
            with_peers.insert(own.begin(), own.end());
    return with_peers;
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
