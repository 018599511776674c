// SPDX-License-Identifier: GPL-3.0-or-later
// Walks back from a node of the step graph.
#include "core/analysis/delays/way_to_call.h"

#include <algorithm>

#include "core/analysis/graph/graph_changes.h"

namespace rankscope::delays {

Spent spent_since(const Way& way, TimeNs since) {
    Spent spent;
    for (const Stretch& stretch : way.stretches) {
        const TimeNs time = stretch.range.end - std::max(stretch.range.begin, since);
        if (time <= 0)
            break;
        switch (stretch.kind) {
        case Stretch::Kind::own: {
            const auto c = static_cast<std::size_t>(stretch.cause);
            spent.own[c] += time;
            spent.more[c] += static_cast<double>(stretch.more) * static_cast<double>(time) /
                             static_cast<double>(stretch.range.length());
            if (stretch.cause == WaitCause::transfer)
                spent.transfers.push_back({stretch.node, time});
            break;
        }
        case Stretch::Kind::unrecorded: spent.unrecorded += time; break;
        case Stretch::Kind::waits:
            spent.waited += time;
            spent.waits.push_back({stretch.node, time});
            break;
        }
    }
    return spent;
}

TimeNs WayBack::step_before(std::uint32_t node) const {
    const std::uint32_t step = graph_.step[node];
    if (!graph_.profiler_steps || step == kNoNode)
        return kEver;
    const auto first = std::ranges::lower_bound(graph_.steps, graph_.rank[node], {}, &GraphStep::rank);
    if (step > 0)
        return (first + static_cast<std::ptrdiff_t>(step) - 1)->range.begin;
    TimeNs done = kEver;
    for (const std::uint32_t earlier : first->work_before)
        done = std::max(done, held_up_.end(earlier));
    return done;
}

WaitCause WayBack::cause_of_gap(EdgeKind kind) const {
    switch (kind) {
    case EdgeKind::host: return WaitCause::host;
    case EdgeKind::wait: return WaitCause::synchronisation;
    default: return launches_ ? WaitCause::launch : WaitCause::gap;
    }
}

/// What held the node up. Where the host waits for the GPU and its peers do not, it held itself up, whatever the GPU
/// did meanwhile.
std::uint32_t WayBack::holding_edge(std::uint32_t node, bool own_work) const {
    const std::uint32_t binding = held_up_.binding_edge(node);
    if (usual_.own_wait[node])
        if (const std::uint32_t host = host_edge(graph_, node); host != kNoNode)
            return host;
    if (!own_work || binding == kNoNode || graph_.kind[node] != NodeKind::arrival ||
        graph_.edges[binding].kind != EdgeKind::stream)
        return binding;
    std::uint32_t best = kNoNode;
    TimeNs latest = 0;
    for (std::uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e) {
        const GraphEdge& edge = graph_.edges[e];
        const TimeNs time = held_up_.source(edge) + held_up_.times.lag[e];
        if (edge.kind == EdgeKind::dependency && graph_.kind[edge.from] != NodeKind::transfer &&
            (best == kNoNode || time > latest)) {
            best = e;
            latest = time;
        }
    }
    return best == kNoNode ? binding : best;
}

void WayBack::go_back(std::uint32_t node, TimeNs until, Along along, Way& way,
                      const std::function<bool(std::uint32_t transfer)>& meet) {
    const std::uint32_t rank = graph_.rank[node];
    way.cursor = start_[node];
    std::uint32_t binding = holding_edge(node, along.own_work);
    while (way.cursor > until && ++walked_ < kMostWalked) {
        if (binding == kNoNode) {
            way.ended = true;
            return;
        }
        const GraphEdge edge = graph_.edges[binding];
        pass(way, std::max(held_up_.source(edge), until), Stretch::Kind::own,
             usual_.own_wait[node] ? WaitCause::synchronisation : cause_of_gap(edge.kind), node,
             usual_gap(node, binding));
        const NodeKind kind = graph_.kind[edge.from];
        if (kind != NodeKind::transfer) {
            const bool unrecorded = kind == NodeKind::lone_communication && !edge.from_start;
            pass(way, std::max(start_[edge.from], until), unrecorded ? Stretch::Kind::unrecorded : Stretch::Kind::own,
                 cause_of_work(kind), edge.from, usual_.node[edge.from]);
            node = edge.from;
            binding = holding_edge(node, along.own_work);
            continue;
        }
        if (!meet(edge.from))
            return;
        const std::uint32_t own = arrival_of(edge.from, rank);
        if (own == kNoNode) {
            way.ended = true;
            return;
        }
        const std::uint32_t other = along.beside_early ? held_up_.second_edge(node, binding) : kNoNode;
        const bool early = other != kNoNode && held_up_.ready(other) > start_[own];
        const TimeNs waits_from = early ? held_up_.ready(other) : start_[own];
        pass(way, std::max({start_[last_arrival(edge.from)], waits_from, until}), Stretch::Kind::own,
             WaitCause::transfer, edge.from, usual_.node[edge.from]);
        pass(way, std::max(waits_from, until), Stretch::Kind::waits, WaitCause::transfer, own, -1);
        if (!early)
            node = own;
        binding = early ? other : holding_edge(node, along.own_work);
    }
}

/// usual: how long others take for the same, -1 where nobody tells.
void WayBack::pass(Way& way, TimeNs begin, Stretch::Kind kind, WaitCause cause, std::uint32_t node, TimeNs usual) {
    if (way.cursor <= begin)
        return;
    const TimeNs time = way.cursor - begin;
    way.stretches.push_back({{begin, way.cursor}, node, kind, cause, usual < 0 ? time : time - usual});
    way.cursor = begin;
}

/// What the host usually takes on its way to the node; -1 where nobody tells.
TimeNs WayBack::usual_gap(std::uint32_t node, std::uint32_t edge) const {
    return graph_.edges[edge].kind == EdgeKind::host ? usual_.way[node] : -1;
}

std::uint32_t WayBack::arrival_of(std::uint32_t transfer, std::uint32_t rank) const {
    // Arrivals are in the order of ranks.
    const auto arrivals = graph_.edges_of(transfer);
    const auto own = std::ranges::lower_bound(arrivals, graph_.first_node[rank], {}, &GraphEdge::from);
    return own != arrivals.end() && own->from < graph_.first_node[rank + 1] ? own->from : kNoNode;
}

} // namespace rankscope::delays
