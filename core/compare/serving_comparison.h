// SPDX-License-Identifier: GPL-3.0-or-later
// Which kinds of steps of a serving engine changed between two runs, and why.
#pragma once
#include <string>
#include <vector>

#include "core/run/run_analysis.h"

namespace rankscope {

/// Which kinds of steps became slower or faster, which part of their time that is, and what the traces tell of why: the
/// tokens of a step, its kernels, how it was launched. Then a part that changed though the step did not, and a changed
/// mix of kinds, which changes the mean step though no kind did. A kind counts as changed when its median, or else its
/// mean, moved by more than 1 % and two standard errors. The first step of a capture, whose time before its own work is
/// not known, is compared with its like only. Where both runs have steps of the same batch sizes, but
/// not equally often, as many steps of each size are compared. Empty where either run has no steps of an engine.
std::vector<Message> serving_changes(const RunAnalysis& baseline, const RunAnalysis& test);

} // namespace rankscope
