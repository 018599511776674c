// SPDX-License-Identifier: GPL-3.0-or-later
// What each change of a what-if does to the times of the step graph.
//   "comm=2x": each transfer takes half as long; the graph's other times stay. "rank.5=peers": what rank 5 takes longer
//   than the median of its peers is taken out.
#pragma once
#include "core/analysis/findings/finding_inputs.h"
#include "core/analysis/whatif/what_if.h"

namespace rankscope {

/// Adds to the prediction what the change assumes, or that nothing changes and why. findings: of the same inputs. Of a
/// schedule or a number of microbatches: nothing (what_if_schedule.h).
void apply_change(const FindingInputs& inputs, const Findings& findings, const Change& change, GraphTimes& times,
                  Prediction& result);

} // namespace rankscope
