// SPDX-License-Identifier: GPL-3.0-or-later
// How the ranks of a run differ in where their time went, and which of them the others seem to wait for.
#pragma once
#include <optional>
#include <span>

#include "core/analysis/run_analysis.h"

namespace rankscope {

/// Mean over the ranks that have GPU work; ranks counts those.
struct MeanTimeline {
    int ranks = 0;
    GpuTimeline mean; ///< each field rounded to whole nanoseconds
};
MeanTimeline mean_timeline(std::span<const RankAnalysis> ranks);

/// Smallest, median (upper of the two middle ones) and largest value of one field over the ranks with GPU work.
struct RankSpread {
    int least_rank = 0;
    int most_rank = 0;
    TimeNs least = 0;
    TimeNs median = 0;
    TimeNs most = 0;
};
std::optional<RankSpread> rank_spread(std::span<const RankAnalysis> ranks, TimeNs GpuTimeline::*field);

/// The rank the others seem to wait for: a collective ends for all of its members when the last one has arrived, so the
/// last one's communication is the shortest. cost: median exposed communication of the others minus its own.
struct LateRank {
    int rank = 0;
    TimeNs exposed = 0;
    TimeNs others_exposed = 0; ///< median of the others
    TimeNs computation = 0;
    TimeNs others_computation = 0; ///< median of the others
    TimeNs cost = 0;
    double share = 0; ///< cost / mean total
};

/// The rank with the least communication, when its cost is at least 3 % of the mean total; two ranks or more.
/// It is a hint from sums: only matched collectives prove it.
std::optional<LateRank> likely_late_rank(std::span<const RankAnalysis> ranks);

} // namespace rankscope
