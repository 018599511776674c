// SPDX-License-Identifier: GPL-3.0-or-later
// Which schedule a pipeline ran, told by what is recorded; unknown where that tells nothing.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/pipeline/pipeline_actions.h"
#include "core/analysis/pipeline/pipeline_stages.h"

namespace rankscope {

enum class ScheduleKind : std::uint8_t { unknown, gpipe, one_f_one_b, interleaved, zero_bubble, dualpipe, dualpipev };
std::string_view schedule_word(ScheduleKind kind); ///< "1f1b" ..., as the JSON has it
std::string_view schedule_name(ScheduleKind kind); ///< "1F1B", "the interleaved schedule" ..., for sentences

/// What a rank's passes say, over all its steps.
struct RankPasses {
    double backward = 0;                 ///< ns of backward computation
    double after_sending = 0;            ///< of that, what starts after the last message of its step was sent
    bool alternates = false;             ///< a forward pass runs after a backward one
    double turns = 0;                    ///< from forward to backward computation
    std::size_t steps = 0;               ///< with both
    bool known = false;                  ///< forward and backward can be told apart
    std::vector<PipelineAction> actions; ///< of its first whole step; empty where passes are not named one by one
};

struct RecordedSchedule {
    ScheduleKind kind = ScheduleKind::unknown;
    std::optional<double> chunks;       ///< of the model on each stage; 1 unless interleaved
    std::optional<double> stages;       ///< as the configuration says, or as the ranks are seen to be
    std::optional<double> microbatches; ///< likewise
    /// Share of a step that the schedule leaves idle if all stages and microbatches take equally long; none where no
    /// formula holds, or its numbers are not known. Sources: Narayanan et al., "Efficient Large-Scale Language Model
    /// Training on GPU Clusters Using Megatron-LM", section 2.2: (p - 1) / (v m) of the useful time.
    std::optional<double> ideal;
};

/// Messages that lead from the last stage to the first one are those of an interleaved schedule; backward computation
/// after the last gradient was sent is that of weights, which a zero-bubble schedule puts off. stage_count,
/// microbatches: of the configuration. Where it does not say, ranks that are all traced tell the stages, and messages
/// the microbatches: those that the first stage sends to the second one, less those that lead back to it. work: per
/// rank.
RecordedSchedule recorded_schedule(const Run& run, const CollectiveMatching& matching,
                                   std::span<const std::span<const GpuSlice>> work, const PipelineStages& stages,
                                   std::span<const RankPasses> passes, std::optional<double> stage_count,
                                   std::optional<double> microbatches);

} // namespace rankscope
