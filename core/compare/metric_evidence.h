// SPDX-License-Identifier: GPL-3.0-or-later
// What a metric's change means: its cost for an iteration, its values rank by rank, and where in the test run to look.
#pragma once
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/compare/metric_comparison.h"

namespace rankscope {

/// ms that an iteration of the test takes longer by it, where the metric is a time of an iteration or a share of one;
/// nothing for others. baseline_ms, test_ms: iteration times.
std::optional<double> cost_ms(const MetricChange& change, std::optional<double> baseline_ms,
                              std::optional<double> test_ms);

/// (rank, value) from the metric's details, ascending by rank; empty where it has none. Not always in the metric's
/// unit, but in one that is the same for both runs.
std::vector<std::pair<int, double>> rank_values(std::string_view metric_id, const MetricResult& result);

/// A stretch of the run that shows the metric at its worst: the call that ranks come latest to, the longest collective,
/// the longest bubble, else the longest step. In the run's own time of the rank; nothing where none is recorded.
struct Evidence {
    int rank = 0;
    TimeRange range;
};
std::optional<Evidence> metric_evidence(const RunAnalysis& run, std::string_view metric_id);

} // namespace rankscope
