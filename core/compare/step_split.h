// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two runs differ in some of their iterations only, and in which.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/steps/step_account.h"
#include "core/base/message.h"

namespace rankscope {

/// Iterations of both runs, by rank: places in StepAccount::windows, ascending.
struct SplitSteps {
    std::vector<std::vector<std::size_t>> baseline;
    std::vector<std::vector<std::size_t>> test;
};

struct StepSplit {
    bool in_test = true;               ///< numbers are of the test; else of the baseline
    std::vector<std::int64_t> numbers; ///< of the iterations that differ, ascending
    std::size_t of = 0;                ///< how many the run has
    bool to_the_end = false;           ///< the numbers are all from the first of them on
    bool in_a_row = false;
    SplitSteps differing; ///< in the baseline the iterations at the same place from the start
    SplitSteps others;
};

/// Iterations are compared with those at the same place from the start of the recording, so that a slow first one of
/// both runs is no difference. They are split where the differences change their level (basics/change_points.h) or a
/// few, at most half, stand apart from the usual difference by more than its noise; and only where those account for a
/// third of the change of the mean, and the others differ by less than half of what they do. Nothing
/// where the runs differ by 1 % or less, where a run has fewer than three iterations, or its ranks do not have the
/// same.
std::optional<StepSplit> split_steps(const StepAccount& baseline, const StepAccount& test);

/// "in step 3", "in steps 3 to 6", "from step 6 on", "in 5 of 20 steps (3, 7, 11, 15, 19)".
Message split_words(const StepSplit& split);

} // namespace rankscope
