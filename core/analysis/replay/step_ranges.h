// SPDX-License-Identifier: GPL-3.0-or-later
// When the steps of a run are on its GPUs.
#pragma once
#include <algorithm>
#include <vector>

#include "core/analysis/replay/step_graph.h"

namespace rankscope {

/// Of each of graph.steps, as recorded and aligned. A step starts with the host's, or, where the GPU is then still busy
/// with earlier work, when that has ended; it ends when the host is through with it and the GPU with its work. So a
/// rank's steps do not overlap, and together they take what mean_step_time() counts.
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
