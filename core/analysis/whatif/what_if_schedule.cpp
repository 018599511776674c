// SPDX-License-Identifier: GPL-3.0-or-later
// What a step takes with another schedule of the pipeline, or with more microbatches.
#include "core/analysis/whatif/what_if_schedule.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/pipeline/marked_passes.h"
#include "core/analysis/whatif/pass_times.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// What one more microbatch takes: the time from one backward pass to the next of the rank that takes longest, ns. A
/// pipeline that is short of microbatches never gets into its rhythm: then at least what the slowest rank computes, and
/// waits for inside its stage, for one microbatch. 0 when annotations do not tell.
double microbatch_period(const FindingInputs& inputs, std::span<const TimeNs> start, const GraphTimes& times) {
    const StepGraph& graph = inputs.step_graph;
    std::vector<bool> inside_stage(graph.size());
    for (const CommunicationNode& node : inputs.communication) {
        inside_stage[node.node] = node.dimension == ParallelDimension::tp || node.dimension == ParallelDimension::cp ||
                                  node.dimension == ParallelDimension::ep;
    }
    double longest = 0;
    for (std::uint32_t r = 0; r + 1 < graph.first_node.size(); ++r) {
        std::vector<MarkedPass> passes = marked_passes(*inputs.run.ranks[r]);
        std::erase_if(passes, [](const MarkedPass& pass) { return pass.actions.size() > 1; });
        std::vector<std::optional<TimeNs>> first_work(passes.size()); // of each backward pass
        TimeNs work = 0;
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
            for (const GraphEdge& edge : graph.edges_of(n)) {
                const MarkedPass* pass = edge.kind == EdgeKind::launch
                                             ? pass_at(passes, graph.clock.recorded(r, graph.start[edge.from]))
                                             : nullptr;
                if (pass == nullptr)
                    continue;
                const std::uint32_t transfer = graph.transfer_of[n];
                work +=
                    transfer != kNoNode ? (inside_stage[transfer] ? times.duration[transfer] : 0) : times.duration[n];
                if (pass->backward() && graph.kind[n] == NodeKind::compute) {
                    std::optional<TimeNs>& first = first_work[static_cast<std::size_t>(pass - passes.data())];
                    first = std::min(first.value_or(start[n]), start[n]);
                }
            }
        }
        const auto backward = std::ranges::count_if(passes, [](const MarkedPass& pass) { return pass.backward(); });
        std::vector<double> periods;
        std::optional<std::size_t> before; // of those with work
        for (std::size_t i = 0; i < passes.size(); ++i) {
            if (!first_work[i])
                continue;
            if (before && passes[i].actions.front().microbatch == passes[*before].actions.front().microbatch + 1)
                periods.push_back(static_cast<double>(*first_work[i] - *first_work[*before]));
            before = i;
        }
        if (!periods.empty()) {
            longest =
                std::max({longest, upper_median(periods), static_cast<double>(work) / static_cast<double>(backward)});
        }
    }
    return longest;
}

/// A program that is played through must take as long as it was recorded, to this share of it.
constexpr double kPlayedFits = 0.03;

/// One microbatch more takes a stage one forward and one backward pass more.
bool runs_in_rhythm(ScheduleKind kind) {
    return kind == ScheduleKind::unknown || kind == ScheduleKind::gpipe || kind == ScheduleKind::one_f_one_b;
}

std::optional<double> annotated_microbatches(const Run& run) {
    std::optional<double> most;
    for (const MarkedPass& pass : marked_passes(*run.ranks.front()))
        for (const PipelineAction& action : pass.actions)
            most = std::max(most.value_or(0), static_cast<double>(action.microbatch + 1));
    return most;
}

void add_microbatches(const FindingInputs& inputs, const Change& change, std::span<const TimeNs> start,
                      const GraphTimes& times, Prediction& result) {
    const auto now = inputs.pipeline.microbatches ? inputs.pipeline.microbatches : annotated_microbatches(inputs.run);
    const double period = now ? microbatch_period(inputs, start, times) : 0;
    if (period <= 0) {
        result = {result.changes,
                  0,
                  0,
                  {},
                  {},
                  "needs annotations of two microbatches at least (\"Forward 0\", \"Backward 0\", ...)"_text()};
        return;
    }
    result.predicted += (change.microbatches - *now) * period;
    result.work_ratio = change.microbatches / *now;
    result.notes.push_back("%1 microbatches now, one more takes %2 ms"_text(fmt::format("{:.0f}", *now),
                                                                            fmt::format("{:.3f}", period / 1e6)));
    if (inputs.pipeline.stage_count && *now < 2 * *inputs.pipeline.stage_count) {
        result.notes.push_back("fewer than two microbatches a stage do not show the pipeline's rhythm: one may "
                               "take some per cent more"_text());
    }
}

} // namespace

void play_schedule(const FindingInputs& inputs, const Change* schedule, const Change* microbatches,
                   const Replays::Replayed& now, Prediction& result) {
    const PassTimes passes = pass_times(inputs, now.start, now.times);
    const double before = passes.unavailable.empty() ? program_time(passes, passes.program).value_or(0) : 0;
    const double off = before > 0 && passes.span > 0 ? before / passes.span - 1 : 0;
    Message why = passes.unavailable;
    if (why.empty() && std::abs(off) > kPlayedFits) {
        const std::string percent = fmt::format("{:.0f}", 100 * std::abs(off));
        why = off < 0 ? "the recorded passes, played through, take %1 % less than they took: something else sets "
                        "their pace"_text(percent)
                      : "the recorded passes, played through, take %1 % more than they took: something else sets "
                        "their pace"_text(percent);
    }
    if (!why.empty()) {
        if (schedule == nullptr && runs_in_rhythm(inputs.pipeline.schedule))
            return add_microbatches(inputs, *microbatches, now.start, now.times, result);
        result = {result.changes, 0, 0, {}, {}, std::move(why)};
        return;
    }
    const int ranks = static_cast<int>(passes.stages.size());
    const ScheduleKind kind = schedule == nullptr ? inputs.pipeline.schedule : schedule->schedule;
    const int chunks = schedule == nullptr ? passes.chunks : schedule->chunks;
    const int count = microbatches == nullptr ? passes.microbatches : microbatches->microbatches;
    const auto program = scheduled_program(kind, ranks, chunks, count);
    const auto after = program ? program_time(passes, *program) : std::nullopt;
    if (before <= 0 || !after) {
        result = {result.changes,
                  0,
                  0,
                  {},
                  {},
                  chunks > 1 ? "%1 cannot run %2 microbatches on %3 stages with %4 parts of the model each"_text(
                                   Message::word(schedule_name(kind)), count, ranks, chunks)
                             : "%1 cannot run %2 microbatches on %3 stages"_text(Message::word(schedule_name(kind)),
                                                                                 count, ranks)};
        return;
    }
    result.predicted += (*after - before) / (1 + off);
    result.work_ratio = static_cast<double>(count) / passes.microbatches;
    result.notes.push_back("%1 with %2 microbatches now"_text(Message::word(schedule_name(inputs.pipeline.schedule)),
                                                              passes.microbatches));
    result.assumes.push_back(
        "what comes before and after the passes stays as it is; messages take their median"_text());
    if (microbatches != nullptr)
        result.assumes.push_back("each microbatch is as large as now, so that the batch is larger or smaller"_text());
    if (chunks != passes.chunks)
        result.assumes.push_back("the model can be cut into equal parts of what each stage holds now, but for what "
                                 "the first and the last stage have more to do"_text());
    const auto in_parts = [](ScheduleKind one) {
        return one == ScheduleKind::zero_bubble || one == ScheduleKind::dualpipe || one == ScheduleKind::dualpipev;
    };
    if (in_parts(kind) && !passes.weights_known)
        result.assumes.push_back("the weights' part is half of a backward pass"_text());
}

} // namespace rankscope
