// SPDX-License-Identifier: GPL-3.0-or-later
// When the steps of a run are on its GPUs.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// Of the profiler's steps, ascending; none without any.
inline std::vector<std::int64_t> step_numbers(const StepGraph& graph) {
    std::set<std::int64_t> numbers;
    if (graph.profiler_steps)
        for (const GraphStep& step : graph.steps)
            numbers.insert(step.number);
    return {numbers.begin(), numbers.end()};
}

/// The most profiler steps of a rank, or the repetitions where there are none.
inline std::size_t step_count(const StepGraph& graph) {
    if (!graph.profiler_steps)
        return static_cast<std::size_t>(graph.repetitions);
    std::map<std::uint32_t, std::size_t> counts;
    std::size_t most = 0;
    for (const GraphStep& step : graph.steps)
        most = std::max(most, ++counts[step.rank]);
    return most;
}

/// When a rank's GPU is through with what was launched before the step that starts then: with work of earlier steps,
/// and with work that is not selected. end_of: node -> ns.
template <typename EndOf>
TimeNs gpu_is_ready(const GraphStep& step, TimeNs begin, const EndOf& end_of) {
    TimeNs ready = begin + step.busy_for;
    for (const std::uint32_t node : step.work_before)
        ready = std::max(ready, end_of(node));
    return ready;
}

namespace step_ranges_detail {

/// range_of: step -> the host's range; end_of: node -> ns.
template <typename RangeOf, typename EndOf>
std::vector<TimeRange> ranges(const StepGraph& graph, const RangeOf& range_of, const EndOf& end_of) {
    std::vector<TimeRange> ranges;
    for (const GraphStep& step : graph.steps) {
        const bool first = ranges.empty() || graph.steps[ranges.size() - 1].rank != step.rank;
        const TimeRange host = range_of(step);
        TimeNs end = host.end;
        for (const std::uint32_t node : step.last_work)
            end = std::max(end, end_of(node));
        const TimeNs ready = gpu_is_ready(step, host.begin, end_of);
        const TimeNs begin = first ? ready : std::max(ready, ranges.back().end);
        ranges.push_back({begin, std::max(begin, end)});
    }
    return ranges;
}

} // namespace step_ranges_detail

/// Of each of graph.steps, as recorded and aligned. A step starts when the host starts it and the GPU has finished
/// earlier work. It ends when both have finished it. So the steps of a rank do not overlap, and together they take what
/// mean_step_time() counts.
inline std::vector<TimeRange> step_ranges(const StepGraph& graph) {
    return step_ranges_detail::ranges(
        graph, [](const GraphStep& step) { return step.range; }, [&](std::uint32_t node) { return graph.end(node); });
}

/// The same were the nodes to start and take as long as that. Only of a graph with profiler steps. start: by node, ns.
inline std::vector<TimeRange> step_ranges(const StepGraph& graph, std::span<const TimeNs> start,
                                          const GraphTimes& times) {
    return step_ranges_detail::ranges(
        graph,
        [&](const GraphStep& step) {
            return TimeRange{start[step.begin], start[step.end]};
        },
        [&](std::uint32_t node) { return start[node] + times.duration[node]; });
}

} // namespace rankscope
