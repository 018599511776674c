// SPDX-License-Identifier: GPL-3.0-or-later
// When the steps of a rank are on its GPU.
#include "core/analysis/steps/step_windows.h"

#include <algorithm>
#include <map>
#include <utility>

namespace rankscope {

std::vector<TimeRange> step_windows(const RankTrace& rank, std::span<const GpuSlice> work,
                                    std::span<const ProfilerStep> steps) {
    std::vector<TimeRange> windows;
    for (const ProfilerStep& step : steps)
        windows.push_back(step.range);
    if (steps.empty())
        return windows;
    const WorkSteps work_steps(rank);
    TimeNs busy_until = steps.front().range.begin;
    std::map<const Lane*, bool> seen; // lanes whose first work of the steps was met
    for (const GpuSlice& slice : work) {
        const Lane* lane = &rank.lane_of(slice.event);
        const ProfilerStep* step = work_steps.of(slice.event);
        const auto own = step == nullptr ? steps.end() : std::ranges::find(steps, step->number, &ProfilerStep::number);
        if (own == steps.end())
            continue;
        if (!std::exchange(seen[lane], true) && slice.event > lane->begin)
            busy_until = std::max(busy_until, std::min(slice.range.begin, rank.events.end(slice.event - 1)));
        TimeRange& window = windows[static_cast<std::size_t>(own - steps.begin())];
        window.end = std::max(window.end, slice.range.end);
    }
    windows.front().begin = std::min(busy_until, windows.front().end);
    for (std::size_t s = 1; s < windows.size(); ++s) {
        if (windows[s - 1].end > windows[s].begin)
            windows[s].begin = windows[s - 1].end;
        windows[s].end = std::max(windows[s].end, windows[s].begin);
    }
    return windows;
}

} // namespace rankscope
