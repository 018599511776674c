// SPDX-License-Identifier: GPL-3.0-or-later
// A study as a page, and as sheets of a workbook.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/compare/study.h"
#include "core/report/sheet.h"

namespace rankscope {

/// The two metrics of Pareto's plot.
struct ParetoMetrics {
    MetricPointer x;
    MetricPointer y;
};
/// Tokens and their latency of serving runs, else the step and its memory; nothing: fewer than two runs have both.
std::optional<ParetoMetrics> usual_pareto(const Study& study);

/// report.html of --study, to be published as it is: which run is the fastest, the runs as a table with the best marked
/// and links to their reports, changes of level in words, Pareto's plot, each metric as a small chart, and the
/// settings.
std::string study_html(const Study& study, const std::optional<ParetoMetrics>& pareto);
inline std::string study_html(const Study& study) { return study_html(study, usual_pareto(study)); }

/// "Study": a row for each run, a column for each metric and one for its spread. "Changes": a row for each change of
/// level, where there are any.
std::vector<Sheet> study_sheets(const Study& study);

} // namespace rankscope
