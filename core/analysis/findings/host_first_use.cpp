// SPDX-License-Identifier: GPL-3.0-or-later
// What first uses cost the hosts: of each node, the share of the operation that lies in it.
#include "core/analysis/findings/host_first_use.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "core/analysis/basics/tolerance.h"
#include "core/base/text.h"

namespace rankscope {

FirstUses first_uses_of_hosts(const FindingContext& c, const std::vector<IntervalSet>& busy) {
    FirstUses result;
    result.of_node.resize(c.graph.first_node.back());
    TimeNs most = 0;
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r) {
        const RankTrace& trace = *c.inputs.run.ranks[r];
        const EventTable& events = trace.events;
        std::vector<TimeRange> own_busy;
        for (const TimeRange& range : busy[r])
            own_busy.push_back(c.graph.clock.recorded(r, range));
        const std::vector<FirstUse> uses = first_uses(trace, own_busy, !c.graph.profiler_steps);
        std::vector<TimeNs> costs(uses.size());
        for (std::uint32_t n = c.graph.first_node[r]; !uses.empty() && n < c.graph.first_gpu_node[r]; ++n) {
            if (!is_in_step(c, n))
                continue;
            const TimeRange own = host_range(c, n);
            for (std::size_t u = 0; u < uses.size(); ++u) {
                const auto length = static_cast<double>(events.duration[uses[u].operation]);
                const auto spared = length - static_cast<double>(uses[u].later);
                const TimeNs shared = events.range(uses[u].operation).clipped_to(own).length();
                if (shared <= 0)
                    continue;
                const TimeNs cost = std::llround(static_cast<double>(shared) * spared / length);
                result.of_node[n] += cost;
                costs[u] += cost;
            }
        }
        for (std::uint32_t n = c.graph.first_gpu_node[r]; !uses.empty() && n < c.graph.first_node[r + 1]; ++n)
            for (std::uint32_t e = c.graph.first_edge[n]; e < c.graph.first_edge[n + 1]; ++e)
                if (c.graph.edges[e].kind == EdgeKind::launch)
                    if (const TimeNs cost = std::min({result.of_node[c.graph.edges[e].from], c.graph.times.lag[e],
                                                      c.graph.times.duration[c.graph.edges[e].from]});
                        cost > 0)
                        result.of_edge.emplace_back(e, cost);
        for (std::size_t u = 0; u < uses.size(); ++u) {
            result.count += costs[u] > 0 ? 1 : 0;
            if (costs[u] > most)
                std::tie(most, result.rank, result.longest) = std::tuple(costs[u], r, uses[u]);
        }
    }
    result.host = host_times(c, [&](std::uint32_t n) { return result.of_node[n]; });
    return result;
}

HostFault first_use_fault(const FindingContext& c, const FirstUses& uses) {
    const RankTrace& trace = *c.inputs.run.ranks[uses.rank];
    const std::string operation = shortened(trace.event_name(uses.longest.operation), kWidthOfName);
    const std::string time = time_words(static_cast<double>(trace.events.duration[uses.longest.operation]));
    const std::string library = library_of(trace, uses.longest);
    Message title =
        library.empty()
            ? "First use: %1 takes %2 where the recording has it first, %3 of that in %4"_text(
                  operation, time, time_words(static_cast<double>(trace.events.duration[uses.longest.call])),
                  std::string(trace.event_name(uses.longest.call)))
            : "First use: %1 takes %2 where the recording has it first, as %3 is loaded"_text(operation, time, library);
    if (uses.count > 1)
        title += plural(uses.count - 1, "; %1 more first use takes long"_one,
                        "; %1 more first uses take long"_many)(uses.count - 1);
    title += "; this happens once and is no fault"_text();
    const auto remove = [nodes = uses.host.nodes, times_of = uses.host.times, edges = uses.of_edge,
                         &c](GraphTimes& times) {
        for (const auto& [edge, more] : edges)
            times.lag[edge] -= std::clamp<TimeNs>(times.lag[edge], 0, more);
        for (std::size_t i = 0; i < nodes.size(); ++i)
            shorten_host(c.graph, nodes[i], times_of[i], times);
    };
    return {uses.host, remove, FindingCode::first_use, [title](const HostAmounts&) { return title; }, true, false,
            true,      true};
}

} // namespace rankscope
