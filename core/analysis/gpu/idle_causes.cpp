// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gpu/idle_causes.h"

#include <algorithm>
#include <map>
#include <optional>

namespace rankscope {
namespace {

struct StreamEnd {
    std::optional<TimeNs> time;
    std::uint32_t stretch = 0;
};

/// Calls visit(slice, lane, end of the work of its stream before it) for all work, in order; no end for the first of a
/// stream in each stretch of selected steps.
template <typename Visit>
void for_each_of_stream(const RankTrace& rank, std::span<const GpuSlice> work, Visit visit) {
    std::map<std::pair<std::int64_t, std::int64_t>, StreamEnd> ends;
    std::vector<StreamEnd*> end_of_lane;
    for (const Lane& lane : rank.lanes) {
        if (lane.kind != LaneKind::gpu_stream)
            break;
        end_of_lane.push_back(&ends[{lane.device, lane.stream}]);
    }
    for (const GpuSlice& slice : work) {
        const auto lane = static_cast<std::size_t>(&rank.lane_of(slice.event) - rank.lanes.data());
        StreamEnd& end = *end_of_lane[lane];
        if (end.stretch != slice.stretch)
            end = {std::nullopt, slice.stretch};
        visit(slice, lane, end.time);
        end.time = std::max(end.time.value_or(slice.range.end), slice.range.end);
    }
}

IdleCause cause_of(const RankTrace& rank, EventIndex next, TimeRange gap, TimeNs limit) {
    const EventIndex launch = rank.events.link[next];
    if (launch != kNoEvent && rank.events.start[launch] > gap.begin)
        return IdleCause::host_wait;
    return launch != kNoEvent && gap.length() < limit ? IdleCause::kernel_wait : IdleCause::other;
}

} // namespace

std::string_view idle_cause_word(IdleCause cause) {
    constexpr std::array<std::string_view, kIdleCauseCount> kWords{"host_wait", "kernel_wait", "other"};
    return kWords[static_cast<std::size_t>(cause)];
}

std::vector<IdleGap> idle_gaps(const RankTrace& rank, std::span<const GpuSlice> work, TimeNs limit) {
    std::vector<IdleGap> gaps;
    for_each_of_stream(rank, work, [&](const GpuSlice& slice, std::size_t lane, std::optional<TimeNs> end) {
        if (end && slice.range.begin > *end) {
            const TimeRange gap{*end, slice.range.begin};
            gaps.push_back({gap, static_cast<std::uint32_t>(lane), cause_of(rank, slice.event, gap, limit)});
        }
    });
    return gaps;
}

std::vector<IdleGap> gpu_idle_gaps(const RankTrace& rank, std::span<const GpuSlice> work, TimeNs limit) {
    std::vector<IdleGap> gaps;
    std::optional<TimeNs> end;
    std::uint32_t stretch = 0;
    for (const GpuSlice& slice : work) {
        if (slice.stretch != stretch)
            end.reset();
        stretch = slice.stretch;
        if (end && slice.range.begin > *end) {
            const TimeRange gap{*end, slice.range.begin};
            const auto lane = static_cast<std::uint32_t>(&rank.lane_of(slice.event) - rank.lanes.data());
            gaps.push_back({gap, lane, cause_of(rank, slice.event, gap, limit)});
        }
        end = std::max(end.value_or(slice.range.end), slice.range.end);
    }
    return gaps;
}

std::vector<StreamIdle> idle_causes(const RankTrace& rank, std::span<const GpuSlice> work, TimeNs limit) {
    std::map<std::pair<std::int64_t, std::int64_t>, StreamIdle> streams;
    for_each_of_stream(rank, work, [&](const GpuSlice& slice, std::size_t lane, std::optional<TimeNs> end) {
        StreamIdle& stream = streams[{rank.lanes[lane].device, rank.lanes[lane].stream}];
        stream.device = rank.lanes[lane].device;
        stream.stream = rank.lanes[lane].stream;
        if (end && slice.range.begin > *end) {
            const TimeRange gap{*end, slice.range.begin};
            IdleTime& idle = stream.causes[static_cast<std::size_t>(cause_of(rank, slice.event, gap, limit))];
            idle.time += gap.length();
            idle.longest = std::max(idle.longest, gap.length());
            ++idle.gaps;
        }
    });
    std::vector<StreamIdle> result;
    for (const auto& [key, stream] : streams)
        result.push_back(stream);
    return result;
}

} // namespace rankscope
