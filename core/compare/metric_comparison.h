// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs, metric by metric (metrics.md, "Comparing runs").
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/metrics/catalogue.h"

namespace rankscope {

/// Changes of at most this many percent are "similar".
inline constexpr double kSimilarPercent = 1.0;

/// changed: moved by more than the threshold, in a metric of which neither direction is better.
enum class ChangeStatus { better, worse, similar, changed };
std::string_view change_status_word(ChangeStatus status);

/// difference = test - baseline; percent_change = 100 (test - baseline) / baseline, absent when only the baseline is 0.
struct MetricChange {
    const Metric* metric = nullptr;
    double baseline = 0;
    double test = 0;
    double difference = 0;
    std::optional<double> percent_change;
    ChangeStatus status = ChangeStatus::similar;
};

/// 100 (test - baseline) / baseline; absent when the baseline is 0 and the test is not.
std::optional<double> percent_change(double baseline, double test);

/// Metrics available in both, in catalogue order.
std::vector<MetricChange> compare_metrics(const MetricReport& baseline, const MetricReport& test);

/// A metric of several runs; values and changes have one entry for each run.
struct MetricRow {
    const Metric* metric = nullptr;
    std::vector<std::optional<double>> values;        ///< empty where it is not available
    std::vector<std::optional<MetricChange>> changes; ///< against the first run; the first has none
};
/// Metrics available in any of the runs, in catalogue order.
std::vector<MetricRow> metric_matrix(std::span<const MetricReport* const> reports);

} // namespace rankscope
