// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps the threads that launch GPU work over the gaps of the GPU.
#include "core/analysis/facts/host_activity.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <tuple>
#include <utility>

#include "core/analysis/gpu/host_collectives.h"
#include "core/analysis/gpu/host_points.h"
#include "core/analysis/gpu/launches.h"

namespace rankscope {
namespace {

std::uint32_t lane_index(const RankTrace& rank, EventIndex event) {
    return static_cast<std::uint32_t>(&rank.lane_of(event) - rank.lanes.data());
}

/// The gaps, parted at the launch of what ends them.
struct PartedGaps {
    std::map<std::uint32_t, std::vector<TimeRange>> before_launch; ///< by thread; ascending, apart
    std::vector<TimeRange> launched;
    /// No GPU work is recorded after them, or not its launch: nothing tells what the GPU waits for.
    std::vector<TimeRange> not_told;
};

/// All GPU work of the rank, selected or not, by start.
std::vector<EventIndex> work_by_start(const RankTrace& rank) {
    std::vector<EventIndex> work;
    for (EventIndex e = 0; e < rank.events.gpu_count; ++e)
        if (is_gpu_work(rank.events.kind[e]))
            work.push_back(e);
    std::ranges::stable_sort(work, {}, [&](EventIndex e) { return rank.events.start[e]; });
    return work;
}

PartedGaps part_gaps(const RankTrace& rank, std::span<const GpuSlice> work, const IntervalSet& idle) {
    PartedGaps parted;
    std::optional<std::vector<EventIndex>> all; // where what ends a gap is not selected
    std::size_t next = 0;
    const TimeNs usual_call = usual_launch_call(rank);
    const auto what_ends = [&](const TimeRange& gap) {
        if (next < work.size())
            return work[next].event;
        if (!all)
            all = work_by_start(rank);
        const auto after =
            std::ranges::lower_bound(*all, gap.end, {}, [&](EventIndex e) { return rank.events.start[e]; });
        return after == all->end() ? kNoEvent : *after;
    };
    for (const TimeRange& gap : idle) {
        while (next < work.size() && work[next].range.begin < gap.end)
            ++next;
        const EventIndex after = what_ends(gap);
        const EventIndex launch = after == kNoEvent ? kNoEvent : rank.events.link[after];
        if (launch == kNoEvent) {
            parted.not_told.push_back(gap);
            continue;
        }
        const TimeNs launched = std::clamp(launched_at(rank, after, usual_call).value_or(gap.end), gap.begin, gap.end);
        if (launched < gap.end)
            parted.launched.push_back({launched, gap.end});
        if (gap.begin < launched)
            parted.before_launch[lane_index(rank, launch)].push_back({gap.begin, launched});
    }
    return parted;
}

bool counts_as_activity(EventKind kind) {
    return kind == EventKind::cpu_op || kind == EventKind::annotation || is_launch_call(kind) ||
           kind == EventKind::python || kind == EventKind::overhead || kind == EventKind::other;
}

HostActivityKind activity_kind(EventKind kind, std::string_view name) {
    if (const HostRole role = host_role(kind, name); role.counts && role.work == HostWork::data_loading)
        return HostActivityKind::data_loading;
    else if (role.counts && role.work == HostWork::garbage_collection)
        return HostActivityKind::garbage_collection;
    if (is_host_collective(kind, name))
        return HostActivityKind::collective;
    switch (kind) {
    case EventKind::runtime:
    case EventKind::driver: return HostActivityKind::call;
    case EventKind::python: return HostActivityKind::python;
    case EventKind::annotation: return HostActivityKind::annotation;
    case EventKind::overhead: return HostActivityKind::profiler;
    default: return HostActivityKind::operation;
    }
}

/// Goes through one thread in order of time and adds up what it was in during some stretches.
class ThreadSweep {
public:
    using Sums = std::map<std::tuple<NameId, NameId, EventKind>, HostActivity>;

    ThreadSweep(const RankTrace& rank, const std::vector<TimeRange>& stretches, Sums& sums,
                std::vector<TimeRange>& recorded)
        : rank_(rank), stretches_(stretches), sums_(sums), recorded_(recorded) {}

    void run(const Lane& lane) {
        for (const EventIndex event : relevant_events(lane)) {
            const TimeNs start = rank_.events.start[event];
            leave_until(start);
            spend_until(start);
            // What is above a call is what the call is inside of; of another event that is itself.
            const EventIndex around = inside_.empty() ? kNoEvent : inside_.back().context;
            inside_.push_back({event, is_detail(event) ? around : event, around});
        }
        leave_until(stretches_.back().end);
    }

private:
    struct Entry {
        EventIndex event = kNoEvent;
        EventIndex context = kNoEvent; ///< the innermost event that is not a call, this one or around it
        EventIndex around = kNoEvent;
    };

    [[nodiscard]] bool is_detail(EventIndex event) const {
        const EventKind kind = rank_.events.kind[event];
        return is_launch_call(kind) || kind == EventKind::overhead;
    }

    /// Those that overlap a stretch, in order of start; what contains another one comes before it.
    [[nodiscard]] std::vector<EventIndex> relevant_events(const Lane& lane) const {
        const auto& steps = rank_.steps;
        std::vector<EventIndex> step_marks;
        for (const ProfilerStep& step : steps)
            step_marks.push_back(step.event);
        std::ranges::sort(step_marks);
        std::vector<EventIndex> events;
        for (EventIndex e = lane.begin; e < lane.end; ++e) {
            if (!counts_as_activity(rank_.events.kind[e]) || std::ranges::binary_search(step_marks, e))
                continue;
            const auto stretch =
                std::ranges::upper_bound(stretches_, rank_.events.start[e], std::less<>(), &TimeRange::end);
            if (stretch != stretches_.end() && stretch->begin < rank_.events.end(e))
                events.push_back(e);
        }
        std::ranges::sort(events, [this](EventIndex a, EventIndex b) {
            return std::tuple(rank_.events.start[a], rank_.events.end(b), a) <
                   std::tuple(rank_.events.start[b], rank_.events.end(a), b);
        });
        return events;
    }

    void leave_until(TimeNs time) {
        while (!inside_.empty() && rank_.events.end(inside_.back().event) <= time) {
            spend_until(rank_.events.end(inside_.back().event));
            inside_.pop_back();
        }
        if (time == stretches_.back().end)
            spend_until(time);
    }

    /// The time until then goes to the innermost event.
    void spend_until(TimeNs time) {
        const TimeRange span{now_, time};
        if (time <= now_)
            return;
        now_ = time;
        if (inside_.empty())
            return;
        while (next_ < stretches_.size() && stretches_[next_].end <= span.begin)
            ++next_;
        for (std::size_t i = next_; i < stretches_.size() && stretches_[i].begin < span.end; ++i)
            add(inside_.back(), stretches_[i].clipped_to(span));
    }

    void add(const Entry& entry, TimeRange time) {
        const EventIndex around = is_detail(entry.event) ? entry.around : kNoEvent;
        const NameId inside = around == kNoEvent ? NameId{0} : rank_.events.name[around];
        const NameId name = rank_.events.name[entry.event];
        const EventKind kind = rank_.events.kind[entry.event];
        const auto [at, is_new] = sums_.try_emplace({name, inside, kind});
        HostActivity& sum = at->second;
        if (is_new)
            sum = {activity_kind(kind, rank_.names->view(name)), name, inside, 0, 0, {}, kNoEvent};
        sum.time += time.length();
        ++sum.gaps;
        if (sum.event == kNoEvent || time.length() > sum.longest.length()) {
            sum.longest = time;
            sum.event = entry.event;
        }
        if (!recorded_.empty() && recorded_.back().end == time.begin)
            recorded_.back().end = time.end;
        else
            recorded_.push_back(time);
    }

    const RankTrace& rank_;
    const std::vector<TimeRange>& stretches_;
    Sums& sums_;
    std::vector<TimeRange>& recorded_;
    std::vector<Entry> inside_;
    TimeNs now_ = std::numeric_limits<TimeNs>::min();
    std::size_t next_ = 0;
};

/// Gloo runs its collectives on threads of its own, while nothing may be recorded of the one that waits for them. rest:
/// when nothing is. Adds what ran then, and returns when that was.
std::vector<TimeRange> add_host_collectives(const RankTrace& rank, const std::vector<EventIndex>& calls,
                                            const IntervalSet& rest, ThreadSweep::Sums& sums) {
    std::vector<TimeRange> times;
    TimeNs until = std::numeric_limits<TimeNs>::min();
    std::size_t next = 0;
    for (const EventIndex call : calls) {
        const TimeRange own{std::max(until, rank.events.start[call]), rank.events.end(call)};
        until = std::max(until, own.end);
        while (next < rest.size() && rest[next].end <= own.begin)
            ++next;
        for (std::size_t i = next; i < rest.size() && rest[i].begin < own.end; ++i) {
            const TimeRange time = rest[i].clipped_to(own);
            const auto [at, is_new] = sums.try_emplace({rank.events.name[call], NameId{0}, rank.events.kind[call]});
            HostActivity& sum = at->second;
            if (is_new)
                sum = {HostActivityKind::collective, rank.events.name[call], 0, 0, 0, {}, kNoEvent};
            sum.time += time.length();
            ++sum.gaps;
            if (sum.event == kNoEvent || time.length() > sum.longest.length()) {
                sum.longest = time;
                sum.event = call;
            }
            times.push_back(time);
        }
    }
    return times;
}

/// times: ascending, apart.
void share_out(const IntervalSet& times, const std::vector<TimeRange>& windows, TimeNs IdleParts::*part,
               std::vector<IdleParts>& steps) {
    for (std::size_t s = 0; s < windows.size(); ++s)
        steps[s].*part += covered(times, windows[s]);
}

} // namespace

std::string_view host_activity_word(HostActivityKind kind) {
    constexpr std::array<std::string_view, kHostActivityKindCount> kWords{
        "call",         "operator",           "Python frame",    "annotation",
        "data loading", "garbage collection", "host collective", "profiler"};
    return kWords[static_cast<std::size_t>(kind)];
}

HostWhileIdle host_while_idle(const RankTrace& rank, std::span<const GpuSlice> work,
                              const std::vector<TimeRange>& windows, const IntervalSet& bubbles) {
    std::vector<TimeRange> busy;
    busy.reserve(work.size());
    for (const GpuSlice& slice : work)
        busy.push_back(slice.range);
    const IntervalSet idle = subtract(subtract(merge(windows), merge(std::move(busy))), bubbles);
    PartedGaps parted = part_gaps(rank, work, idle);
    HostWhileIdle result;
    result.steps.resize(windows.size());
    share_out(parted.launched, windows, &IdleParts::launching, result.steps);
    std::vector<TimeNs> not_told; // by step
    for (const TimeRange& window : windows)
        not_told.push_back(covered(parted.not_told, window));
    ThreadSweep::Sums sums;
    std::vector<TimeRange> recorded;
    const std::vector<EventIndex> calls = host_collective_calls(rank);
    for (const auto& [thread, stretches] : parted.before_launch) {
        if (rank.digest) { // which keeps little of what a host was in
            share_out(stretches, windows, &IdleParts::host, result.steps);
            continue;
        }
        share_out(stretches, windows, &IdleParts::unrecorded, result.steps);
        recorded.clear();
        ThreadSweep(rank, stretches, sums, recorded).run(rank.lanes[thread]);
        share_out(recorded, windows, &IdleParts::host, result.steps);
        if (!calls.empty())
            share_out(add_host_collectives(rank, calls, subtract(stretches, merge(recorded)), sums), windows,
                      &IdleParts::host, result.steps);
    }
    for (std::size_t s = 0; s < result.steps.size(); ++s) {
        IdleParts& step = result.steps[s];
        step.unrecorded += not_told[s] - (rank.digest ? 0 : step.host);
    }
    for (auto& [key, sum] : sums)
        result.activities.push_back(sum);
    std::ranges::stable_sort(result.activities, std::greater<>(), &HostActivity::time);
    return result;
}

} // namespace rankscope
