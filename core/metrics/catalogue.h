// SPDX-License-Identifier: GPL-3.0-or-later
// Every metric there is, in the order they are shown. A new metric is one file in this folder and one line in
// catalogue.cpp.
#pragma once
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/metrics/metric.h"

namespace rankscope {

std::span<const Metric> metric_catalogue();
/// Adds the user's own metrics behind the built-in ones. Call it while the program starts, before anything else here is
/// used: the catalogue does not change afterwards.
void add_user_metrics(std::vector<Metric> metrics);
const Metric* find_metric(std::string_view id); ///< nullptr when there is none
/// Up to three ids nearest to a mistyped one.
std::vector<std::string> nearest_metric_ids(std::string_view id);

/// Metrics asked for with their results, in catalogue order.
struct MetricReport {
    struct Entry {
        const Metric* metric = nullptr;
        MetricResult result;
    };
    std::vector<Entry> entries;
    [[nodiscard]] const MetricResult* find(std::string_view id) const;
};

/// ids empty: all, and beside them, as whoever wants all metrics shows them too, RunAnalysis::findings(). Unknown ids
/// are the caller's error and ignored here.
/// Stopped: what was not begun by then has no result.
MetricReport compute_metrics(const RunAnalysis& analysis, std::span<const std::string> ids = {},
                             const std::stop_token& stop = {});

} // namespace rankscope
