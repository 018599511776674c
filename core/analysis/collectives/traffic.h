// SPDX-License-Identifier: GPL-3.0-or-later
// How much each dimension of the parallel mesh communicates, and when (metrics.md, "traffic_distribution",
// "traffic_window").
#pragma once
#include <span>
#include <vector>

#include "core/analysis/collectives/collective_summaries.h"
#include "core/analysis/collectives/parallel_dimension.h"

namespace rankscope {

/// Calls of one group, kind and dimension, summed over the ranks: a message counts at both of its ends.
struct TrafficRow {
    ParallelDimension dimension = ParallelDimension::unknown;
    DimensionMethod method = DimensionMethod::none;
    std::uint32_t group = 0;
    CollectiveKind kind = CollectiveKind::other;
    std::int64_t calls = 0;
    std::int64_t without_size = 0; ///< of calls: those that add no bytes
    std::int64_t bytes = 0;
    TimeNs time = 0;
};

/// Between one call of a rank and the next. from = to: the next of the same dimension, whatever lies between; else the
/// next call of all.
struct TrafficWindow {
    std::uint32_t rank = 0; ///< index in Run::ranks
    ParallelDimension from = ParallelDimension::unknown;
    ParallelDimension to = ParallelDimension::unknown;
    Statistics start_to_start; ///< ns
    Statistics idle;           ///< ns from the end of the one to the start of the other; 0 when they overlap
    double p95_start_to_start = 0;
    double p95_idle = 0;
};

struct TrafficAnalysis {
    std::vector<GroupDimension> groups; ///< as in CollectiveMatching::groups
    std::vector<TrafficRow> rows;       ///< of calls inside the steps, or, without steps, of all; by bytes, descending
    std::int64_t steps =
        0; ///< of the selection; of ranks that have less of them, what a step holds counts for those that they lack
    std::int64_t outside_steps = 0;     ///< calls that belong to none of them
    std::vector<TrafficWindow> windows; ///< by rank, from, to
    std::vector<Statistics> idle;       ///< per rank: between all consecutive calls, ns
};

/// steps: per rank, those of the selection.
TrafficAnalysis analyse_traffic(const Run& run, const CollectiveMatching& matching,
                                std::span<const std::vector<ProfilerStep>> steps);

/// The dimension of a call: its group's, or, where only the kind tells, its own.
ParallelDimension dimension_of_call(const GroupDimension& group, const CommCall& call, const Parallelism& parallelism);

} // namespace rankscope
