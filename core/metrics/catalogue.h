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

/// Metrics asked for with their results, in catalogue order, and what of the run a comparison has to know.
struct MetricReport {
    struct Entry {
        const Metric* metric = nullptr;
        MetricResult result;
    };
    std::vector<Entry> entries = {};
    std::size_t iterations = 0;      ///< recorded, or repetitions found; 0: not known, or no metric asked for needs it
    double tokens_per_iteration = 0; ///< of the whole job; 0: not known
    int world_size = 0;
    std::vector<int> ranks = {}; ///< that have a trace and can be judged, ascending
    [[nodiscard]] const MetricResult* find(std::string_view id) const;
};

/// ids empty: all, and beside them, as whoever wants all metrics shows them too, RunAnalysis::findings(). Unknown ids
/// are the caller's error and ignored here.
/// Stopped: what was not begun by then has no result.
MetricReport compute_metrics(const RunAnalysis& analysis, std::span<const std::string> ids = {},
                             const std::stop_token& stop = {});

} // namespace rankscope
