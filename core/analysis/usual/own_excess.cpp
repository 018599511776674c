// SPDX-License-Identifier: GPL-3.0-or-later
// Compares each node with what is expected of it.
#include "core/analysis/usual/own_excess.h"

#include <cmath>

#include "core/analysis/usual/compared_work.h"

namespace rankscope {

OwnExcess own_excess(const StepGraph& graph, const PeerTimes& peers, std::uint32_t node) {
    const TimeNs expected = peers.expected[node];
    if (expected < 0)
        return {};
    const TimeNs more = graph.times.duration[node] - expected;
    const bool surplus = peers.surplus[node];
    switch (graph.kind[node]) {
    case NodeKind::compute: return {surplus ? OwnCause::more_kernels : OwnCause::slower_kernels, more};
    case NodeKind::memory_copy:
    case NodeKind::memory_set: return {surplus ? OwnCause::more_kernels : OwnCause::slower_copies, more};
    case NodeKind::launch:
        return {surplus ? OwnCause::more_kernels : OwnCause::host_bound, host_time(graph, node) - expected};
    case NodeKind::wait_begin: return {OwnCause::host_bound, surplus ? 0 : host_time(graph, node) - expected};
    case NodeKind::data_loading: return {OwnCause::data_loading, more};
    case NodeKind::garbage_collection: return {OwnCause::garbage_collection, more};
    case NodeKind::allocation: return {OwnCause::allocation, more};
    case NodeKind::step_begin: return {OwnCause::late_start, graph.start[node] - peers.earliest_begin - expected};
    case NodeKind::wait_end: { // what the host lost: the time it was held
        const std::uint32_t edge = host_edge(graph, node);
        return {OwnCause::synchronisation,
                surplus && edge != kNoNode ? graph.start[node] - graph.start[graph.edges[edge].from] : 0};
    }
    default: return {};
    }
}

TimeNs excess_before(const StepGraph& graph, const PeerTimes& peers, std::uint32_t node) {
    const std::uint32_t edge = peers.expected_before[node] < 0 ? kNoNode : host_edge(graph, node);
    return edge == kNoNode ? 0 : graph.times.lag[edge] - peers.expected_before[node];
}

void remove_excess(const StepGraph& graph, const PeerTimes& peers, OwnCause cause, const std::vector<bool>& ranks,
                   GraphTimes& times) {
    for (std::uint32_t n = 0; n < graph.first_node.back(); ++n) {
        if (!ranks[graph.rank[n]])
            continue;
        if (const TimeNs before = cause == OwnCause::host_bound ? excess_before(graph, peers, n) : 0; before != 0)
            times.lag[host_edge(graph, n)] -= before;
        auto [own_cause, more] = own_excess(graph, peers, n);
        if (own_cause == OwnCause::slower_kernels && peers.as_fast[n] >= 0)
            more = graph.times.duration[n] - peers.as_fast[n];
        if (more == 0 || own_cause != cause)
            continue;
        if (cause == OwnCause::late_start) {
            times.begin.resize(ranks.size());
            times.begin[graph.rank[n]] = -more;
        } else if (graph.kind[n] == NodeKind::wait_end) {
            for (std::uint32_t e = graph.first_edge[n]; e < graph.first_edge[n + 1]; ++e)
                times.lag[e] = graph.edges[e].kind == EdgeKind::wait ? kNever : 0;
        } else if (is_gpu_node(graph.kind[n]) && graph.times.duration[n] > 0) { // what else changes it remains
            const double part =
                static_cast<double>(graph.times.duration[n] - more) / static_cast<double>(graph.times.duration[n]);
            times.duration[n] = std::llround(static_cast<double>(times.duration[n]) * part);
        } else {
            set_time(graph, n, compared_time(graph, graph.times, n) - more, times);
        }
    }
}

} // namespace rankscope
