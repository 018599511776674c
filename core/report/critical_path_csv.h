// SPDX-License-Identifier: GPL-3.0-or-later
// critical_path.csv: what the longest path of each step runs over, by kernel or operator, and how much slack the same
// names have elsewhere.
#pragma once
#include <span>
#include <string>

#include "core/analysis/graph/critical_path.h"
#include "core/compare/analysed_run.h"
#include "core/metrics/metric.h"

namespace rankscope {

/// Events of one name and class in one step: their part of the path, and the slack of all GPU events and launches of
/// that name.
struct PathRow {
    std::int64_t step = 0;
    int rank = 0;
    PathClass path_class = PathClass::host_other;
    std::string name;        ///< empty: between events
    std::int64_t pieces = 0; ///< on the path
    TimeNs time = 0;         ///< on the path
    std::int64_t events = 0; ///< of that name on that rank that have a slack
    TimeNs median_slack = 0;
    TimeNs most_slack = 0;
};

/// The path of a step, the longest part first; empty when there is no such step.
std::vector<PathRow> path_rows(const RunAnalysis& analysis, std::int64_t step);
std::string critical_path_csv(std::span<const AnalysedRun> runs);
/// Per step: window, time by class and by rank, us.
Json critical_paths_json(const RunAnalysis& analysis);

} // namespace rankscope
