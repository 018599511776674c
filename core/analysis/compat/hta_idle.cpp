// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compat/hta_idle.h"

#include <array>
#include <map>
#include <optional>

#include "core/analysis/compat/hta_clock.h"

namespace rankscope {
namespace {

HtaDescription two_decimals(HtaDescription d) {
    for (double HtaDescription::*member :
         {&HtaDescription::mean, &HtaDescription::std, &HtaDescription::min, &HtaDescription::q25, &HtaDescription::q50,
          &HtaDescription::q75, &HtaDescription::max})
        d.*member = hta_two_decimals(d.*member);
    return d;
}

} // namespace

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
