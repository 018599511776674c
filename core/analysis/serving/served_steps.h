// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a serving engine with the GPU work that each launched, and where the time of each went.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/selection/selection.h"
#include "core/analysis/serving/host_waits.h"
#include "core/analysis/serving/step_work.h"
#include "core/trace/engine_steps.h"

namespace rankscope {

/// Where the time of a step went.
enum class StepPart : std::uint8_t {
    kernels,       ///< computation on the GPU
    communication, ///< that nothing hides
    copies,        ///< that nothing hides
    host,          ///< the GPU has no work, and the next is not launched yet
    gaps           ///< the GPU has no work, though the next is launched
};
inline constexpr std::size_t kStepParts = static_cast<std::size_t>(StepPart::gaps) + 1;
std::string_view step_part_word(StepPart part); ///< "kernels", "communication", "copies", "host", "gaps"

/// A step of one rank. GPU work belongs to the step in which, or after which, the host launched it; work without a
/// launch belongs to none.
struct ServedStep {
    EngineStep step;
    bool selected = false;
    /// Of the host, or when the GPU has finished what was queued before the recording, if that is later.
    TimeNs begin = 0;
    std::uint32_t gpu_events = 0; ///< 0: the times below are 0
    TimeRange gpu;                ///< from the first start of its work to the last end
    /// From the end of the work of the step before to the end of its own: when its tokens are ready. Without work of a
    /// step before, its own work alone, from when the GPU has finished what was queued before the recording. A pause in
    /// which no request waited is part of it: the trace does not tell.
    TimeRange cycle;
    bool follows = false; ///< a step before tells when the cycle begins
    TimeNs busy = 0;      ///< union of its work inside the cycle
    TimeNs between = 0;   ///< from the end of the work of the step before to the start of its own; 0 where they overlap
    std::array<TimeNs, kStepParts> parts{}; ///< their sum is the length of the cycle
    std::vector<WorkShare> work;            ///< of what the GPU is busy with in the cycle; the sum is busy
    std::vector<HostWait> host_waits;       ///< of the part host, by what the host did; the sum is that part
    /// Tokens that a request receives where its drafts are verified (acceptance_length_of()); NaN where not known.
    double acceptance_length = std::numeric_limits<double>::quiet_NaN();

    [[nodiscard]] TimeNs part(StepPart p) const { return parts[static_cast<std::size_t>(p)]; }
    /// The part that takes most beside the kernels, where it takes a tenth of the cycle; else kernels.
    [[nodiscard]] StepPart stall() const;
    [[nodiscard]] std::int64_t tokens() const;   ///< computed, drafts among them; kUnknown where the step does not say
    [[nodiscard]] std::int64_t requests() const; ///< the same
    [[nodiscard]] std::int64_t prompt_tokens() const; ///< computed; kUnknown likewise
    /// Drafts are verified, or may be: the step does not say how many tokens its requests receive.
    [[nodiscard]] bool is_speculative() const;
    /// Tokens that decoding requests received: computed ones, as a token each; where drafts are verified, by the
    /// acceptance length, at most the computed ones. NaN where the step does not say.
    [[nodiscard]] double generated() const;
};

/// Tokens of steps with GPU work, and the time that these took.
struct TokenSums {
    double prompt_tokens = 0, generated = 0;
    bool untold_prompt_tokens = false, untold_generated = false; ///< a step has such tokens and does not say how many
    double time_ns = 0;                                          ///< of the cycles

    void add(const ServedStep& step); ///< nothing of a step without work
    /// A second; NaN where one step does not say, or there are no such tokens.
    [[nodiscard]] double prompt_rate() const;
    [[nodiscard]] double generated_rate() const;
};

/// All steps of a rank in order, also those that are not selected. classes: of the rank's GPU work.
std::vector<ServedStep> served_steps(const Run& run, const RankTrace& rank, const Selection& selection,
                                     std::span<const KernelClass> classes);

/// When these steps are on the GPU, one range a step: its cycle. A step of which no GPU work is recorded has its range
/// of the host. served: all steps of the rank. host: step_windows() of the profiler steps.
std::vector<TimeRange> engine_step_windows(std::span<const ServedStep> served, std::span<const ProfilerStep> steps,
                                           std::vector<TimeRange> host);

/// The step in which, or after which, the host launched something; nothing before the first, and behind the last, where
/// the next may have started. served: all steps of the rank.
std::optional<std::size_t> step_of_launch(std::span<const ServedStep> served, TimeNs at);

/// GPU work of each step, by start. served: all steps of the rank; the result is like it. wanted: for each of them
/// whether its work is asked for; without it, that of all.
std::vector<std::vector<PieceOfWork>> work_of_served_steps(const RankTrace& rank, std::span<const ServedStep> served,
                                                           std::span<const KernelClass> classes,
                                                           const std::vector<bool>* wanted = nullptr);

/// What a kind of work adds to the steps.
struct PhaseWork {
    StepWork work{};
    double mean_us = 0; ///< of a step
    double share = 0;   ///< of all cycles, 0 to 1
    double kernels = 0; ///< of a step
};

/// What the GPU waits for in the steps, while nothing is launched.
struct PhaseWait {
    std::string range;  ///< of the engine, as recorded; empty: in none of its ranges
    double mean_us = 0; ///< of a step
    double share = 0;   ///< of all cycles, 0 to 1
};

/// Selected steps of one kind, of all ranks together.
struct PhaseSummary {
    EnginePhase phase = EnginePhase::unknown;
    std::int64_t steps = 0;                  ///< of one rank: the mean over the ranks that have any, rounded
    std::int64_t with_work = 0;              ///< of all ranks
    std::int64_t whole = 0;                  ///< of these: a step before tells when their cycle begins
    double requests = 0;                     ///< mean a step; NaN where no step says
    std::int64_t fewest_requests = kUnknown; ///< of a step
    std::int64_t most_requests = kUnknown;
    double tokens = 0;                            ///< likewise
    double mean_ms = 0;                           ///< of the cycles, of whole ones where there are any; NaN without
    double median_ms = 0, p95_ms = 0, p99_ms = 0; ///< likewise
    double busy_share = 0;                        ///< of all cycles, 0 to 1
    double between_us = 0;                        ///< median
    /// Over the cycles' time; NaN where one step does not say, or there are no such tokens.
    double prompt_tokens_per_second = 0, generated_tokens_per_second = 0;
    std::array<double, kStepParts> shares{};  ///< of all cycles, 0 to 1
    std::array<double, kStepParts> mean_us{}; ///< of a step
    std::vector<PhaseWork> work;              ///< the longest first
    std::vector<PhaseWait> waits;             ///< the longest first; the sum is the part host

    /// Whether the engine recorded ranges in which the GPU waited: without, what the host did is not known.
    [[nodiscard]] bool host_is_named() const;
};
std::vector<PhaseSummary> summarise_phases(std::span<const std::vector<ServedStep>> ranks); ///< by phase

/// The size of a step's batch: tokens of its prompts, and requests that decode.
struct BatchSize {
    EnginePhase phase = EnginePhase::unknown;
    std::int64_t prompt_tokens = kUnknown;
    std::int64_t decoding = kUnknown;
    auto operator<=>(const BatchSize&) const = default;
    [[nodiscard]] bool known() const; ///< what the phase has of both
};
BatchSize batch_size(const EngineStep& step);
/// Likewise by size, of the sizes that are known.
std::vector<std::pair<BatchSize, PhaseSummary>> summarise_batches(std::span<const std::vector<ServedStep>> ranks);

} // namespace rankscope
