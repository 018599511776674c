// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of serving engines (vLLM, SGLang, ATOM, TensorRT-LLM), which number nothing: told by what they call their
// annotations and frames.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// What a step computes.
enum class EnginePhase : std::uint8_t {
    prefill,   ///< prompts
    decode,    ///< one token of each running request
    mixed,     ///< both
    draft,     ///< tokens that another step verifies
    verify,    ///< drafted tokens of each running request, of which it accepts at least one
    diffusion, ///< images or the like
    unknown
};
std::string_view engine_phase_word(EnginePhase phase); ///< "prefill" ...
/// Running requests receive tokens.
constexpr bool generates(EnginePhase phase) {
    return phase == EnginePhase::decode || phase == EnginePhase::mixed || phase == EnginePhase::verify;
}
constexpr bool computes_prompts(EnginePhase phase) {
    return phase == EnginePhase::prefill || phase == EnginePhase::mixed;
}

/// Marks of steps by how much they tell; a step often carries several, one inside the other.
enum class EngineMark : std::uint8_t {
    execute, ///< vLLM: "execute_context_1(512)_generation_7(7)", "execute_32_context_0(...)_generation_32(...)", older
             ///< "execute_new_1_cached_7"; diffusion engines: "execute_diffusion_..."
    step,    ///< SGLang: "step[DECODE bs=32]"; ATOM: "decode[bs=32 tok=32 d=32]"
    forward_step,   ///< TensorRT-LLM: "[Executor] _forward_step 7: 1 ctx reqs, 31 gen reqs"
    run_batch,      ///< SGLang: the Python frame "scheduler.py(2919): run_batch"
    run_batch_inner ///< SGLang: the frame "_run_batch_inner"
};
/// What the requests of one kind bring into a step; kUnknown where the name does not say. With q new tokens of a
/// request that attend to k tokens, itself among them: sums over the requests.
struct EngineBatch {
    std::int64_t requests = kUnknown;
    std::int64_t q = kUnknown; ///< tokens computed
    std::int64_t k = kUnknown; ///< tokens attended to
    std::int64_t qq = kUnknown;
    std::int64_t qk = kUnknown;
    friend bool operator==(const EngineBatch&, const EngineBatch&) = default;
};
struct EngineStepName {
    EngineMark mark = EngineMark::execute;
    EnginePhase phase = EnginePhase::unknown; ///< frames do not tell
    EngineBatch context;                      ///< prompts, or chunks of them
    EngineBatch generation;                   ///< requests that decode

    /// Requests and tokens of both kinds; kUnknown where the name tells neither kind's.
    [[nodiscard]] std::int64_t requests() const;
    [[nodiscard]] std::int64_t tokens() const;
};
/// Nothing: the event marks no step.
std::optional<EngineStepName> engine_step_name(EventKind kind, std::string_view name);

/// Whether engine_steps() looks at events of this kind and name: marks, and frames of forward passes.
bool tells_engine_steps(EventKind kind, std::string_view name);

struct EngineStep {
    TimeRange range; ///< of the host
    EnginePhase phase = EnginePhase::unknown;
    EventIndex event = kNoEvent;
    EngineBatch context, generation;
};
/// The rank's steps in order of start, by the mark that tells most of those it has: none inside another. The phase of
/// SGLang's frames is that of the forward pass inside ("forward_decode", "forward_extend"), where it was recorded.
std::vector<EngineStep> engine_steps(const RankTrace& rank);

/// As profiler steps, numbered from 1, where there are at least two; else none. Their ranges are those of their events
/// (close_gaps_of_steps()).
std::vector<ProfilerStep> numbered_engine_steps(const RankTrace& rank);

} // namespace rankscope
