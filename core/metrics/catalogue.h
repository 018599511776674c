// SPDX-License-Identifier: GPL-3.0-or-later
// Every built-in metric, in the order they are shown, and what a run gives for them and for the user's own. A new
// metric is one file in this folder and one line in catalogue.cpp.
#pragma once
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/metrics/metric.h"

namespace rankscope {

using MetricPointer = std::shared_ptr<const Metric>; ///< a built-in one lives as long as the program
using MetricList = std::vector<MetricPointer>;

const MetricList& metric_catalogue(); ///< the built-in ones
/// The built-in ones, then the user's own.
MetricList all_metrics(const MetricList& own);
/// own: the user's own metrics, AnalysisRules::metrics. nullptr when there is none. Also those of CCL-Bench's dashboard
/// (ccl_bench_dashboard.h); a metric of the user's that has such a name comes first.
MetricPointer find_metric(std::string_view id, const MetricList& own = {});
/// Of all_metrics() only.
MetricPointer find_listed_metric(std::string_view id, const MetricList& own = {});
/// Up to three ids nearest to a mistyped one.
std::vector<std::string> nearest_metric_ids(std::string_view id, const MetricList& own = {});
/// Each id once: the built-in ones in catalogue order, then users' own as they come.
MetricList in_catalogue_order(const MetricList& metrics);

/// Metrics asked for with their results, in catalogue order, and what of the run a comparison has to know.
struct MetricReport {
    struct Entry {
        MetricPointer metric;
        MetricResult result;
    };
    std::vector<Entry> entries = {};
    double tokens_per_iteration = 0; ///< of the whole job; 0: not known
    bool ends_early = false;         ///< the files of all ranks do: GPU work is missing
    int world_size = 0;
    std::vector<int> ranks = {}; ///< that have a trace and can be judged, ascending
    [[nodiscard]] const MetricResult* find(std::string_view id) const;
};
/// What any of the reports has an entry for, in_catalogue_order().
MetricList metrics_of(std::span<const MetricReport* const> reports);

/// Computed once for an analysis, however many of the user's own metrics are built on it.
const MetricResult& metric_result(const MetricPointer& metric, const RunAnalysis& analysis);

/// Of the built-in ones and the user's own (RunAnalysis::rules()). ids empty: all, and beside them, as whoever wants
/// all metrics shows them too, RunAnalysis::findings(). Unknown ids are the caller's error and ignored here. Stopped:
/// what was not started by then has no result.
MetricReport compute_metrics(const RunAnalysis& analysis, std::span<const std::string> ids = {},
                             const std::stop_token& stop = {});

} // namespace rankscope
