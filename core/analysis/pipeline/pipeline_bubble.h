// SPDX-License-Identifier: GPL-3.0-or-later
// How long the ranks of a pipeline compute nothing because they wait for a neighbour (metrics.md, "pipeline_bubble").
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/collectives/traffic.h"
#include "core/analysis/pipeline/pipeline_stages.h"
#include "core/analysis/pipeline/recorded_schedule.h"
#include "core/base/message.h"

namespace rankscope {

/// What tells a bubble from other idle time. annotations and p2p: a wait that ends with a message of the pipeline
/// (annotations also say which microbatch is next); idle: a card names stages but no
/// message is recorded, so every long gap counts.
enum class BubbleMethod : std::uint8_t { annotations, p2p, idle };
std::string_view bubble_method_word(BubbleMethod method);

enum class BubbleKind : std::uint8_t { warmup, steady, cooldown, unplaced };
/// A stretch of bubble on the rank's own clock.
struct BubbleSpan {
    TimeRange range;
    BubbleKind kind = BubbleKind::unplaced;
};

/// One step of one rank. window = first to last GPU work of the step; its length is compute + bubble() + exposed_comm +
/// other. Warm-up: waits up to the first backward pass, or part or pair with one; cool-down: after the last forward
/// pass, or pair with one; steady: between.
struct StepBubble {
    std::uint32_t rank = 0; ///< index in Run::ranks
    std::int64_t step = 0;  ///< number of the profiler step; 0 for a rank without any
    TimeRange window;
    /// End of the last backward kernel, after which the optimizer comes; window.end where passes are unknown.
    TimeNs passes_end = 0;
    TimeNs compute = 0;
    TimeNs warmup = 0;
    TimeNs steady = 0;
    TimeNs cooldown = 0;
    TimeNs unplaced = 0;           ///< bubble where forward and backward cannot be told apart
    TimeNs exposed_comm = 0;       ///< neither computation nor bubble, but communication
    TimeNs other = 0;              ///< nothing of these
    std::vector<BubbleSpan> spans; ///< in order of time; they sum up to bubble()
    [[nodiscard]] TimeNs bubble() const { return warmup + steady + cooldown + unplaced; }
};

struct PipelineAnalysis {
    /// Why there is no bubble to measure; then the rest is empty. There is one where a pipeline is recorded: messages
    /// between ranks, groups of pipeline stages, or a workload card with more than one stage.
    Message unavailable;
    BubbleMethod method = BubbleMethod::idle;
    std::vector<StepBubble> steps; ///< by rank, then step
    std::vector<int> stages;       ///< per rank; -1 when unknown
    StageMethod stage_method = StageMethod::none;
    std::optional<double> microbatches;
    std::optional<double> stage_count; ///< pp
    std::optional<double> ideal;       ///< of the schedule that ran (recorded_schedule.h)
    ScheduleKind schedule = ScheduleKind::unknown;
    std::optional<double> chunks; ///< of the model on each stage
    PipelineProgram actions;      ///< per rank, of its first step; empty where passes are not named one by one
    double imbalance = 1;         ///< computation of the busiest stage / mean of the stages
    int busiest_stage = -1;
};

/// Of a rank (index in Run::ranks), on its own clock.
IntervalSet bubbles_of(const PipelineAnalysis& pipeline, std::uint32_t rank);

/// work: per rank, as in Run::ranks.
PipelineAnalysis analyse_pipeline(const Run& run, const CollectiveMatching& matching, const TrafficAnalysis& traffic,
                                  std::span<const std::span<const GpuSlice>> work);

} // namespace rankscope
