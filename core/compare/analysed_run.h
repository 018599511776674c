// SPDX-License-Identifier: GPL-3.0-or-later
// A run with everything a report says about it.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/whatif/what_if.h"
#include "core/compare/run_comparison.h"
#include "core/metrics/catalogue.h"

namespace rankscope {

struct AnalysedRun {
    std::string role;  ///< "run" alone; "baseline" and "test" where runs are compared
    std::string label; ///< Run::name, or the path where two runs of a report have the same name
    std::shared_ptr<const RunAnalysis> analysis;
    MetricReport metrics;
    std::vector<Prediction> predictions; ///< of the changes asked for (--what-if)
    Notices notices = {};                ///< of the run, and of what was asked of it ("iteration 9 is not there")
    std::shared_ptr<const RunComparison> comparison = {}; ///< with the first run of the report; the first has none

    /// What dumps of the Flight Recorder tell that lie beside a profile of the same job; nullptr: there are none.
    std::shared_ptr<const Hang> beside = {};

    [[nodiscard]] const Run& run() const { return analysis->run(); }
    /// Of its own dumps, or of those beside it; nullptr without.
    [[nodiscard]] const Hang* hang() const { return beside ? beside.get() : analysis->hang(); }
};

/// Gives every run a label no other run has.
void label_runs(std::vector<AnalysedRun>& runs);
/// Gives every run its role, a label no other run has and, but for the first, its comparison with the first.
void relate_runs(std::vector<AnalysedRun>& runs);

/// Numbers of the profiler steps analysed, over all ranks, ascending, each once.
std::vector<std::int64_t> iteration_numbers(const RunAnalysis& analysis);

} // namespace rankscope
