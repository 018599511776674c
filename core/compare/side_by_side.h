// SPDX-License-Identifier: GPL-3.0-or-later
// Any number of runs in one table: what a step takes, against the first of them and against the best.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/compare/analysed_run.h"

namespace rankscope {

struct RunBesideOthers {
    std::optional<MetricChange> against_first; ///< of the step's time; the first has none
    std::optional<MetricChange> against_best;  ///< the best has none
    std::optional<double> step_ms;             ///< empty: not known
    bool best = false;                         ///< of the runs whose steps do the work of the first one's
    Message verdict;                           ///< why it is not to be compared with the first; empty where it is
    Message other_work; ///< that its steps compute more or less than the first one's; empty where not, or not known
};
/// One for each run, in their order, by the rules of two runs. The best is the run with the shortest step.
std::vector<RunBesideOthers> runs_side_by_side(std::span<const AnalysedRun> runs);

/// "+15.0 % worse"; "-" without a change, and of runs that are not to be compared.
Message step_change_words(const std::optional<MetricChange>& change);
/// What is to be known of the row beside its numbers: "the best", the verdict, that ranks or steps are left out.
Message note_of(const RunBesideOthers& row);

} // namespace rankscope
