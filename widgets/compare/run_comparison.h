// SPDX-License-Identifier: GPL-3.0-or-later
// What the Compare screen shows of two runs, computed off the window's thread.
#pragma once
#include <memory>
#include <vector>

#include "core/compare/change_explanation.h"
#include "core/compare/operator_diff.h"
#include "core/report/analysed_run.h"

namespace rankscope {

struct RunComparison {
    std::shared_ptr<const AnalysedRun> baseline;
    std::shared_ptr<const AnalysedRun> test;
    ChangeExplanation explanation;
    std::vector<OperatorChange> operators;
};

inline RunComparison compareRuns(std::shared_ptr<const AnalysedRun> baseline, std::shared_ptr<const AnalysedRun> test) {
    RunComparison result;
    result.explanation = explain_change(*baseline->analysis, *test->analysis);
    result.operators = compare_operators(name_totals(*baseline->analysis), name_totals(*test->analysis));
    result.baseline = std::move(baseline);
    result.test = std::move(test);
    return result;
}

} // namespace rankscope
