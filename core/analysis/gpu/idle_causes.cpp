// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gpu/idle_causes.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/analysis/gpu/launches.h"

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

/// Calls visit(part of the gap, cause) for what is before the launch of the work that ends the gap, and what is after.
/// launch: launched_at() of that work.
template <typename Visit>
void visit_parts(std::optional<TimeNs> launch, TimeRange gap, TimeNs limit, Visit visit) {
    if (!launch)
        return visit(gap, IdleCause::other);
    const TimeNs launched = std::clamp(*launch, gap.begin, gap.end);
    if (launched > gap.begin)
        visit(TimeRange{gap.begin, launched}, IdleCause::host_wait);
    if (launched < gap.end)
        visit(TimeRange{launched, gap.end}, gap.end - launched < limit ? IdleCause::kernel_wait : IdleCause::other);
}

} // namespace

std::string_view idle_cause_word(IdleCause cause) {
    constexpr std::array<std::string_view, kIdleCauseCount> kWords{"host_wait", "kernel_wait", "other"};
    return kWords[static_cast<std::size_t>(cause)];
}

void IdleTime::add(TimeNs part) {
    time += part;
    longest = std::max(longest, part);
    ++gaps;
}

IdleByCause sum_by_cause(std::span<const IdleGap> gaps) {
    IdleByCause sums{};
    for (const IdleGap& gap : gaps)
        sums[static_cast<std::size_t>(gap.cause)].add(gap.range.length());
    return sums;
}

std::vector<IdleGap> idle_gaps(const RankTrace& rank, std::span<const GpuSlice> work, TimeNs limit) {
    const TimeNs usual_call = usual_launch_call(rank);
    std::vector<IdleGap> gaps;
    for_each_of_stream(rank, work, [&](const GpuSlice& slice, std::size_t lane, std::optional<TimeNs> end) {
        if (end && slice.range.begin > *end)
            visit_parts(launched_at(rank, slice.event, usual_call), {*end, slice.range.begin}, limit,
                        [&](TimeRange part, IdleCause cause) {
                            gaps.push_back({part, static_cast<std::uint32_t>(lane), cause});
                        });
    });
    return gaps;
}

std::vector<IdleGap> gpu_idle_gaps(const RankTrace& rank, std::span<const GpuSlice> work, std::optional<TimeNs> from,
                                   TimeNs limit) {
    const TimeNs usual_call = usual_launch_call(rank);
    std::vector<IdleGap> gaps;
    std::optional<TimeNs> end;
    std::uint32_t stretch = 0;
    for (const GpuSlice& slice : work) {
        if (slice.stretch != stretch)
            end.reset();
        stretch = slice.stretch;
        if (end && from)
            end = std::max(*end, *from);
        if (end && slice.range.begin > *end) {
            const auto lane = static_cast<std::uint32_t>(&rank.lane_of(slice.event) - rank.lanes.data());
            visit_parts(launched_at(rank, slice.event, usual_call), {*end, slice.range.begin}, limit,
                        [&](TimeRange part, IdleCause cause) {
                            gaps.push_back({part, lane, cause});
                        });
        }
        end = std::max(end.value_or(slice.range.end), slice.range.end);
    }
    return gaps;
}

std::vector<StreamIdle> idle_causes(const RankTrace& rank, std::span<const GpuSlice> work, TimeNs limit) {
    const TimeNs usual_call = usual_launch_call(rank);
    std::map<std::pair<std::int64_t, std::int64_t>, StreamIdle> streams;
    for_each_of_stream(rank, work, [&](const GpuSlice& slice, std::size_t lane, std::optional<TimeNs> end) {
        StreamIdle& stream = streams[{rank.lanes[lane].device, rank.lanes[lane].stream}];
        stream.device = rank.lanes[lane].device;
        stream.stream = rank.lanes[lane].stream;
        if (end && slice.range.begin > *end)
            visit_parts(launched_at(rank, slice.event, usual_call), {*end, slice.range.begin}, limit,
                        [&](TimeRange part, IdleCause cause) {
                            stream.causes[static_cast<std::size_t>(cause)].add(part.length());
                        });
    });
    std::vector<StreamIdle> result;
    for (const auto& [key, stream] : streams)
        result.push_back(stream);
    return result;
}

} // namespace rankscope
