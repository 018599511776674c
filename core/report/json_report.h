// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON document rankscope.metrics.v1 (docs/cli.md): names and shapes other programs rely on.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"
#include "core/compare/gate.h"

namespace rankscope {

/// The whole document, indented, ending in a newline. Same runs and gates: the same bytes.
std::string metrics_json(std::span<const AnalysedRun> runs, std::span<const GateResult> gates);

/// Parts of it: notices as `runs[].notices`, a metric as in `runs[].metrics`, two runs as in `comparison`.
/// test.comparison has to be with the baseline.
Json notices_json(const Notices& notices);
Json metric_json(const Metric& metric, const MetricResult& result);
Json comparison_json(const AnalysedRun& baseline, const AnalysedRun& test);

/// `--list-metrics --json`: { "schema": "rankscope.metric_list.v1", "version", "metrics": { id: {title, unit, better,
/// topic, definition} } }.
std::string metric_list_json(const MetricList& own); ///< own: the user's own metrics

/// One number of a metric as JSON; null when it is not available.
std::string metric_value_json(const MetricResult& result);

} // namespace rankscope
