// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a trace whose program marks them itself: ranges such as "step 12", "iteration_12", "train_step#12".
#pragma once
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// The ranges of one thread and one spelling that cover the most time, where at least two of them do not overlap and
/// their numbers ascend; empty otherwise.
std::vector<ProfilerStep> numbered_steps(const RankTrace& rank);

} // namespace rankscope
