// SPDX-License-Identifier: GPL-3.0-or-later
// What the hosts take inside the steps. What they do after their last launch keeps no GPU waiting.
#include "core/analysis/findings/host_times.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/analysis/basics/tolerance.h"

namespace rankscope {
namespace {

/// Of each step, how many ranks have it. only: these ranks; empty: all.
std::map<std::int64_t, double> ranks_with_step(const FindingContext& c, const std::set<std::uint32_t>& only = {}) {
    std::map<std::int64_t, double> ranks;
    for (const GraphStep& step : c.graph.steps) {
        if (!only.empty() && !only.contains(step.rank))
            continue;
        if (c.graph.profiler_steps)
            ++ranks[step.number];
        else // of repetitions with numbers each rank has all
            for (const std::int64_t number : c.numbers())
                ++ranks[number];
    }
    return ranks;
}

/// Per rank: when its host launches GPU work last. What the host does later keeps no recorded GPU work waiting.
std::vector<TimeNs> last_launches(const FindingContext& c) {
    std::vector<TimeNs> last(c.inputs.run.ranks.size(), std::numeric_limits<TimeNs>::max());
    for (std::uint32_t r = 0; r < last.size(); ++r)
        for (std::uint32_t n = c.graph.first_gpu_node[r]; n-- > c.graph.first_node[r];)
            if (c.graph.kind[n] == NodeKind::launch) {
                last[r] = c.graph.start[n];
                break;
            }
    return last;
}

} // namespace

HostTimes host_times(const FindingContext& c, const std::function<TimeNs(std::uint32_t)>& time_of) {
    HostTimes host;
    std::map<std::uint32_t, std::size_t> seen;
    std::uint32_t last_step = kNoNode;
    std::uint32_t last_rank = kNoNode;
    const std::vector<TimeNs> last_launch = last_launches(c);
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (!is_host_node(c.graph.kind[n]) || !is_in_step(c, n) || c.graph.start[n] > last_launch[c.graph.rank[n]])
            continue;
        const TimeNs time = time_of(n);
        if (time <= 0)
            continue;
        host.nodes.push_back(n);
        host.times.push_back(time);
        ++host.count;
        host.time += time;
        if (const std::optional<std::int64_t> number = c.places.number_of(n))
            host.by_step[*number] += static_cast<double>(time);
        host.largest.emplace_back(time, n);
        if (c.graph.rank[n] != last_rank || c.graph.step[n] != last_step) {
            last_rank = c.graph.rank[n];
            last_step = c.graph.step[n];
            host.steps = std::max(host.steps, ++seen[last_rank]);
        }
    }
    const std::map<std::int64_t, double> ranks = ranks_with_step(c);
    for (auto& [number, time] : host.by_step)
        time /= ranks.at(number);
    const auto shown = static_cast<std::ptrdiff_t>(std::min(kEventsShown, host.largest.size()));
    std::partial_sort(host.largest.begin(), host.largest.begin() + shown, host.largest.end(), std::greater<>());
    host.largest.resize(static_cast<std::size_t>(shown));
    return host;
}

HostTimes part_of_host(const FindingContext& c, const HostTimes& host,
                       const std::function<bool(std::uint32_t)>& stays) {
    return host_times(
        c,
        [&](std::uint32_t n) -> TimeNs {
            const auto at = std::ranges::lower_bound(host.nodes, n);
            const bool known = at != host.nodes.end() && *at == n && stays(n);
            return known ? host.times[static_cast<std::size_t>(at - host.nodes.begin())] : 0;
        });
}

HostTimes of_affected_steps(const FindingContext& c, HostTimes host) {
    const Onset onset = onset_of(c, host.by_step);
    if (!in_some_steps(c, onset))
        return host;
    double usual = 0;
    for (const auto& [number, time] : host.by_step)
        usual += onset.steps.contains(number) ? 0 : time;
    const auto others = static_cast<double>(c.numbers().size() - onset.steps.size());
    if (c.share(usual / others) >= kUnhealthy)
        return host;
    HostTimes affected = part_of_host(c, host, [&](std::uint32_t n) { return c.is_in(onset.steps, n); });
    affected.onset = onset;
    affected.usual = usual / others;
    return affected;
}

double rank_steps(const FindingContext& c, const std::set<std::int64_t>& numbers, const std::set<std::uint32_t>& only) {
    const std::map<std::int64_t, double> ranks = ranks_with_step(c, only);
    double count = 0;
    for (const auto& [number, with] : ranks)
        count += numbers.empty() || numbers.contains(number) ? with : 0;
    const bool of_all_repetitions = numbers.empty() && !c.graph.profiler_steps; // the last one may have no number
    return ranks.empty() || of_all_repetitions
               ? static_cast<double>(c.steps * (only.empty() ? c.inputs.run.ranks.size() : only.size()))
               : count;
}

std::set<std::uint32_t> few_ranks(const FindingContext& c, const HostTimes& host) {
    std::set<std::uint32_t> concerned;
    for (const std::uint32_t n : host.nodes)
        concerned.insert(c.graph.rank[n]);
    return 2 * concerned.size() <= c.inputs.run.ranks.size() ? concerned : std::set<std::uint32_t>{};
}

bool is_in_step(const FindingContext& c, std::uint32_t node) {
    if (c.graph.profiler_steps)
        return c.graph.step[node] != kNoNode;
    const auto own = std::ranges::lower_bound(c.graph.steps, c.graph.rank[node], {}, &GraphStep::rank);
    return own == c.graph.steps.end() || own->rank != c.graph.rank[node] || c.graph.start[node] >= own->range.begin;
}

TimeRange host_range(const FindingContext& c, std::uint32_t node) {
    const std::uint32_t edge = host_edge(c.graph, node);
    const TimeNs before = edge == kNoNode ? 0 : std::max<TimeNs>(0, c.graph.times.lag[edge]);
    return c.graph.clock.recorded(c.graph.rank[node], TimeRange{c.graph.start[node] - before, c.graph.end(node)});
}

void shorten_host(const StepGraph& graph, std::uint32_t node, TimeNs by, GraphTimes& times) {
    const std::uint32_t edge = host_edge(graph, node);
    const TimeNs before = edge == kNoNode ? 0 : std::clamp<TimeNs>(times.lag[edge], 0, by);
    if (before > 0)
        times.lag[edge] -= before;
    times.duration[node] -= std::min(by - before, times.duration[node]);
}

} // namespace rankscope
