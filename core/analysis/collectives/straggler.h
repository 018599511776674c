// SPDX-License-Identifier: GPL-3.0-or-later
// Who arrives late at collectives, and how long the others wait (metrics.md, "straggler_lag").
#pragma once
#include <span>
#include <vector>

#include "core/analysis/collectives/collective_timing.h"

namespace rankscope {

/// A complete collective call, in aligned time.
struct CallLag {
    std::uint32_t call = 0;      ///< index in CollectiveMatching::matched
    TimeNs start = 0;            ///< first arrival
    TimeNs lag = 0;              ///< last arrival - first arrival
    TimeNs transfer = 0;         ///< shortest duration of a member
    TimeNs longest = 0;          ///< longest; what it has more than the shortest is delay
    TimeNs apart = 0;            ///< last arrival - the one before it
    std::uint32_t last_rank = 0; ///< index in Run::ranks; of those that arrive last together the lowest
};

struct RankLag {
    std::int64_t calls = 0;
    TimeNs sum_lag = 0; ///< over calls: own arrival - first arrival
    std::int64_t times_last = 0;
    TimeNs sum_wait = 0;    ///< over calls: own arrival to the last one, at most the own duration
    TimeNs wait_caused = 0; ///< over the calls it came last to: the others' waits
    std::int64_t meets = 0; ///< how many other ranks have part in any of its calls
};

struct StragglerAnalysis {
    std::vector<CallLag> calls; ///< in order of start
    std::vector<RankLag> ranks; ///< as in Run::ranks
};

/// How often a member may be the last at these calls if chance picks the last one: two standard deviations above the
/// mean of the binomial distribution. calls: that the members are the last at, all together; members: above 0.
double times_last_by_chance(double calls, double members);

/// The Data Cruncher's view: every call takes its longest member's duration, of which the shortest would have done.
/// delay = longest - transfer. ecdf: (delay, share of the calls with at most that delay), ascending in both.
struct DelayDistribution {
    TimeNs total = 0;  ///< sum of longest
    TimeNs actual = 0; ///< sum of transfer
    double mean = 0;   ///< of delay, ns; NaN without calls, as the others
    double median = 0;
    double p95 = 0; ///< nearest rank
    std::vector<std::pair<TimeNs, double>> ecdf;
};
DelayDistribution delay_distribution(std::span<const CallLag> calls);

/// Send-receive pairs are no collective and do not count. left_out: by call, those that are no evidence; empty: none.
StragglerAnalysis find_stragglers(const CollectiveMatching& matching, const CallTable& table,
                                  const std::vector<bool>& left_out = {});

} // namespace rankscope
