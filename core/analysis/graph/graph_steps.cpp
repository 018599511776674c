// SPDX-License-Identifier: GPL-3.0-or-later
// Which nodes of a step graph start and end the steps of each rank.
#include "core/analysis/graph/graph_steps.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/analysis/graph/rank_edges.h"
#include "core/analysis/steps/step_windows.h"

namespace rankscope {
namespace {

/// When what counts of a rank without profiler steps begins: the driver may spend so long in the first launch,
/// loading code and setting up the device, that it is of no step.
TimeNs behind_slow_first_launch(const RankTrace& trace, const StepGraph& graph, std::uint32_t r) {
    constexpr TimeNs kSlow = 50'000'000;
    constexpr TimeNs kFarSlower = 5; // times the slowest of the others
    const EventTable& events = trace.events;
    EventIndex first = kNoEvent;
    TimeNs others = 0;
    for (std::uint32_t n = graph.first_node[r]; n < graph.first_gpu_node[r]; ++n) {
        const EventIndex event = graph.event[n];
        if (graph.kind[n] != NodeKind::launch || event == kNoEvent)
            continue;
        if (first == kNoEvent)
            first = event;
        else if (event != first)
            others = std::max(others, events.duration[event]);
    }
    const TimeNs own = first == kNoEvent ? 0 : events.duration[first];
    const bool slow = others > 0 && own >= kSlow && own / kFarSlower >= others;
    return slow ? graph.clock.aligned(r, events.end(first)) : std::numeric_limits<TimeNs>::min();
}

/// Likewise: the GPU is seen at work before it has finished what was queued before the recording.
TimeNs behind_queued_work(const RankTrace& trace, const StepGraph& graph, std::uint32_t r) {
    const auto queued = end_of_queued_work(trace);
    const std::uint32_t first = graph.first_gpu_node[r];
    if (!queued || first == graph.first_node[r + 1] || graph.start[first] >= graph.clock.aligned(r, *queued))
        return std::numeric_limits<TimeNs>::min();
    return graph.clock.aligned(r, *queued);
}

/// From the first start to the last end of what starts from then on; begin > end: nothing does.
TimeRange range_from(const RankGraph& rank, TimeNs from) {
    TimeRange range{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    const auto add = [&](const auto& part) {
        if (part.start >= from)
            range = {std::min(range.begin, part.start), std::max(range.end, part.end)};
    };
    std::ranges::for_each(rank.host, add);
    std::ranges::for_each(rank.work, add);
    return range;
}

/// Of the rank's steps, of which the first is StepGraph::steps[first]: their last GPU work, and of the first what the
/// GPU has to do before.
void add_work_of_steps(const RankTrace& trace, const RankGraph& rank, std::uint32_t r, std::size_t first,
                       StepGraph& graph) {
    const auto node_of = [&](std::uint32_t work) {
        const std::uint32_t node = graph.first_gpu_node[r] + work;
        return graph.transfer_of[node] == kNoNode ? node : graph.transfer_of[node];
    };
    for (const std::vector<std::uint32_t>& stream : rank.streams) {
        const auto first_of_steps =
            std::ranges::find_if(stream, [&](std::uint32_t w) { return rank.work[w].step != kNoNode; });
        if (first < graph.steps.size() && first_of_steps != stream.end()) {
            GraphStep& step = graph.steps[first];
            if (first_of_steps != stream.begin())
                step.work_before.push_back(node_of(*std::prev(first_of_steps)));
            else
                step.busy_for = std::max(
                    step.busy_for, gpu_busy_after(graph, trace, r, rank.work[*first_of_steps].event, step.range.begin));
        }
        for (std::size_t i = 0; i < stream.size(); ++i) {
            const std::uint32_t step = rank.work[stream[i]].step;
            if (step != kNoNode && first + step < graph.steps.size() &&
                (i + 1 == stream.size() || rank.work[stream[i + 1]].step != step))
                graph.steps[first + step].last_work.push_back(node_of(stream[i]));
        }
    }
}

} // namespace

void add_steps(const Run& run, std::span<const RankGraph> ranks, std::span<const std::vector<ProfilerStep>> steps,
               StepGraph& graph) {
    for (std::uint32_t r = 0; r < ranks.size(); ++r) {
        const std::size_t first = graph.steps.size();
        for (const ProfilerStep& step : steps[r])
            graph.steps.push_back({r, step.number, graph.clock.aligned(r, step.range), kNoNode, kNoNode, {}, {}, 0});
        for (std::uint32_t h = 0; h < ranks[r].host.size(); ++h) {
            const HostPoint& point = ranks[r].host[h];
            if (point.work == HostWork::step_begin)
                graph.steps[first + point.step].begin = graph.first_node[r] + h;
            else if (point.work == HostWork::step_end)
                graph.steps[first + point.step].end = graph.first_node[r] + h;
        }
        add_work_of_steps(*run.ranks[r], ranks[r], r, first, graph);
    }
    graph.profiler_steps = !graph.steps.empty();
    for (std::uint32_t r = 0; !graph.profiler_steps && r < ranks.size(); ++r) {
        const RankTrace& trace = *run.ranks[r];
        TimeRange range = range_from(
            ranks[r], std::max(behind_slow_first_launch(trace, graph, r), behind_queued_work(trace, graph, r)));
        if (range.begin > range.end) // all started while it lasted
            range = range_from(ranks[r], std::numeric_limits<TimeNs>::min());
        if (graph.first_node[r] < graph.first_node[r + 1])
            graph.steps.push_back({r, 0, range, kNoNode, kNoNode, {}, {}, 0});
    }
}

} // namespace rankscope
