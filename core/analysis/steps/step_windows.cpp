// SPDX-License-Identifier: GPL-3.0-or-later
// When the steps of a rank are on its GPU.
#include "core/analysis/steps/step_windows.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/analysis/gpu/lost_work.h"
#include "core/base/seeded_hash.h"

namespace rankscope {

namespace {

/// When the last recorded GPU work of the rank that starts before the given one has ended; nothing where there is none.
std::optional<TimeNs> end_of_earlier_work(const RankTrace& rank, EventIndex work) {
    const EventTable& events = rank.events;
    std::optional<TimeNs> latest;
    for (const Lane& lane : rank.lanes) {
        if (lane.begin >= events.gpu_count)
            continue;
        const auto starts = std::span(events.start).subspan(lane.begin, lane.end - lane.begin);
        auto earlier = static_cast<EventIndex>(std::ranges::lower_bound(starts, events.start[work]) - starts.begin());
        while (earlier > 0 && !is_gpu_work(events.kind[lane.begin + earlier - 1]))
            --earlier;
        if (earlier > 0)
            latest =
                std::max(latest.value_or(std::numeric_limits<TimeNs>::min()), events.end(lane.begin + earlier - 1));
    }
    return latest;
}

constexpr TimeNs kLongestStart = 1'000'000; ///< of a GPU that is free

} // namespace

std::optional<TimeNs> gpu_free_for(const RankTrace& rank, EventIndex first_work) {
    const EventTable& events = rank.events;
    const TimeNs start = events.start[first_work];
    if (first_work > rank.lane_of(first_work).begin)
        return std::min(start, events.end(first_work - 1));
    const EventIndex launch = events.link[first_work];
    // Work that the recorder lost may have kept the GPU busy as well as work from before the recording.
    if (launch == kNoEvent || start - events.end(launch) < kLongestStart || launches_without_work(rank) > 0)
        return {};
    const std::optional<TimeNs> earlier = end_of_earlier_work(rank, first_work);
    return earlier && start - *earlier < kLongestStart ? std::nullopt : std::optional(start);
}

std::optional<TimeNs> end_of_queued_work(const RankTrace& rank) {
    const EventTable& events = rank.events;
    std::optional<TimeNs> end;
    TimeNs first_launch = std::numeric_limits<TimeNs>::max();
    for (EventIndex i = 0; i < events.gpu_count; ++i)
        if (is_gpu_work(events.kind[i]) && events.link[i] != kNoEvent)
            first_launch = std::min(first_launch, events.start[events.link[i]]);
    for (const Lane& lane : rank.lanes) {
        if (lane.begin >= std::min(lane.end, events.gpu_count) || !is_gpu_work(events.kind[lane.begin]))
            continue;
        const EventIndex launch = events.link[lane.begin];
        if (launch != kNoEvent && events.start[launch] - first_launch < kLongestStart)
            end = std::max(end, gpu_free_for(rank, lane.begin));
    }
    return end;
}

std::vector<TimeRange> step_windows(const RankTrace& rank, std::span<const GpuSlice> work,
                                    std::span<const ProfilerStep> steps) {
    std::vector<TimeRange> windows;
    for (const ProfilerStep& step : steps)
        windows.push_back(step.range);
    if (steps.empty())
        return windows;
    const WorkSteps work_steps(rank);
    TimeNs busy_until = steps.front().range.begin;
    NumberMap<std::int64_t, std::size_t> place_of; // by number; of several the first
    for (std::size_t s = 0; s < steps.size(); ++s)
        place_of.try_emplace(steps[s].number, s);
    std::map<const Lane*, bool> seen; // lanes whose first work of the steps was met
    for (const GpuSlice& slice : work) {
        const Lane* lane = &rank.lane_of(slice.event);
        const ProfilerStep* step = work_steps.of(slice.event);
        const auto own = step == nullptr ? place_of.end() : place_of.find(step->number);
        if (own == place_of.end())
            continue;
        if (!std::exchange(seen[lane], true))
            busy_until = std::max(busy_until, gpu_free_for(rank, slice.event).value_or(busy_until));
        TimeRange& window = windows[own->second];
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
