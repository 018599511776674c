// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at the thread whose launch ends each wait.
#include "core/analysis/findings/host_named.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/gpu/host_collectives.h"

namespace rankscope {
namespace {

constexpr TimeNs kNotLaunching = 1'000'000; ///< between two launches, a wait for more than launching

/// Of a rank, on its own clock: when the GPU waits for a thread (index of the lane) to launch. Ascending, apart.
std::map<std::uint32_t, IntervalSet> waits_for_threads(const FindingContext& c, std::uint32_t rank,
                                                       const std::set<std::int64_t>& only_in) {
    const StepGraph& graph = c.graph;
    const RankTrace& trace = *c.inputs.run.ranks[rank];
    std::map<std::uint32_t, IntervalSet> waits;
    TimeNs busy_until = std::numeric_limits<TimeNs>::max();
    for (std::uint32_t n = graph.first_gpu_node[rank]; n < graph.first_node[rank + 1]; ++n) {
        const bool in_step = !graph.profiler_steps || graph.step[n] != kNoNode;
        if (in_step && busy_until == std::numeric_limits<TimeNs>::max())
            busy_until = graph.profiler_steps ? graph.step_of(n)->range.begin : graph.start[graph.first_node[rank]];
        for (const GraphEdge& edge : graph.edges_of(n)) {
            if (edge.kind != EdgeKind::launch || !in_step || graph.event[edge.from] == kNoEvent || !c.is_in(only_in, n))
                continue;
            const TimeRange wait{busy_until, std::min(graph.start[edge.from], graph.start[n])};
            if (wait.empty())
                continue;
            const Lane& lane = trace.lane_of(graph.event[edge.from]);
            waits[static_cast<std::uint32_t>(&lane - trace.lanes.data())].push_back(graph.clock.recorded(rank, wait));
        }
        const std::uint32_t transfer = graph.transfer_of[n];
        const TimeNs end = transfer == kNoNode ? graph.end(n) : graph.end(transfer);
        busy_until = busy_until == std::numeric_limits<TimeNs>::max() ? end : std::max(busy_until, end);
    }
    for (auto& [lane, ranges] : waits)
        ranges = merge(std::move(ranges));
    return waits;
}

struct NamedTime {
    TimeNs time = 0;
    TimeNs most = 0; ///< of one event
    FindingEvent event;
};

bool has_a_name(EventKind kind) {
    return kind == EventKind::cpu_op || kind == EventKind::annotation || kind == EventKind::python ||
           is_launch_call(kind) || kind == EventKind::other;
}

} // namespace

HostNamed name_host_time(const FindingContext& c, std::span<const std::uint32_t> ranks,
                         const std::set<std::int64_t>& only_in) {
    HostNamed result;
    std::map<std::string_view, NamedTime> names;
    for (const std::uint32_t r : ranks) {
        const RankTrace& trace = *c.inputs.run.ranks[r];
        // They run on threads of their own, for which the one that launches waits.
        const std::vector<EventIndex> collectives = host_collective_calls(trace);
        std::set<EventIndex> marks; // of steps, which say nothing of what the host did
        for (const ProfilerStep& step : trace.steps)
            marks.insert(step.event);
        for (auto& [thread, waits] : waits_for_threads(c, r, only_in)) {
            const TimeNs all = measure(waits);
            std::erase_if(waits, [](const TimeRange& wait) { return wait.length() < kNotLaunching; });
            const TimeNs longer = measure(waits);
            result.launching += all - longer;
            result.other += longer;
            const Lane& lane = trace.lanes[thread];
            const auto add = [&](EventIndex e) {
                const TimeNs shared = covered(waits, trace.events.range(e));
                if (shared == 0)
                    return;
                NamedTime& named = names[trace.event_name(e)];
                named.time += shared;
                if (shared > named.most) {
                    named.most = shared;
                    named.event = {r, e, trace.events.range(e)};
                }
            };
            for (EventIndex e = lane.begin; longer > 0 && e < lane.end; ++e)
                if (has_a_name(trace.events.kind[e]) && !marks.contains(e))
                    add(e);
            for (const EventIndex e : collectives)
                if (e < lane.begin || e >= lane.end)
                    add(e);
        }
    }
    // What holds half of the time and least of anything else says most.
    const auto half = static_cast<TimeNs>(kMostOf * static_cast<double>(result.other));
    for (const auto& [name, named] : names) {
        const bool holds_half = named.time >= half;
        const bool better = holds_half == (result.named >= half)
                                ? (holds_half ? named.time < result.named : named.time > result.named)
                                : holds_half;
        if (result.name.empty() || better ||
            (named.time == result.named && named.event.range.length() < result.longest.range.length())) {
            result.name = name;
            result.named = named.time;
            result.longest = named.event;
        }
    }
    return result;
}

} // namespace rankscope
