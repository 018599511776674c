// SPDX-License-Identifier: GPL-3.0-or-later
// Which events of a rank lie in the selection, and how they are clipped to it.
#include "core/analysis/selection/selection.h"

#include <algorithm>
#include <limits>

#include "core/trace/cut_step.h"
#include "core/trace/unrecorded.h"

namespace rankscope {
namespace {

bool earlier(const GpuSlice& a, const GpuSlice& b) {
    return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.event < b.event;
}

/// Sorts slices that come as a few ascending runs, one per row of a stream: merging runs beats sorting anew.
void merge_runs(std::vector<GpuSlice>& slices) {
    std::vector<std::size_t> borders{0};
    for (std::size_t i = 1; i < slices.size(); ++i)
        if (earlier(slices[i], slices[i - 1]))
            borders.push_back(i);
    borders.push_back(slices.size());
    const auto at = [&](std::size_t i) { return slices.begin() + static_cast<std::ptrdiff_t>(i); };
    while (borders.size() > 2) {
        std::vector<std::size_t> merged{0};
        for (std::size_t k = 0; k + 1 < borders.size(); k += 2) {
            const std::size_t last = std::min(k + 2, borders.size() - 1);
            if (last == k + 2)
                std::inplace_merge(at(borders[k]), at(borders[k + 1]), at(borders[last]), earlier);
            merged.push_back(borders[last]);
        }
        borders = std::move(merged);
    }
}

/// Overlaps the window; an event without length counts where it stands.
bool overlaps(TimeRange event, TimeRange window) {
    return event.empty() ? window.contains(event.begin) : event.begin < window.end && event.end > window.begin;
}

std::optional<TimeRange> window_of(const Run& run, const RankTrace& rank, const Selection& selection) {
    return selection.time ? std::optional(selection.window(run, rank.rank)) : std::nullopt;
}

} // namespace

bool Selection::has_iteration(std::int64_t number) const {
    return std::any_of(
        iterations.begin(), iterations.end(),
        [number](const auto& range) { return number >= range.first && number <= range.second; });
}

TimeRange Selection::window(const Run& run, int rank) const {
    TimeNs origin = run.span.begin;
    if (clock) {
        const auto own = clock->ahead.find(rank);
        origin = clock->first_event + (own == clock->ahead.end() ? 0 : own->second);
    }
    return {origin + time->begin, origin + time->end};
}

const ProfilerStep* step_at(std::span<const ProfilerStep> steps, TimeNs time) {
    const auto after = std::upper_bound(steps.begin(), steps.end(), time,
                                        [](TimeNs t, const ProfilerStep& step) { return t < step.range.begin; });
    if (after == steps.begin() || !std::prev(after)->range.contains(time))
        return nullptr;
    return &*std::prev(after);
}

bool steps_of_device(const RankTrace& rank) {
    return !rank.steps.empty() && rank.steps.front().event != kNoEvent &&
           rank.lane_of(rank.steps.front().event).kind == LaneKind::gpu_annotation;
}

WorkSteps::WorkSteps(const RankTrace& rank) : rank_(rank), of_device_(steps_of_device(rank)) {
    for (const Lane& lane : rank.lanes) {
        if (lane.kind != LaneKind::gpu_stream)
            break;
        std::optional<TimeNs> first;
        for (EventIndex i = lane.begin; i < lane.end; ++i)
            if (rank.events.link[i] != kNoEvent)
                first = std::min(first.value_or(rank.events.start[i]), rank.events.start[i]);
        first_launched_.push_back(first.value_or(std::numeric_limits<TimeNs>::min()));
    }
}

const ProfilerStep* WorkSteps::of(EventIndex event) const {
    return came_before(event) ? nullptr : step_at(rank_.steps, time_of(event));
}

TimeNs WorkSteps::time_of(EventIndex event) const {
    const EventIndex launch = of_device_ ? kNoEvent : rank_.events.link[event];
    return rank_.events.start[launch == kNoEvent ? event : launch];
}

bool WorkSteps::came_before(EventIndex event) const {
    const auto lane = static_cast<std::size_t>(&rank_.lane_of(event) - rank_.lanes.data());
    return !of_device_ && rank_.events.link[event] == kNoEvent && lane < first_launched_.size() &&
           rank_.events.start[event] < first_launched_[lane];
}

bool has_launch_arrow(const RankTrace& rank, EventIndex event) {
    const EventIndex launch = rank.events.link[event];
    return launch != kNoEvent && !rank.event_name(launch).starts_with("hipMemset");
}

std::vector<GpuSlice> select_gpu_work(const Run& run, const RankTrace& rank, const Selection& selection,
                                      std::span<const KernelClass> classes) {
    const EventTable& events = rank.events;
    const std::optional<TimeRange> window = window_of(run, rank, selection);
    const std::vector<TimeRange> unrecorded = unrecorded_times(rank);
    const bool some = !selection.iterations.empty();
    const std::optional<WorkSteps> steps = some || !unrecorded.empty() ? std::optional<WorkSteps>(rank) : std::nullopt;
    std::vector<std::uint32_t> left_out; // steps before each step, or marks of steps that are missing there
    if (some)
        for (std::size_t s = 0; s < rank.steps.size(); ++s) {
            const bool follows = s == 0 || !lacks_steps_between(rank.steps[s - 1], rank.steps[s]);
            left_out.push_back((s == 0 ? 0 : left_out.back()) +
                               (follows && selection.has_iteration(rank.steps[s].number) ? 0 : 1));
        }
    std::vector<GpuSlice> slices;
    if (selection.everything())
        slices.reserve(events.gpu_count);
    for (EventIndex i = 0; i < events.gpu_count; ++i) {
        TimeRange range = events.range(i);
        if (window) {
            if (!overlaps(range, *window))
                continue;
            range = range.clipped_to(*window);
        }
        std::uint32_t stretch = unrecorded.empty() ? 0 : unrecorded_before(unrecorded, steps->time_of(i));
        if (some) {
            const ProfilerStep* step = steps->of(i);
            if (step == nullptr || !selection.has_iteration(step->number))
                continue;
            stretch += left_out[static_cast<std::size_t>(step - rank.steps.data())];
        }
        slices.push_back({range, i, classes[i], stretch});
    }
    merge_runs(slices);
    return slices;
}

namespace {

/// When the GPU has finished what each step launched; of a step that launched nothing, when its mark ends.
std::vector<TimeNs> ends_with_gpu_work(const RankTrace& rank) {
    std::vector<TimeNs> ends;
    for (const ProfilerStep& step : rank.steps)
        ends.push_back(step.range.end);
    const WorkSteps steps(rank);
    for (EventIndex i = 0; i < rank.events.gpu_count; ++i)
        if (const ProfilerStep* const step = steps.of(i)) {
            TimeNs& end = ends[static_cast<std::size_t>(step - rank.steps.data())];
            end = std::max(end, rank.events.end(i));
        }
    return ends;
}

} // namespace

std::vector<ProfilerStep> select_steps(const Run& run, const RankTrace& rank, const Selection& selection) {
    const std::optional<TimeRange> window = window_of(run, rank, selection);
    std::vector<ProfilerStep> steps;
    const ProfilerStep* const cut = selection.iterations.empty() ? cut_step(rank) : nullptr;
    const std::vector<TimeNs> ends = window ? ends_with_gpu_work(rank) : std::vector<TimeNs>();
    for (const ProfilerStep& step : rank.steps) {
        const bool in_time = !window || (window->begin <= step.range.begin &&
                                         ends[static_cast<std::size_t>(&step - rank.steps.data())] <= window->end);
        const bool named = selection.iterations.empty() || selection.has_iteration(step.number);
        if (in_time && named && &step != cut)
            steps.push_back(step);
    }
    return steps;
}

} // namespace rankscope
