// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics iteration by iteration: how far they spread within one run, without which a change between two runs means
// little.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
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

} // namespace rankscope
