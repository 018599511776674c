// SPDX-License-Identifier: GPL-3.0-or-later
// metrics.csv and comparison.csv: the numbers of the metrics. Also behind the window's Export.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"

namespace rankscope {

/// run, metric, field, value, unit; one row per number: the metric's value (field "value"), then those of its details.
/// A metric that is not available has no number, hence no row.
std::string metrics_csv(std::span<const AnalysedRun> runs);

/// Every run after the first against the first: baseline, test, metric, unit, baseline_value, test_value, difference,
/// percent_change (empty when only the baseline is 0), status.
std::string comparison_csv(std::span<const AnalysedRun> runs);

/// Likewise for the configurations: baseline, test, key, baseline_value, test_value, status.
std::string config_diff_csv(std::span<const AnalysedRun> runs);

/// Likewise for the time of an iteration (core/compare/change_explanation.h): baseline, test, part, title, baseline_us,
/// test_us, difference_us, percent_of_change, cause. The first row is the iteration, the last what the parts do not add
/// up to.
std::string changes_csv(std::span<const AnalysedRun> runs);

} // namespace rankscope
