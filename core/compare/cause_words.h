// SPDX-License-Identifier: GPL-3.0-or-later
// Words that several causes of a change use.
#pragma once
#include <string>
#include <string_view>

#include "core/analysis/collectives/parallel_dimension.h"
#include "core/analysis/steps/step_account.h"
#include "core/base/message.h"

namespace rankscope::cause_words {

inline constexpr double kSameRatio = 0.005; ///< is printed as 1.00 times

std::string shown_name(std::string_view name);       ///< of a kernel, without control characters, shortened
std::string ratio_text(double before, double after); ///< "1.31"
std::string count_text(double count);                ///< six digits are enough for any count
Message joined(Message text, const Message& more);   ///< by a comma where both say something
/// "tp 4 -> 8"; empty where the size of its groups is the same, or not known.
Message degree_change(const StepAccount& before, const StepAccount& after, ParallelDimension dimension);
bool another_gpu(const StepAccount& before, const StepAccount& after); ///< both names are known, and differ

} // namespace rankscope::cause_words
