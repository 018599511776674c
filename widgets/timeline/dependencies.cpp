// SPDX-License-Identifier: GPL-3.0-or-later
// From an event to the one that it waited for, and to the one that waited for it.
#include "widgets/timeline/dependencies.h"

#include <algorithm>
#include <limits>

namespace rankscope {
namespace {

constexpr std::uint32_t kLookedAt = 20'000; // nodes of a rank: whoever waits does so soon

class Neighbours {
public:
    explicit Neighbours(const RunAnalysis& analysis)
        : graph_(analysis.step_graph()), matching_(analysis.collectives()), run_(analysis.run()) {}

    [[nodiscard]] std::optional<Dependency> before(EventPlace event) const {
        std::uint32_t node = last_node_of(event);
        if (node == kNoNode)
            return {};
        const TimeNs start = graph_.start[node];
        if (const std::uint32_t transfer = graph_.transfer_of[node];
            transfer != kNoNode && !(place_of(transfer) == event))
            return Dependency{place_of(transfer), DependencyKind::lastMember, graph_.start[transfer] - start, true};
        // A call that waits is two nodes; where a step starts is no event.
        while (const GraphEdge* edge = binding(node)) {
            const EventPlace there = place_for(edge->from, event.rank);
            if (there.event != kNoEvent && !(there == event))
                return Dependency{there, kind_of(edge->kind), start - start_of(there), true};
            node = edge->from;
        }
        return {};
    }

    [[nodiscard]] std::optional<Dependency> after(EventPlace event) const {
        const std::uint32_t node = last_node_of(event);
        if (node == kNoNode)
            return {};
        const std::uint32_t transfer = graph_.transfer_of[node];
        if (transfer != kNoNode && place_of(transfer) == event)
            if (const auto first = first_member(transfer); first && !(first->place == event))
                return first;
        const std::uint32_t source = transfer == kNoNode ? node : transfer;
        const bool launches = graph_.kind[node] == NodeKind::launch;
        const std::uint32_t gpu = graph_.first_gpu_node[event.rank];
        const std::uint32_t end = graph_.first_node[event.rank + 1];
        const auto here = static_cast<std::uint32_t>(
            std::ranges::lower_bound(graph_.start.begin() + gpu, graph_.start.begin() + end, graph_.start[node]) -
            graph_.start.begin());
        std::optional<Dependency> found;
        const auto look = [&](std::uint32_t first, std::uint32_t last) {
            for (std::uint32_t n = first; n < last; ++n)
                for (const GraphEdge& edge : graph_.edges_of(n))
                    if (edge.from == source && !(place_of(n) == event))
                        take({place_for(n, event.rank), kind_of(edge.kind), graph_.start[n] - graph_.start[node],
                              binding(n) == &edge},
                             found);
        };
        look(here, std::min(end, here + kLookedAt));
        if (launches && found)
            return found;
        const std::uint32_t host =
            host_node_from(event.rank, is_host_node(graph_.kind[node]) ? graph_.start[node] : graph_.end(source));
        look(host, std::min(gpu, host + kLookedAt));
        return found;
    }

private:
    /// Decisive ones first, then the earlier one.
    static void take(const Dependency& one, std::optional<Dependency>& found) {
        if (one.place.event == kNoEvent)
            return;
        if (!found || std::pair(found->decisive, -found->apart) < std::pair(one.decisive, -one.apart))
            found = one;
    }
    static DependencyKind kind_of(EdgeKind kind) {
        switch (kind) {
        case EdgeKind::launch: return DependencyKind::launch;
        case EdgeKind::stream: return DependencyKind::stream;
        case EdgeKind::dependency: return DependencyKind::otherStream;
        case EdgeKind::wait: return DependencyKind::hostWait;
        case EdgeKind::arrival: return DependencyKind::lastMember;
        case EdgeKind::host: break;
        }
        return DependencyKind::host;
    }
    [[nodiscard]] EventPlace place_of(std::uint32_t node) const { return {graph_.rank[node], graph_.event[node]}; }
    [[nodiscard]] TimeNs start_of(EventPlace place) const {
        return graph_.clock.aligned(place.rank, run_.ranks[place.rank]->events.start[place.event]);
    }
    /// Of a transfer the rank's own member.
    [[nodiscard]] EventPlace place_for(std::uint32_t node, std::uint32_t rank) const {
        if (node >= graph_.first_node.back())
            for (const auto& member : matching_.matched[graph_.matched[node - graph_.first_node.back()]].members)
                if (member.first == rank)
                    return {rank, matching_.call(member).event};
        return place_of(node);
    }
    [[nodiscard]] std::uint32_t host_node_from(std::uint32_t rank, TimeNs time) const {
        const auto begin = graph_.start.begin();
        return static_cast<std::uint32_t>(
            std::lower_bound(begin + graph_.first_node[rank], begin + graph_.first_gpu_node[rank], time) - begin);
    }
    /// kNoNode: not in the graph.
    [[nodiscard]] std::uint32_t last_node_of(EventPlace event) const {
        const EventTable& events = run_.ranks[event.rank]->events;
        if (event.rank + 1 >= graph_.first_node.size())
            return kNoNode;
        const bool gpu = event.event < events.gpu_count;
        const std::uint32_t first = gpu ? graph_.first_gpu_node[event.rank] : graph_.first_node[event.rank];
        const std::uint32_t end = gpu ? graph_.first_node[event.rank + 1] : graph_.first_gpu_node[event.rank];
        // Aligning rounds; a call that waits has its second node at its end.
        const TimeNs from = start_of(event) - 1;
        const TimeNs until = start_of(event) + (gpu ? 0 : events.duration[event.event]) + 1;
        const auto begin = graph_.start.begin();
        auto n = static_cast<std::uint32_t>(std::lower_bound(begin + first, begin + end, from) - begin);
        std::uint32_t found = kNoNode;
        for (; n < end && graph_.start[n] <= until; ++n)
            if (graph_.event[n] == event.event)
                found = n;
        return found;
    }
    /// What held the node up; nullptr: nothing that is known.
    [[nodiscard]] const GraphEdge* binding(std::uint32_t node) const {
        const GraphEdge* latest = nullptr;
        TimeNs time = std::numeric_limits<TimeNs>::min();
        for (std::uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e) {
            const GraphEdge& edge = graph_.edges[e];
            const TimeNs own =
                (edge.from_start ? graph_.start[edge.from] : graph_.end(edge.from)) + graph_.times.lag[e];
            if (own > time) {
                time = own;
                latest = &edge;
            }
        }
        return latest;
    }
    [[nodiscard]] std::optional<Dependency> first_member(std::uint32_t transfer) const {
        std::optional<Dependency> first;
        for (const GraphEdge& edge : graph_.edges_of(transfer)) {
            const TimeNs waited = graph_.start[transfer] - graph_.start[edge.from];
            if (!first || waited > first->apart)
                first = Dependency{place_of(edge.from), DependencyKind::lastMember, waited, true};
        }
        return first;
    }

    const StepGraph& graph_;
    const CollectiveMatching& matching_;
    const Run& run_;
};

} // namespace

std::optional<Dependency> dependencyBefore(const RunAnalysis& analysis, EventPlace event) {
    return Neighbours(analysis).before(event);
}

std::optional<Dependency> dependencyAfter(const RunAnalysis& analysis, EventPlace event) {
    return Neighbours(analysis).after(event);
}

} // namespace rankscope
