// SPDX-License-Identifier: GPL-3.0-or-later
// Idle causes per stream, ours and HTA's.
#include "core/analysis/idle_causes.h"

#include <map>
#include <optional>

#include "core/analysis/hta_clock.h"

namespace rankscope {
namespace {

HtaDescription two_decimals(HtaDescription d) {
    for (double HtaDescription::*member : {&HtaDescription::mean, &HtaDescription::std, &HtaDescription::min, &HtaDescription::q25,
                                           &HtaDescription::q50, &HtaDescription::q75, &HtaDescription::max}) {
        d.*member = hta_two_decimals(d.*member);
    }
    return d;
}

struct OpenStream {
    StreamIdle idle;
    std::optional<TimeNs> end;
};

} // namespace

std::string_view idle_cause_word(IdleCause cause) {
    constexpr std::array<std::string_view, kIdleCauseCount> kWords{"host_wait", "kernel_wait", "other"};
    return kWords[static_cast<std::size_t>(cause)];
}

std::vector<StreamIdle> idle_causes(const RankTrace& rank, std::span<const GpuSlice> work, TimeNs limit) {
    std::map<std::pair<std::int64_t, std::int64_t>, OpenStream> streams;
    std::vector<OpenStream*> of_lane;
    for (const Lane& lane : rank.lanes) {
        if (lane.kind != LaneKind::gpu_stream) {
            break;
        }
        OpenStream& stream = streams[{lane.device, lane.stream}];
        stream.idle.device = lane.device;
        stream.idle.stream = lane.stream;
        of_lane.push_back(&stream);
    }
    for (const GpuSlice& slice : work) {
        OpenStream& stream = *of_lane[static_cast<std::size_t>(&rank.lane_of(slice.event) - rank.lanes.data())];
        if (stream.end && slice.range.begin > *stream.end) {
            const TimeNs gap = slice.range.begin - *stream.end;
            const EventIndex launch = rank.events.link[slice.event];
            IdleCause cause = IdleCause::other;
            if (launch != kNoEvent && rank.events.start[launch] > *stream.end) {
                cause = IdleCause::host_wait;
            } else if (launch != kNoEvent && gap < limit) {
                cause = IdleCause::kernel_wait;
            }
            IdleTime& idle = stream.idle.causes[static_cast<std::size_t>(cause)];
            idle.time += gap;
            idle.longest = std::max(idle.longest, gap);
            ++idle.gaps;
        }
        stream.end = std::max(stream.end.value_or(slice.range.end), slice.range.end);
    }
    std::vector<StreamIdle> result;
    for (const auto& [key, stream] : streams) {
        if (stream.end) {
            result.push_back(stream.idle);
        }
    }
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
        if (!is_gpu_work(rank.events.kind[row.event])) {
            continue;
        }
        HtaStream& stream = streams[rank.lane_of(row.event).stream];
        if (stream.end) {
            const double gap = static_cast<double>(row.range.begin - *stream.end) / 1000.0;
            const EventIndex launch = rank.events.link[row.event];
            IdleCause cause = gap < static_cast<double>(kKernelWaitLimit) / 1000.0 ? IdleCause::kernel_wait : IdleCause::other;
            if (launch != kNoEvent && clock.start(rank.events.start[launch]) > *stream.end) {
                cause = IdleCause::host_wait;
            }
            stream.gaps[static_cast<std::size_t>(cause)].push_back(gap);
        }
        stream.end = row.range.end;
    }
    std::vector<HtaIdle> result;
    for (const auto& [number, stream] : streams) {
        std::array<double, kIdleCauseCount> sums{};
        for (std::size_t c = 0; c < kIdleCauseCount; ++c) {
            for (const double gap : stream.gaps[c]) {
                sums[c] += gap;
            }
        }
        const double total = sums[0] + sums[1] + sums[2];
        for (std::size_t c = 0; c < kIdleCauseCount; ++c) {
            const auto cause = static_cast<IdleCause>(c);
            if (!stream.gaps[c].empty() || cause == IdleCause::other) {
                result.push_back({number, cause, sums[c], hta_two_decimals(sums[c] / total), two_decimals(hta_describe(stream.gaps[c]))});
            }
        }
    }
    return result;
}

} // namespace rankscope
