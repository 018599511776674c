// SPDX-License-Identifier: GPL-3.0-or-later
// How long the steps of a run take: those that all ranks have, in order.
//   Example: rank 0 has steps 1 to 5, rank 1 has 2 to 6: the series is 2 to 5.
//   Example: step 2 takes 100 ms on rank 0 and 104 ms on rank 1: wall 102 ms.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// Steps that all ranks have, in order: profiler steps, or repetitions of a recording without any.
struct SeriesOfSteps {
    std::vector<std::int64_t> numbers;
    std::vector<std::vector<std::size_t>> place; ///< by rank: of each, in StepAccount::parts; empty: the rank has none
    std::vector<double> wall;                    ///< ns, mean over the ranks
};
/// Nothing where the steps of the ranks do not belong together.
std::optional<SeriesOfSteps> series_of_steps(const FindingContext& context);
/// wall, were the profiler steps (StepGraph::steps) to take these times.
std::vector<double> mean_walls(const FindingContext& context, const SeriesOfSteps& series,
                               const std::vector<TimeRange>& ranges);

} // namespace rankscope
