// SPDX-License-Identifier: GPL-3.0-or-later
// Earlier runs that a gate takes its limit from: which of them do what the run does that is held against them.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/compare/comparability.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// Runs whose times may be held against each other have the same.
struct RunLayout {
    int world_size = 0;
    std::string gpu;                              ///< empty: not recorded
    std::map<std::string, std::string> divisions; ///< degrees of parallelism by the end of their key: "tp" -> "8"
};
RunLayout layout_of(const RunAnalysis& analysis);

struct HistoryRun {
    std::string name;
    RunLayout layout;
    WorkProfile work;
    TimeRange span; ///< on the clock of the recording
    MetricReport metrics;
};
HistoryRun history_run(std::string name, const RunAnalysis& analysis, MetricReport metrics);

struct FittingHistory {
    std::vector<MetricReport> reports;
    std::vector<std::string> left_out; ///< "night_3: 8 ranks, and not 16"; "night_4: it is the run itself"
};
/// Those of the same layout that do the same work (compare_work()). What one of the two does not tell does not part
/// them.
FittingHistory fitting_history(std::span<const HistoryRun> history, const RunAnalysis& run);

/// With fewer runs a percentile is little more than their extreme: 95 % of 20 is 19 of them.
inline constexpr std::size_t kEnoughHistory = 20;

} // namespace rankscope
