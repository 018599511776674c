// SPDX-License-Identifier: GPL-3.0-or-later
// When the steps of a run are on its GPUs.
#pragma once
#include <algorithm>
#include <set>
#include <vector>

#include "core/analysis/replay/step_graph.h"

namespace rankscope {

/// Of the profiler's steps, ascending; none without any.
inline std::vector<std::int64_t> step_numbers(const StepGraph& graph) {
    std::set<std::int64_t> numbers;
    if (graph.profiler_steps)
        for (const GraphStep& step : graph.steps)
            numbers.insert(step.number);
    return {numbers.begin(), numbers.end()};
}

/// The profiler's steps, or the repetitions where it has none.
inline std::size_t step_count(const StepGraph& graph) {
    return graph.profiler_steps ? step_numbers(graph).size() : static_cast<std::size_t>(graph.repetitions);
}

/// Of each of graph.steps, as recorded and aligned. A step starts when the host starts it and the GPU has finished
/// earlier work. It ends when both have finished it. So the steps of a rank do not overlap, and together they take what
/// mean_step_time() counts.
inline std::vector<TimeRange> step_ranges(const StepGraph& graph) {
    std::vector<TimeRange> ranges;
    for (const GraphStep& step : graph.steps) {
        const bool first = ranges.empty() || graph.steps[ranges.size() - 1].rank != step.rank;
        TimeNs busy_until = first ? step.range.begin + step.busy_for : ranges.back().end;
        for (const std::uint32_t node : step.work_before)
            busy_until = std::max(busy_until, graph.end(node));
        TimeNs end = step.range.end;
        for (const std::uint32_t node : step.last_work)
            end = std::max(end, graph.end(node));
        const TimeNs begin = std::max(step.range.begin, busy_until);
        ranges.push_back({begin, std::max(begin, end)});
    }
    return ranges;
}

} // namespace rankscope
