// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a serving engine in words: what they take, and what stalls them.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/serving/served_steps.h"
#include "core/base/message.h"

namespace rankscope {

/// One sentence for each kind of step: "61 decode steps of 32 requests take 10.7 ms each (2987 tokens/s); the GPU
/// computes 91 % of that, gaps between its kernels take 6 %."
std::vector<Message> serving_sentences(std::span<const PhaseSummary> phases);

std::string_view step_part_words(StepPart part); ///< "waiting for the host to launch"

} // namespace rankscope
