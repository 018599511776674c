// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps of a run compute alike, so that their times can be compared.
//   Example: of 10 steps of a serving engine, 6 decode 8 requests and 3 process prompts; when the last one ends is not
//   known. Two series: "decode steps of 8 requests" (part 0.6), and that of the 3 steps (part 0.3).
#pragma once
#include <vector>

#include "core/analysis/findings/step_series.h"

namespace rankscope {

/// Steps that compute alike; of a serving engine these are some of all.
struct AlikeSteps {
    SeriesOfSteps series;
    Message words;          ///< "decode steps of 8 requests"; empty where steps are not told apart
    double part = 1;        ///< of all steps
    bool work_known = true; ///< false: how much each computes is not known
};
/// Steps of a training run are one series; those of a serving engine one for each amount of work.
std::vector<AlikeSteps> alike_steps(const FindingContext& context, SeriesOfSteps all);

} // namespace rankscope
