// SPDX-License-Identifier: GPL-3.0-or-later
// How long the requests of a serving engine wait for their tokens, by the engine's steps on the GPU.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/analysis/serving/served_steps.h"

namespace rankscope {

/// Requests that wait equally long.
struct RequestWait {
    TimeNs time = 0;
    double requests = 0;
    double tokens = 1; ///< that each receives after it; NaN where drafts are verified and their number is not known
    /// Places of steps. It lasts from the end of the one to that of the other; of a prompt, from the start of the one.
    std::size_t after = 0, step = 0;
};

/// Running requests wait while the engine computes prompts alone.
struct PrefillStall {
    TimeNs time = 0;     ///< from the end of the last step that generated to the end of the last step with prompts
    double requests = 0; ///< that wait
    std::size_t steps = 0;
};

struct TokenWaits {
    /// Of each request and token, from its token before. Of a request that ran in the last step that generated, this is
    /// the time between the ends of the GPU work of both; of one that joined, the time since its own prompt's step.
    std::vector<RequestWait> waits;
    std::vector<PrefillStall> stalls; ///< inside the waits
};

/// Of the selected steps of one rank. The names give numbers of requests, not which: the prompts of a step are taken to
/// generate from the next step on, unless the names tell that they continue in a later step. A step that does not tell
/// its number of requests counts as one. Nothing is known across a step whose kind or GPU work is not recorded.
TokenWaits token_waits(std::span<const ServedStep> steps);

struct PromptWaits {
    /// Of each prompt: from the start of its first step on the host, or from when the GPU is done with work queued
    /// before the recording, to the end of the GPU work of its last step.
    std::vector<RequestWait> waits;
    std::size_t left_out = 0; ///< steps of which it is not told whether they end a prompt
};
/// Steps with prompts that follow each other may be chunks of one prompt: only where the names tell which are is the
/// time to the first token known.
PromptWaits prompt_waits(std::span<const ServedStep> steps);

/// By tokens: with drafts a wait brings a request several. requests: tokens.
std::vector<RequestWait> waits_per_token(std::span<const RequestWait> waits);

/// How the waits are distributed, each as often as requests have it. NaN without any.
struct WaitSummary {
    double requests = 0;
    double mean_ms = 0, p50_ms = 0, p90_ms = 0, p95_ms = 0, p99_ms = 0, max_ms = 0;
};
WaitSummary summarise_waits(std::span<const RequestWait> waits);

} // namespace rankscope
