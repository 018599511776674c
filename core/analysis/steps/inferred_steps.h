// SPDX-License-Identifier: GPL-3.0-or-later
// Iterations of a rank whose trace has no profiler steps, from the repetition of its collectives or kernels.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/gpu/rank_analysis.h"
#include "core/analysis/selection/selection.h"

namespace rankscope {

enum class StepSource : std::uint8_t { none, collectives, kernels };
std::string_view step_source_word(StepSource source); ///< "none", "collectives", "kernels"

/// steps: from the start of one repetition to the start of the next, so the last repetition, whose end is unknown, is
/// not among them. events_per_step: length of the repeated sequence.
struct InferredSteps {
    StepSource source = StepSource::none;
    std::size_t events_per_step = 0;
    std::vector<TimeRange> steps;
    EventIndex first_event = kNoEvent; ///< with which the first step starts
    EventIndex end_event = kNoEvent;   ///< with which the repetition after the last step starts
    bool last_is_whole = true;         ///< all events of the last repetition are recorded
};

/// Shortest period of a sequence that repeats at least three times, where at most one token in fifty differs from the
/// one a period later; 0 when there is none. Only periods between occurrences of its rarest repeated token are tried.
std::size_t sequence_period(std::span<const std::uint64_t> tokens);

/// Tries the collectives of the stream with the most communication, then the kernels of the busiest compute stream. A
/// sequence of one repeated call says nothing about iterations and is not taken, nor is one of kernels where the host
/// neither copies, waits nor launches a graph as often: those are layers of a step that is cut.
InferredSteps infer_steps(const RankTrace& rank, std::span<const GpuSlice> work);

/// steps: of each rank. The busiest stream of a rank may repeat more often than its steps, as calls of tensor
/// parallelism do layer by layer. A rank with more repetitions than most ranks takes those of another stream that
/// repeats as often as theirs, or none.
void agree_on_steps(const Run& run, std::span<const RankAnalysis> ranks, std::vector<InferredSteps>& steps);

} // namespace rankscope
