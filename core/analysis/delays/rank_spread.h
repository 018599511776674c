// SPDX-License-Identifier: GPL-3.0-or-later
// How the ranks of a run differ in where their time went, and which of them the others wait for.
#pragma once
#include <optional>
#include <span>

#include "core/analysis/collectives/straggler.h"
#include "core/analysis/delays/late_waits.h"
#include "core/analysis/delays/waiting.h"
#include "core/analysis/gpu/rank_analysis.h"
#include "core/analysis/graph/step_graph.h"
#include "core/analysis/usual/peer_times.h"
#include "core/analysis/usual/taking_turns.h"

namespace rankscope {

/// Mean over the ranks that have GPU work; ranks counts those.
struct MeanTimeline {
    int ranks = 0;
    GpuTimeline mean; ///< each field rounded to whole nanoseconds
};
MeanTimeline mean_timeline(std::span<const RankAnalysis> ranks);

/// Smallest, median (lower of the two middle ones) and largest value of one field over the ranks with GPU work.
struct RankSpread {
    int least_rank = 0;
    int most_rank = 0;
    TimeNs least = 0;
    TimeNs median = 0;
    TimeNs most = 0;
};
std::optional<RankSpread> rank_spread(std::span<const RankAnalysis> ranks, TimeNs GpuTimeline::*field);

/// The rank the others wait for at collectives, whether it comes last itself or who comes last had waited for it
/// (late_waits.h).
struct LateRank {
    int rank = 0;
    std::int64_t times_last = 0;
    std::int64_t calls = 0; ///< matched collective calls it takes part in
    TimeNs cost = 0;        ///< waiting it causes, per other rank
    double share = 0;       ///< cost / mean total
    double slower = 0;      ///< its computation / the median of the others', minus 1
};

/// The rank to which most waiting is charged as its own lateness, three times what is charged to the others on average
/// or more, where they lose at least 1 % of the mean total, and the step would be 0.5 % shorter if nobody waited for
/// it; or 2.5 % without it and the next one, where they lose 5 %. Else none; nor one that is no more often the last
/// than chance makes one of many ranks, or is it in turn with its peers (takes_turns()), where there are three steps or
/// more to tell; nor one to which waiting, which follows delays through messages and hosts as well, charges less than
/// half of what it charges to another. late_waits: as recorded.
std::optional<LateRank> late_rank(std::span<const RankAnalysis> ranks, const StragglerAnalysis& stragglers,
                                  const StepGraph& graph, const std::vector<std::vector<double>>& computation_by_step,
                                  const PeerTimes& peers, const LateWaits& late_waits, const Waiting& waiting);

} // namespace rankscope
