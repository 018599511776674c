// SPDX-License-Identifier: GPL-3.0-or-later
// A profiler step that the end of the recording cut off.
#pragma once
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The last step of a rank if the recording stopped inside it, else nullptr. PyTorch's profiler marks such a step like
/// a whole one, so its length tells: less than half of the shortest other, or, with one other, than a tenth of it.
/// Steps of serving engines differ that much anyway, and are whole.
const ProfilerStep* cut_step(const RankTrace& rank);

} // namespace rankscope
