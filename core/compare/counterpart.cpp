// SPDX-License-Identifier: GPL-3.0-or-later
// Looks for an event's twin by what contains or launched it, and by which of its kind it is within the step.
#include "core/compare/counterpart.h"

#include <algorithm>
#include <span>

#include "core/compare/operator_diff.h"

namespace rankscope {
namespace {

constexpr std::string_view kProfilerStep = "ProfilerStep";

std::string comparable_name(std::string_view name, bool gpu) {
    if (gpu)
        return shortened_name(name);
    return std::string(name.starts_with("ProfilerStep#") ? kProfilerStep : name);
}

/// The step an event belongs to is that of its launch.
TimeNs moment_of(const RankTrace& rank, EventIndex event) {
    const EventTable& events = rank.events;
    const EventIndex call = event < events.gpu_count ? events.link[event] : kNoEvent;
    return events.start[call != kNoEvent ? call : event];
}

/// Events of `rank` inside `step` that carry the name, on the GPU or off it, by time.
std::vector<EventIndex> events_named(const RankTrace& rank, std::string_view name, bool gpu,
                                     std::optional<TimeRange> step) {
    std::vector<bool> wanted(rank.names->size());
    for (NameId id = 0; id < wanted.size(); ++id)
        wanted[id] = comparable_name(rank.names->view(id), gpu) == name;
    const EventTable& events = rank.events;
    std::vector<EventIndex> found;
    for (EventIndex i = gpu ? 0 : events.gpu_count; i < (gpu ? events.gpu_count : events.size()); ++i)
        if (wanted[events.name[i]] && (!step || step->contains(moment_of(rank, i))))
            found.push_back(i);
    std::sort(found.begin(), found.end(), [&events](EventIndex a, EventIndex b) {
        return std::pair(events.start[a], a) < std::pair(events.start[b], b);
    });
    return found;
}

std::vector<EventIndex> below_path(const RankTrace& rank, std::span<const EventIndex> events, std::string_view path) {
    std::vector<EventIndex> result;
    std::copy_if(events.begin(), events.end(), std::back_inserter(result),
                 [&](EventIndex event) { return operator_path(rank, event) == path; });
    return result;
}

} // namespace

std::string operator_path(const RankTrace& rank, EventIndex event) {
    const bool gpu = event < rank.events.gpu_count;
    std::string path = comparable_name(rank.event_name(event), gpu);
    EventIndex above = kNoEvent;
    if (!gpu)
        above = rank.parent_of(event);
    else if (event < rank.gpu.operator_event.size() && rank.gpu.operator_event[event] != kNoEvent)
        above = rank.gpu.operator_event[event];
    else if (rank.events.link[event] != kNoEvent)
        above = rank.parent_of(rank.events.link[event]);
    constexpr int kMostLevels = 64; // programs nest less deep, and each is looked up for each candidate
    for (int level = 0; above != kNoEvent && level < kMostLevels; above = rank.parent_of(above), ++level)
        path = comparable_name(rank.event_name(above), false) + '\n' + path;
    return path;
}

std::optional<Counterpart> find_counterpart(const RankTrace& own, EventIndex event, const RankTrace& other,
                                            const StepAlignment& alignment, bool own_is_baseline) {
    Counterpart result;
    std::optional<TimeRange> own_step;
    std::optional<TimeRange> other_step;
    const std::span<const StepPair> pairs = alignment.pairs();
    for (std::size_t i = 0; i < pairs.size() && !result.step; ++i) {
        const TimeRange mine = (own_is_baseline ? pairs[i].baseline : pairs[i].test).range;
        if (mine.contains(moment_of(own, event))) {
            result.step = i;
            own_step = mine;
            other_step = (own_is_baseline ? pairs[i].test : pairs[i].baseline).range;
        }
    }
    if (!pairs.empty() && !result.step)
        return std::nullopt; // in a step, or between steps, that the other run did not record

    const bool gpu = event < own.events.gpu_count;
    const std::string name = comparable_name(own.event_name(event), gpu);
    const std::vector<EventIndex> own_named = events_named(own, name, gpu, own_step);
    const std::vector<EventIndex> other_named = events_named(other, name, gpu, other_step);
    const std::string path = operator_path(own, event);
    std::vector<EventIndex> mine = below_path(own, own_named, path);
    std::vector<EventIndex> theirs = below_path(other, other_named, path);
    if (theirs.empty()) {
        result.by = CounterpartBy::name;
        mine = own_named;
        theirs = other_named;
    }
    const auto place = std::find(mine.begin(), mine.end(), event);
    result.occurrence = static_cast<std::size_t>(place - mine.begin());
    result.total = theirs.size();
    if (result.occurrence >= theirs.size())
        return std::nullopt;
    result.event = theirs[result.occurrence];
    return result;
}

} // namespace rankscope
