// SPDX-License-Identifier: GPL-3.0-or-later
// Which schedule a pipeline ran.
#include "core/analysis/pipeline/recorded_schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace rankscope {
namespace {

constexpr double kPutOff = 0.25; ///< of a microbatch's backward computation: what a gradient's send may leave behind

/// Messages of one step that stages send each other, on average over ranks of the stage and steps.
std::map<std::pair<int, int>, double> messages_by_stage(const Run& run, const CollectiveMatching& matching,
                                                        const std::vector<int>& stage) {
    std::map<int, int> stage_of; // by rank number
    std::map<int, int> ranks_of; // by stage
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        stage_of[run.ranks[r]->rank] = stage[r];
        ++ranks_of[stage[r]];
    }
    std::map<std::pair<int, int>, double> messages;
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        const auto steps = static_cast<double>(std::max<std::size_t>(1, rank.steps.size()));
        for (const CommCall& call : matching.calls[r]) {
            const CommGroup& group = matching.groups[call.group];
            if (!group.point_to_point || group.ranks.size() != 2 || group.ranks.front() != rank.rank)
                continue;
            const auto to = stage_of.find(group.ranks.back());
            const bool in_step = rank.steps.empty() || step_of_gpu_event(rank, call.event) != nullptr;
            if (to != stage_of.end() && in_step)
                messages[{stage[r], to->second}] += 1 / steps / ranks_of[stage[r]];
        }
    }
    return messages;
}

} // namespace

std::string_view schedule_word(ScheduleKind kind) {
    constexpr std::array<std::string_view, 5> kWords{"unknown", "gpipe", "1f1b", "interleaved", "zero_bubble"};
    return kWords[static_cast<std::size_t>(kind)];
}

std::string_view schedule_name(ScheduleKind kind) {
    constexpr std::array<std::string_view, 5> kNames{"an unknown schedule", "GPipe", "1F1B", "the interleaved schedule",
                                                     "the zero-bubble schedule"};
    return kNames[static_cast<std::size_t>(kind)];
}

RecordedSchedule recorded_schedule(const Run& run, const CollectiveMatching& matching, const PipelineStages& stages,
                                   std::span<const RankPasses> passes, std::optional<double> stage_count,
                                   std::optional<double> microbatches) {
    RecordedSchedule result;
    if (stages.method == StageMethod::none)
        return result;
    const int last = *std::ranges::max_element(stages.stage);
    const auto messages = messages_by_stage(run, matching, stages.stage);
    const auto count = [&](int from, int to) {
        const auto found = messages.find({from, to});
        return found == messages.end() ? 0 : found->second;
    };
    const double forward = count(0, 1);
    const bool wraps = last > 1 && count(last, 0) > 0;
    // Of two stages each sends the other both activations and gradients: m v + m (v - 1).
    const double of_two = microbatches && last == 1 && *microbatches > 0 ? (forward / *microbatches + 1) / 2 : 1;
    double put_off = 0;
    std::size_t told = 0;
    bool alternates = false;
    for (std::size_t r = 0; r < passes.size(); ++r) {
        if (!passes[r].known)
            continue;
        alternates = alternates || (stages.stage[r] == last && passes[r].alternates);
        if (stages.stage[r] > 0 && passes[r].backward > 0 && forward > 0) {
            ++told;
            put_off += passes[r].after_sending / passes[r].backward;
        }
    }
    put_off = told == 0 ? 0 : put_off / static_cast<double>(told);
    if (wraps || of_two > 1.25) {
        result.kind = ScheduleKind::interleaved;
        if (microbatches && *microbatches > 0)
            result.chunks = std::round(wraps ? forward / *microbatches : of_two);
    } else if (told > 0) {
        const double microbatch = 1 / microbatches.value_or(std::max(1.0, forward));
        result.kind = put_off > kPutOff * microbatch ? ScheduleKind::zero_bubble
                      : alternates                   ? ScheduleKind::one_f_one_b
                                                     : ScheduleKind::gpipe;
        result.chunks = 1;
    }
    const bool formula = result.kind != ScheduleKind::zero_bubble &&
                         (result.kind != ScheduleKind::interleaved || result.chunks.value_or(0) >= 1);
    if (formula && stage_count && microbatches && *microbatches >= 1 && *stage_count >= 1)
        result.ideal = (*stage_count - 1) / (*microbatches * result.chunks.value_or(1) + *stage_count - 1);
    return result;
}

} // namespace rankscope
