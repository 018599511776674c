// SPDX-License-Identifier: GPL-3.0-or-later
// Arrival lags of matched collectives.
#include "core/analysis/collectives/straggler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {

DelayDistribution delay_distribution(std::span<const CallLag> calls) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    DelayDistribution result{0, 0, kNone, kNone, kNone, {}};
    std::vector<TimeNs> delays;
    for (const CallLag& call : calls) {
        result.total += call.longest;
        result.actual += call.transfer;
        delays.push_back(call.longest - call.transfer);
    }
    if (delays.empty())
        return result;
    std::sort(delays.begin(), delays.end());
    const auto count = static_cast<double>(delays.size());
    result.mean = static_cast<double>(result.total - result.actual) / count;
    result.median = middle_of_sorted(delays);
    result.p95 = static_cast<double>(delays[nearest_rank(0.95, delays.size())]);
    for (std::size_t i = 0; i < delays.size(); ++i)
        if (i + 1 == delays.size() || delays[i + 1] != delays[i])
            result.ecdf.emplace_back(delays[i], static_cast<double>(i + 1) / count);
    return result;
}

double times_last_by_chance(double calls, double members) {
    const double expected = calls / members;
    return expected + 2 * std::sqrt(expected * (1 - 1 / members));
}

StragglerAnalysis find_stragglers(const CollectiveMatching& matching, const CallTable& table,
                                  const std::vector<bool>& left_out) {
    count_work("find_stragglers");
    StragglerAnalysis result;
    result.ranks.resize(matching.calls.size());
    std::map<std::uint32_t, const CollectiveTiming*> of_group; // any of its calls
    for (const CollectiveTiming& call : table.whole_calls()) {
        if (!call.complete || matching.groups[call.group].point_to_point ||
            (!left_out.empty() && left_out[call.matched]))
            continue;
        of_group.emplace(call.group, &call);
        TimeNs others_wait = 0;
        for (const TimedMember& member : call.members) {
            RankLag& rank = result.ranks[member.rank];
            const TimeNs wait = std::min(call.last_arrival() - member.range.begin, member.range.length());
            ++rank.calls;
            rank.sum_lag += member.range.begin - call.start;
            rank.sum_wait += wait;
            others_wait += member.rank == call.last_rank ? 0 : wait;
        }
        if (call.start_skew > 0) // else all come at once
            ++result.ranks[call.last_rank].times_last;
        result.ranks[call.last_rank].wait_caused += others_wait;
        result.calls.push_back(
            {call.matched, call.start, call.start_skew, call.latency, call.longest, call.last_apart, call.last_rank});
    }
    std::vector<std::vector<bool>> meets(result.ranks.size());
    for (const auto& [group, call] : of_group)
        for (const TimedMember& member : call->members) {
            meets[member.rank].resize(result.ranks.size());
            for (const TimedMember& other : call->members)
                meets[member.rank][other.rank] = other.rank != member.rank;
        }
    for (std::size_t r = 0; r < meets.size(); ++r)
        result.ranks[r].meets = std::ranges::count(meets[r], true);
    return result;
}

} // namespace rankscope
