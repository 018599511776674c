// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of a serving engine compute. They differ from step to step: only steps of like work can be compared.
#pragma once
#include <optional>
#include <vector>

#include "core/base/message.h"
#include "core/trace/engine_steps.h"

namespace rankscope {

/// Of each of the rank's steps, as the engine names it; nothing where the name does not tell how many prompt tokens and
/// requests the step has. Empty where no step is an engine's: then they are taken to be alike.
std::vector<std::optional<EngineStepName>> step_work(const RankTrace& rank);

/// Of one phase, with requests and tokens of prompts, and of requests that decode, within a tenth.
bool is_like_work(const EngineStepName& a, const EngineStepName& b);
/// The same, and exactly as many requests and new tokens: 19 requests take longer than 18, and that is no fault.
bool is_equal_work(const EngineStepName& a, const EngineStepName& b);

/// "decode steps of 8 requests", "prefill steps of 2048 tokens", "mixed steps of 512 prompt tokens and 8 requests".
Message steps_of_work_words(const EngineStepName& work);

} // namespace rankscope
