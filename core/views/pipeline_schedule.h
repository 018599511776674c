// SPDX-License-Identifier: GPL-3.0-or-later
// Who did what when in a pipeline, stage by stage and microbatch by microbatch, and what the ideal schedule would have
// been.
#pragma once
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

enum class PipelineWork : std::uint8_t { forward, backward, weight_gradient, compute, message };

/// Time from the start of its PipelineStep (or ideal schedule), aligned. compute: nothing tells which pass it is.
struct PipelineSlice {
    static constexpr std::int64_t kNoMicrobatch = -1;
    TimeRange range;
    PipelineWork work = PipelineWork::compute;
    std::int64_t microbatch = kNoMicrobatch;
    EventIndex event = kNoEvent; ///< its first kernel; kNoEvent in an ideal schedule
    int model_stage = -1;        ///< part of the model that it runs; -1 where nothing tells
    bool input_part = false;     ///< a backward pass whose weights' part is another one
    /// The pass that runs together with it, in the same range: DualPipe's pairs.
    std::optional<PipelineAction> with = {};
};

/// A rank of the pipeline in one step.
struct PipelineLane {
    int stage = -1;
    std::uint32_t rank = 0;              ///< index in Run::ranks
    std::vector<PipelineSlice> passes;   ///< by start
    std::vector<PipelineSlice> messages; ///< by start; may run beside the passes
    std::vector<BubbleSpan> bubbles;     ///< from the start of the step, aligned
    StepBubble account;                  ///< as in PipelineAnalysis::steps
    TimeNs step_length = 0; ///< as on other screens (step_account.h): account.window, and what is idle around it
};

struct PipelineStep {
    std::int64_t number = 0;         ///< of the profiler step
    TimeRange span;                  ///< of the GPU work of all lanes, aligned, absolute
    std::vector<PipelineLane> lanes; ///< by stage
    bool numbered = false;           ///< annotations name the microbatches
};

/// The same number of microbatches through the same stages, each pass as long as the mean of all stages, messages for
/// nothing.
struct IdealPipeline {
    std::string schedule; ///< "1F1B", "GPipe", "interleaved" ...; empty: not drawn, and why_not says why
    Message why_not;
    TimeNs length = 0;
    TimeNs wait =
        0; ///< of a stage before its last pass, mean over the stages: what PipelineAnalysis measures of the actual one
    double bubble_share =
        0; ///< of a stage's time, that after its last pass included: (stages - 1) / (microbatches + stages - 1)
    std::vector<std::vector<PipelineSlice>> stages;
};

/// Ranks that form one pipeline: one of each stage.
struct PipelineReplica {
    std::vector<std::uint32_t> ranks; ///< indices in Run::ranks, by stage
};
/// Empty where PipelineAnalysis is unavailable, or no stage of any rank is known.
std::vector<PipelineReplica> pipeline_replicas(const RunAnalysis& analysis);
/// Numbers of the steps of a replica, ascending.
std::vector<std::int64_t> pipeline_steps(const RunAnalysis& analysis, const PipelineReplica& replica);

PipelineStep read_pipeline_step(const RunAnalysis& analysis, const PipelineReplica& replica, std::int64_t number,
                                const std::stop_token& stop = {});

/// schedule: the card's word, or empty: told from the order of the first stage's passes. recorded: where passes name
/// their part of the model, they are played in the order that was recorded, each as long as the mean of its kind.
IdealPipeline ideal_pipeline(const PipelineStep& step, const std::string& schedule,
                             ScheduleKind recorded = ScheduleKind::unknown);

} // namespace rankscope
