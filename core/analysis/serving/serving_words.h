// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a serving engine in words: what they take, what stalls them, and what changed between two runs.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/analysis/serving/served_steps.h"

namespace rankscope {

/// One sentence for each kind of step: "61 decode steps of 32 requests take 10.7 ms each (2987 tokens/s); the GPU
/// computes 91 % of that, gaps between its kernels take 6 %."
std::vector<std::string> serving_sentences(std::span<const PhaseSummary> phases);

/// Which kinds of steps became slower or faster, and which part of their time that is; a part that changed though the
/// step did not; and a changed mix of kinds, which changes the mean step though no kind did. A kind counts as changed
/// when its median, or else its mean, moved by more than 1 % and two standard errors. The first step of a capture,
/// whose time before its own work is not known, is compared with its like only. Empty where either run has no steps.
std::vector<std::string> serving_changes(std::span<const std::vector<ServedStep>> baseline,
                                         std::span<const std::vector<ServedStep>> test);

} // namespace rankscope
