// SPDX-License-Identifier: GPL-3.0-or-later
// What the Compare screen shows of two runs, computed off the window's thread.
#pragma once
#include <memory>
#include <tuple>
#include <vector>

#include "core/compare/analysed_run.h"
#include "core/compare/run_comparison.h"
#include "core/compare/side_by_side.h"

namespace rankscope {

struct ComparedRuns {
    std::shared_ptr<const AnalysedRun> baseline;
    std::shared_ptr<const AnalysedRun> test;
    std::shared_ptr<const RunComparison> comparison;
    std::vector<RunBesideOthers> all; ///< of three runs and more
};

inline ComparedRuns compareRuns(std::shared_ptr<const AnalysedRun> baseline, std::shared_ptr<const AnalysedRun> test) {
    auto comparison =
        std::make_shared<const RunComparison>(baseline->analysis, baseline->metrics, test->analysis, test->metrics);
    std::ignore = comparison->explanation();
    std::ignore = comparison->operators();
    std::ignore = comparison->modules();
    std::ignore = comparison->memory();
    return {std::move(baseline), std::move(test), std::move(comparison), {}};
}

inline std::vector<RunBesideOthers> allSideBySide(const std::vector<std::shared_ptr<const AnalysedRun>>& runs) {
    std::vector<AnalysedRun> all;
    all.reserve(runs.size());
    for (const auto& run : runs)
        all.push_back(*run);
    return all.size() > 2 ? runs_side_by_side(all) : std::vector<RunBesideOthers>();
}

} // namespace rankscope
