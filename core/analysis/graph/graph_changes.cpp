// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to a step graph's times.
#include "core/analysis/graph/graph_changes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

TimeNs scaled(TimeNs time, double factor) { return factor == 0 ? 0 : std::llround(static_cast<double>(time) * factor); }

/// What several changes set: the smallest of those that differ from the base.
void take_smallest(TimeNs base, TimeNs changed, TimeNs& time) {
    if (changed != base)
        time = time == base ? changed : std::min(time, changed);
}

} // namespace

TimeNs host_time(const StepGraph& graph, const GraphTimes& times, std::uint32_t node) {
    const std::uint32_t edge = host_edge(graph, node);
    return (edge == kNoNode ? 0 : times.lag[edge]) + times.duration[node];
}

void set_time(const StepGraph& graph, std::uint32_t node, TimeNs time, GraphTimes& times) {
    if (graph.kind[node] != NodeKind::launch && graph.kind[node] != NodeKind::wait_begin) {
        times.duration[node] = time;
        return;
    }
    // The call keeps what it takes as far as possible; the rest is before it.
    const std::uint32_t edge = host_edge(graph, node);
    times.duration[node] = std::min(times.duration[node], time);
    if (edge != kNoNode)
        times.lag[edge] = time - times.duration[node];
}

void take_smallest(const GraphTimes& base, const GraphTimes& changed, GraphTimes& times) {
    for (std::size_t n = 0; n < base.duration.size(); ++n)
        take_smallest(base.duration[n], changed.duration[n], times.duration[n]);
    for (std::size_t e = 0; e < base.lag.size(); ++e)
        take_smallest(base.lag[e], changed.lag[e], times.lag[e]);
    times.begin.resize(std::max(times.begin.size(), changed.begin.size()));
    for (std::size_t r = 0; r < changed.begin.size(); ++r)
        take_smallest(0, changed.begin[r], times.begin[r]);
}

bool takes_away(const GraphTimes& base, const GraphTimes& changed) {
    const auto longer = [](const std::vector<TimeNs>& before, const std::vector<TimeNs>& after) {
        return !std::equal(before.begin(), before.end(), after.begin(), std::greater_equal<>());
    };
    return !longer(base.duration, changed.duration) && !longer(base.lag, changed.lag) &&
           std::ranges::none_of(changed.begin, [](TimeNs later) { return later > 0; });
}

std::uint32_t host_edge(const StepGraph& graph, std::uint32_t node) {
    for (std::uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e)
        if (graph.edges[e].kind == EdgeKind::host)
            return e;
    return kNoNode;
}

void scale_durations(const StepGraph& graph, const NodeCondition& which, double factor, GraphTimes& times) {
    for (std::uint32_t n = 0; n < graph.size(); ++n)
        if (times.duration[n] != 0 && which(n))
            times.duration[n] = scaled(times.duration[n], factor);
}

namespace {

/// From the start of the call that launches the work, the part of the edge's lag in which the host is still in it.
TimeNs in_call(const StepGraph& graph, std::uint32_t edge) {
    return std::min(graph.times.lag[edge], graph.times.duration[graph.edges[edge].from]);
}

/// A first launch that loads code for a second holds up its work for that second: what such a call takes longer than
/// half of the rank's calls do is the host's time.
void scale_long_launches(const StepGraph& graph, std::uint32_t rank, double factor, GraphTimes& times) {
    std::vector<std::uint32_t> launches; // edges
    std::vector<TimeNs> in_calls;
    for (std::uint32_t n = graph.first_gpu_node[rank]; n < graph.first_node[rank + 1]; ++n) {
        if (graph.kind[n] == NodeKind::memory_copy || graph.kind[n] == NodeKind::memory_set)
            continue; // such a call may last until the copy is made
        for (std::uint32_t e = graph.first_edge[n]; e < graph.first_edge[n + 1]; ++e)
            if (graph.edges[e].kind == EdgeKind::launch) {
                launches.push_back(e);
                in_calls.push_back(in_call(graph, e));
            }
    }
    if (launches.empty())
        return;
    const TimeNs median_call = upper_median(std::move(in_calls));
    for (const std::uint32_t e : launches) {
        const TimeNs longer = std::max<TimeNs>(0, in_call(graph, e) - median_call);
        times.lag[e] = std::max<TimeNs>(0, times.lag[e] - (longer - scaled(longer, factor)));
    }
}

} // namespace

void scale_host(const StepGraph& graph, double factor, bool special, GraphTimes& times) {
    for (std::uint32_t rank = 0; rank + 1 < graph.first_node.size(); ++rank)
        scale_long_launches(graph, rank, factor, times);
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
        if (!is_host_node(graph.kind[n]))
            continue;
        const NodeKind kind = graph.kind[n];
        const bool is_special =
            kind == NodeKind::data_loading || kind == NodeKind::garbage_collection || kind == NodeKind::allocation;
        if (special || !is_special)
            times.duration[n] = scaled(times.duration[n], factor);
        const std::uint32_t edge = graph.kind[n] == NodeKind::wait_end ? kNoNode : host_edge(graph, n);
        if (edge != kNoNode)
            times.lag[edge] = scaled(times.lag[edge], factor);
    }
}

void unchain_compute(const StepGraph& graph, const NodeCondition& communication, GraphTimes& times) {
    // A message that left without its receiver stands for the transfer that computation waits for.
    const auto chosen = [&](std::uint32_t n) {
        return communication(n) || (graph.kind[n] == NodeKind::transfer &&
                                    std::ranges::any_of(graph.edges_of(n), [&](const GraphEdge& edge) {
                                        return graph.kind[edge.from] == NodeKind::message && communication(edge.from);
                                    }));
    };
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
        if (!is_local_gpu_work(graph.kind[n]))
            continue;
        for (std::uint32_t e = graph.first_edge[n]; e < graph.first_edge[n + 1]; ++e) {
            const NodeKind from = graph.kind[graph.edges[e].from];
            const bool waits = graph.edges[e].kind == EdgeKind::dependency || graph.edges[e].kind == EdgeKind::stream;
            if (waits &&
                (from == NodeKind::transfer || from == NodeKind::message || from == NodeKind::lone_communication) &&
                chosen(graph.edges[e].from))
                times.lag[e] = kNever;
        }
    }
}

void drop_waits_for_rank(const StepGraph& graph, std::uint32_t rank, GraphTimes& times) {
    for (std::uint32_t n = graph.first_node.back(); n < graph.size(); ++n)
        for (std::uint32_t e = graph.first_edge[n]; e < graph.first_edge[n + 1]; ++e)
            times.lag[e] = graph.rank[graph.edges[e].from] == rank ? kNever : times.lag[e];
}

void drop_waits(const StepGraph& graph, std::span<const std::uint32_t> waits, GraphTimes& times) {
    for (const std::uint32_t n : waits) {
        for (std::uint32_t e = graph.first_edge[n]; e < graph.first_edge[n + 1]; ++e)
            if (graph.edges[e].kind == EdgeKind::wait)
                times.lag[e] = kNever;
            else if (graph.edges[e].kind == EdgeKind::host)
                times.lag[e] = std::min<TimeNs>(times.lag[e], 1'000);
    }
}

} // namespace rankscope
