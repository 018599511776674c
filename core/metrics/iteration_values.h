// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics iteration by iteration: how far they spread within one run, without which a change between two runs means
// little.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/metrics/metric.h"

namespace rankscope {

/// By metric, in its unit: its value in each iteration (mean over ranks), by step number. Metrics that are not measured
/// by iteration, and runs of fewer than two, have no entry. throughput_tokens is not here: it is as iter_time spreads.
/// wanted: ids to bother about.
std::map<std::string, std::vector<double>> iteration_values(const RunAnalysis& analysis,
                                                            const std::set<std::string>& wanted);

/// Puts the sample standard deviation between iterations into the details of a metric that is available, in the
/// metric's unit.
void set_spread(const std::map<std::string, std::vector<double>>& values, const std::string& id, MetricResult& result);
std::optional<double> spread_of(const MetricResult& result); ///< what set_spread() put there

/// Sample deviation of values in their order, around each of their levels where the level changes for good
/// (basics/change_points.h): a run that becomes slower half way does not spread for that. Two values or more.
double deviation_around_levels(std::span<const double> values);

/// What a run is held against others by: the value and its spread, around its levels. Of iter_time, where the host runs
/// ahead of the GPU, what the GPU takes for an iteration (gpu_step_ms, gpu_step_spread_ms), since a launch is no
/// iteration.
struct JudgedValue {
    double value = 0;
    std::optional<double> spread;
};
JudgedValue judged_value(std::string_view metric, const MetricResult& result); ///< result: available

} // namespace rankscope
