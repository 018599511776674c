// SPDX-License-Identifier: GPL-3.0-or-later
// Idle causes per stream, ours and HTA's.
#include "core/analysis/idle_causes.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/analysis/hta_clock.h"

namespace rankscope {
namespace {

HtaDescription two_decimals(HtaDescription d) {
    for (double HtaDescription::*member :
         {&HtaDescription::mean, &HtaDescription::std, &HtaDescription::min, &HtaDescription::q25, &HtaDescription::q50,
          &HtaDescription::q75, &HtaDescription::max})
        d.*member = hta_two_decimals(d.*member);
    return d;
}

/// Calls visit(slice, lane, end of the work of its stream before it) for all work, in order; no end for a stream's
/// first.
template <typename Visit>
void for_each_of_stream(const RankTrace& rank, std::span<const GpuSlice> work, Visit visit) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::optional<TimeNs>> ends;
    std::vector<std::optional<TimeNs>*> end_of_lane;
    for (const Lane& lane : rank.lanes) {
        if (lane.kind != LaneKind::gpu_stream)
            break;
        end_of_lane.push_back(&ends[{lane.device, lane.stream}]);
    }
    for (const GpuSlice& slice : work) {
        const auto lane = static_cast<std::size_t>(&rank.lane_of(slice.event) - rank.lanes.data());
        std::optional<TimeNs>& end = *end_of_lane[lane];
        visit(slice, lane, end);
        end = std::max(end.value_or(slice.range.end), slice.range.end);
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

std::vector<HtaIdle> hta_idle(const RankTrace& rank, const std::vector<HtaRow>& rows) {
    struct HtaStream {
        std::optional<TimeNs> end;
        std::array<std::vector<double>, kIdleCauseCount> gaps;
    };
    const HtaClock clock(rank);
    std::map<std::int64_t, HtaStream> streams;
    for (const HtaRow& row : rows) {
        if (!is_gpu_work(rank.events.kind[row.event]))
            continue;
        HtaStream& stream = streams[rank.lane_of(row.event).stream];
        if (stream.end) {
            const double gap = static_cast<double>(row.range.begin - *stream.end) / 1000.0;
            const EventIndex launch = rank.events.link[row.event];
            IdleCause cause =
                gap < static_cast<double>(kKernelWaitLimit) / 1000.0 ? IdleCause::kernel_wait : IdleCause::other;
            if (launch != kNoEvent && clock.start(rank.events.start[launch]) > *stream.end)
                cause = IdleCause::host_wait;
            stream.gaps[static_cast<std::size_t>(cause)].push_back(gap);
        }
        stream.end = row.range.end;
    }
    std::vector<HtaIdle> result;
    for (const auto& [number, stream] : streams) {
        std::array<double, kIdleCauseCount> sums{};
        for (std::size_t c = 0; c < kIdleCauseCount; ++c)
            for (const double gap : stream.gaps[c])
                sums[c] += gap;
        const double total = sums[0] + sums[1] + sums[2];
        for (std::size_t c = 0; c < kIdleCauseCount; ++c) {
            const auto cause = static_cast<IdleCause>(c);
            if (!stream.gaps[c].empty() || cause == IdleCause::other) {
                result.push_back({number, cause, sums[c], hta_two_decimals(sums[c] / total),
                                  two_decimals(hta_describe(stream.gaps[c]))});
            }
        }
    }
    return result;
}

} // namespace rankscope
