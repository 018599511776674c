// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs, metric by metric (metrics.md, "Comparing runs").
#pragma once
#include <optional>
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

} // namespace rankscope
