// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hang/wait_graph.h"

#include <map>

namespace rankscope {
namespace {

/// Tarjan's algorithm with a stack of its own: chains are as long as the buffers of all ranks.
void find_components(WaitGraph& graph) {
    constexpr std::uint32_t kUnseen = UINT32_MAX;
    const std::size_t count = graph.edges.size();
    std::vector<std::uint32_t> order(count, kUnseen), low(count);
    std::vector<char> on_stack(count);
    std::vector<std::uint32_t> stack;
    struct Frame {
        std::uint32_t node;
        std::size_t edge;
    };
    std::vector<Frame> frames;
    graph.component.assign(count, kUnseen);
    std::uint32_t next = 0;
    const auto enter = [&](std::uint32_t node) {
        order[node] = low[node] = next++;
        stack.push_back(node);
        on_stack[node] = 1;
        frames.push_back({node, 0});
    };
    for (std::uint32_t root = 0; root < count; ++root) {
        if (order[root] != kUnseen)
            continue;
        enter(root);
        while (!frames.empty()) {
            const std::uint32_t node = frames.back().node;
            if (frames.back().edge < graph.edges[node].size()) {
                const std::uint32_t to = graph.edges[node][frames.back().edge++].to;
                if (order[to] == kUnseen)
                    enter(to);
                else if (on_stack[to] != 0)
                    low[node] = std::min(low[node], order[to]);
                continue;
            }
            frames.pop_back();
            if (!frames.empty())
                low[frames.back().node] = std::min(low[frames.back().node], low[node]);
            if (low[node] != order[node])
                continue;
            const auto number = static_cast<std::uint32_t>(graph.members.size());
            auto& members = graph.members.emplace_back();
            for (bool more = true; more;) {
                const std::uint32_t member = stack.back();
                stack.pop_back();
                on_stack[member] = 0;
                graph.component[member] = number;
                members.push_back(member);
                more = member != node;
            }
        }
    }
    graph.leaves.assign(graph.members.size(), 0);
    for (std::uint32_t node = 0; node < count; ++node)
        for (const WaitEdge& edge : graph.edges[node])
            if (graph.component[edge.to] != graph.component[node])
                graph.leaves[graph.component[node]] = 1;
}

} // namespace

WaitGraph wait_graph(const HangWaits& waits, const std::set<int>& without_dump) {
    WaitGraph graph;
    for (const RankDump& dump : waits.dumps)
        graph.ranks.push_back(dump.rank);
    graph.ranks.insert(graph.ranks.end(), waits.no_dump.begin(), waits.no_dump.end());
    graph.ranks.insert(graph.ranks.end(), without_dump.begin(), without_dump.end());
    for (const OpenCall& open : waits.calls)
        for (const HangPart& part : open.parts)
            if (part.state == HangPart::State::no_dump) // also of a group whose members are not told
                graph.ranks.push_back(part.rank);
    std::ranges::sort(graph.ranks);
    const auto repeated = std::ranges::unique(graph.ranks);
    graph.ranks.erase(repeated.begin(), repeated.end());
    graph.calls = waits.calls.size();
    graph.edges.resize(graph.calls + graph.ranks.size());
    std::set<std::uint32_t> awaited;
    for (std::uint32_t c = 0; c < waits.calls.size(); ++c)
        for (const HangPart& part : waits.calls[c].parts) {
            if (part.state != HangPart::State::absent && part.state != HangPart::State::no_dump)
                continue;
            graph.edges[c].push_back({graph.node_of(part.rank), part.rank, part.proved});
            awaited.insert(graph.node_of(part.rank));
        }
    for (std::size_t i = 0; i < waits.queues.size(); ++i) {
        const auto& queue = waits.queues[i];
        const int rank = waits.dumps[i].rank;
        std::size_t before = 0, before_end = 0; // of the place before this one
        for (std::size_t k = 0; k < queue.size(); ++k) {
            if (k > 0 && queue[k].place != queue[k - 1].place) {
                before = before_end;
                before_end = k;
            }
            // The GPU is in this one already: what was called before does not hold it up.
            if (waits.dumps[i].dump->calls[queue[k].entry].state == CallState::started)
                continue;
            for (std::size_t b = before; b < before_end; ++b)
                if (queue[b].call != queue[k].call)
                    graph.edges[queue[k].call].push_back({queue[b].call, rank, true});
        }
        if (const std::uint32_t node = graph.node_of(rank); awaited.contains(node))
            for (const auto& queued : queue)
                graph.edges[node].push_back({queued.call, rank, true});
    }
    find_components(graph);
    return graph;
}

std::vector<std::pair<std::uint32_t, int>> shortest_circle(const WaitGraph& graph, std::uint32_t from) {
    std::map<std::uint32_t, std::pair<std::uint32_t, int>> came; ///< node -> node before it, and through whom
    std::vector<std::uint32_t> queue{from};
    bool closed = false;
    for (std::size_t at = 0; at < queue.size() && !closed; ++at)
        for (const WaitEdge& edge : graph.edges[queue[at]]) {
            if (graph.component[edge.to] != graph.component[from] || came.contains(edge.to))
                continue;
            came[edge.to] = {queue[at], edge.rank};
            closed |= edge.to == from;
            queue.push_back(edge.to);
        }
    std::vector<std::pair<std::uint32_t, int>> steps; ///< from the last to the first
    if (!closed)
        return {};
    for (std::uint32_t node = from; steps.empty() || node != from;) {
        const auto [before, rank] = came.at(node);
        if (graph.is_call(before))
            steps.emplace_back(before, rank);
        node = before;
    }
    std::ranges::reverse(steps);
    return steps;
}

} // namespace rankscope
