// SPDX-License-Identifier: GPL-3.0-or-later
// Where the GPU time of every iteration of a rank went.
#include "core/analysis/iteration_table.h"

#include <algorithm>
#include <optional>

namespace rankscope {
namespace {

/// The last step that holds the time: steps are sorted by start.
std::optional<std::size_t> step_at(const std::vector<ProfilerStep>& steps, TimeNs time) {
    const auto after = std::ranges::upper_bound(steps, time, {}, [](const ProfilerStep& step) { return step.range.begin; });
    for (auto step = after; step != steps.begin();)
        if ((--step)->range.contains(time))
            return static_cast<std::size_t>(step - steps.begin());
    return std::nullopt;
}

} // namespace

std::vector<IterationRow> iteration_table(const RankAnalysis& rank) {
    const EventTable& events = rank.trace->events;
    std::vector<std::vector<GpuSlice>> work(rank.steps.size());
    for (const GpuSlice& slice : rank.gpu_work) {
        const EventIndex launch = events.link[slice.event];
        if (const auto step = step_at(rank.steps, events.start[launch == kNoEvent ? slice.event : launch]))
            work[*step].push_back(slice);
    }
    std::vector<IterationRow> rows;
    rows.reserve(rank.steps.size());
    for (std::size_t i = 0; i < work.size(); ++i)
        rows.push_back({rank.steps[i], gpu_timeline(work[i])});
    return rows;
}

} // namespace rankscope
