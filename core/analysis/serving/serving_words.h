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

/// What is to be known of the host's share: that Python stacks slow it, and that no range of the engine covers it. None
/// where the GPU waits for the host for less than 0.5 % of the steps, as in serving_sentences().
std::vector<Message> host_sentences(const Run& run, std::span<const PhaseSummary> phases);

/// By which mean acceptance length tokens of speculative decoding are counted, or that they are not. None without such
/// steps. ranks: served steps of each.
std::vector<Message> acceptance_sentences(const RunConfig& config, std::span<const std::vector<ServedStep>> ranks);

/// "in schedule: allocate_slots", "in no range of the engine".
Message host_range_words(const PhaseWait& wait);

std::string_view step_part_words(StepPart part); ///< "waiting for the host to launch"

} // namespace rankscope
