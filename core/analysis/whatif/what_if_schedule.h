// SPDX-License-Identifier: GPL-3.0-or-later
// What a step takes with another schedule of the pipeline, or with more microbatches.
//   A step takes 100 ms. Its passes, played through, take 90 ms as recorded and 80 ms in the new schedule: a step then
//   takes 90 ms. Where passes are not known, one more microbatch takes the time from one backward pass to the next.
#pragma once
#include "core/analysis/findings/finding_inputs.h"
#include "core/analysis/graph/replays.h"
#include "core/analysis/whatif/what_if.h"

namespace rankscope {

/// What comes before and after the passes stays; between them the new program is played through.
/// Changes the prediction that was made without this. schedule, microbatches: nullptr without, not both. now: the
/// replay with all other changes.
void play_schedule(const FindingInputs& inputs, const Change* schedule, const Change* microbatches,
                   const Replays::Replayed& now, Prediction& result);

} // namespace rankscope
