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
    bool best = false;                         ///< of the runs that do the work of the first
    Message verdict;                           ///< why it is not to be compared with the first; empty where it is
};
/// One for each run, in their order, by the rules of two runs. runs: related (relate_runs()). The best is the run with
/// the shortest step.
std::vector<RunBesideOthers> runs_side_by_side(std::span<const AnalysedRun> runs);

} // namespace rankscope
