// SPDX-License-Identifier: GPL-3.0-or-later
// Arrival lags of matched collectives.
#include "core/analysis/collectives/straggler.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

StragglerAnalysis find_stragglers(const CollectiveMatching& matching, const ClockAlignment& clock) {
    count_work("find_stragglers");
    StragglerAnalysis result;
    result.ranks.resize(matching.calls.size());
    for (std::uint32_t c = 0; c < matching.matched.size(); ++c) {
        const MatchedCall& matched = matching.matched[c];
        if (!matched.complete || matching.groups[matched.group].point_to_point)
            continue;
        const auto arrival = [&](const auto& member) {
            return matching.call(member).range.begin - clock.offset[member.first];
        };
        const auto duration = [&](const auto& member) { return matching.call(member).range.length(); };
        CallLag lag{c, arrival(matched.members.front()), 0, duration(matched.members.front()), 0, 0};
        TimeNs last = lag.start;
        lag.last_rank = matched.members.front().first;
        for (const auto& member : matched.members) {
            lag.start = std::min(lag.start, arrival(member));
            lag.transfer = std::min(lag.transfer, duration(member));
            lag.longest = std::max(lag.longest, duration(member));
            if (arrival(member) > last) {
                last = arrival(member);
                lag.last_rank = member.first;
            }
        }
        lag.lag = last - lag.start;
        TimeNs others_wait = 0;
        for (const auto& member : matched.members) {
            RankLag& rank = result.ranks[member.first];
            ++rank.calls;
            rank.sum_lag += arrival(member) - lag.start;
            rank.sum_wait += duration(member) - lag.transfer;
            others_wait += member.first == lag.last_rank ? 0 : duration(member) - lag.transfer;
        }
        ++result.ranks[lag.last_rank].times_last;
        result.ranks[lag.last_rank].wait_caused += others_wait;
        result.calls.push_back(lag);
    }
    std::stable_sort(result.calls.begin(), result.calls.end(),
                     [](const CallLag& a, const CallLag& b) { return a.start < b.start; });
    return result;
}

} // namespace rankscope
