// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of serving engines (vLLM, SGLang), which number nothing: told by what they call their annotations and frames.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// What a step computes: prompts, one token of each running request, or both.
enum class EnginePhase : std::uint8_t { prefill, decode, mixed, unknown };
std::string_view engine_phase_word(EnginePhase phase); ///< "prefill" ...

/// Marks of steps by how much they tell; a step often carries several, one inside the other.
enum class EngineMark : std::uint8_t {
    execute,        ///< vLLM: "execute_context_1(512)_generation_7(7)", "execute_32_context_0(...)_generation_32(...)"
    step,           ///< SGLang: "step[DECODE bs=32]"
    run_batch,      ///< SGLang: the Python frame "scheduler.py(2919): run_batch"
    run_batch_inner ///< SGLang: the frame "_run_batch_inner"
};
struct EngineStepName {
    EngineMark mark = EngineMark::execute;
    EnginePhase phase = EnginePhase::unknown; ///< frames do not tell
};
/// Nothing: the event marks no step.
std::optional<EngineStepName> engine_step_name(EventKind kind, std::string_view name);

/// Whether engine_steps() looks at events of this kind and name: marks, and frames of forward passes.
bool tells_engine_steps(EventKind kind, std::string_view name);

struct EngineStep {
    TimeRange range; ///< of the host
    EnginePhase phase = EnginePhase::unknown;
    EventIndex event = kNoEvent;
};
/// The rank's steps in order of start, by the mark that tells most of those it has: none inside another. The phase of
/// SGLang's frames is that of the forward pass inside ("forward_decode", "forward_extend"), where it was recorded.
std::vector<EngineStep> engine_steps(const RankTrace& rank);

/// As profiler steps, numbered from 1, where there are at least two; else none. Like profiler steps they follow each
/// other without gaps: what an engine does between two of its marks (sampling, scheduling) belongs to the first.
std::vector<ProfilerStep> numbered_engine_steps(const RankTrace& rank);

/// Steps of an engine, whose ranges are those of their events, until the next one begins. Others stay.
void close_gaps_of_engine_steps(const RankTrace& rank, std::vector<ProfilerStep>& steps);

} // namespace rankscope
