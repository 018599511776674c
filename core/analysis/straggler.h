// SPDX-License-Identifier: GPL-3.0-or-later
// Who arrives late at collectives, and how long the others wait (metrics.md, "straggler_lag").
#pragma once
#include <span>
#include <vector>

#include "core/analysis/clock_alignment.h"

namespace rankscope {

/// A complete collective call, in aligned time.
struct CallLag {
    std::uint32_t call = 0;      ///< index in CollectiveMatching::matched
    TimeNs start = 0;            ///< first arrival
    TimeNs lag = 0;              ///< last arrival - first arrival
    TimeNs transfer = 0;         ///< shortest duration of a member
    std::uint32_t last_rank = 0; ///< index in Run::ranks; of those that arrive last together the lowest
};

struct RankLag {
    std::int64_t calls = 0;
    TimeNs sum_lag = 0;         ///< over calls: own arrival - first arrival
    std::int64_t times_last = 0;
    TimeNs sum_wait = 0;        ///< over calls: own duration - transfer
    TimeNs wait_caused = 0;     ///< over the calls it came last to: the others' waits
};

struct StragglerAnalysis {
    std::vector<CallLag> calls; ///< in order of start
    std::vector<RankLag> ranks; ///< as in Run::ranks
};

/// Send-receive pairs are no collective and do not count.
StragglerAnalysis find_stragglers(const CollectiveMatching& matching, const ClockAlignment& clock);

} // namespace rankscope
