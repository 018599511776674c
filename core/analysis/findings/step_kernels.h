// SPDX-License-Identifier: GPL-3.0-or-later
// Why computation takes longer in the slower steps: more kernels, or longer ones, and of which kind.
//   Example: 12 kernels a step where usual steps have 10: the program does more.
//   Example: 10 kernels in both, of 11 ms instead of 10 ms together: 1.10 times as long.
#pragma once
#include <set>

#include "core/analysis/basics/change_points.h"
#include "core/analysis/findings/step_series.h"

namespace rankscope {

struct KernelWords {
    Message words;
    bool more_kernels = false; ///< the program does more
};
/// ranks: indices of those that are looked at; empty: all.
KernelWords kernel_words(const FindingContext& context, const SeriesOfSteps& series, const RaisedLevel& level,
                         const std::set<std::size_t>& ranks);

} // namespace rankscope
