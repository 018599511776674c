// SPDX-License-Identifier: GPL-3.0-or-later
// Passes by their annotations.
#include "core/analysis/whatif/pass_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/analysis/pipeline/marked_passes.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// Sums of a rank over all its steps, ns.
struct RankSums {
    std::array<double, 4> time{}; ///< by PassKind
    std::set<std::int64_t> microbatches;
    std::size_t forwards = 0;
};

using StepSpans = std::map<std::int64_t, TimeRange>; ///< by number of the step: the passes of all ranks

void extend(StepSpans& spans, std::int64_t number, TimeRange range) {
    const auto [at, added] = spans.try_emplace(number, range);
    at->second = {std::min(at->second.begin, range.begin), std::max(at->second.end, range.end)};
}

RankSums sums_of(const FindingInputs& inputs, std::uint32_t rank, std::span<const TimeNs> start,
                 const GraphTimes& times, StepSpans& spans) {
    const StepGraph& graph = inputs.step_graph;
    const auto steps = std::ranges::equal_range(graph.steps, rank, {}, &GraphStep::rank);
    const std::vector<MarkedPass> passes = marked_passes(*inputs.run.ranks[rank]);
    std::vector<std::optional<TimeRange>> computes(passes.size()); // from the first computation of a pass to its last
    for (std::uint32_t n = graph.first_gpu_node[rank]; n < graph.first_node[rank + 1]; ++n) {
        if (graph.kind[n] != NodeKind::compute)
            continue;
        for (const GraphEdge& edge : graph.edges_of(n)) {
            const MarkedPass* pass = edge.kind == EdgeKind::launch
                                         ? pass_at(passes, graph.clock.recorded(rank, graph.start[edge.from]))
                                         : nullptr;
            if (pass == nullptr || pass->actions.size() > 1) // of two together nobody tells what each takes
                continue;
            std::optional<TimeRange>& range = computes[static_cast<std::size_t>(pass - passes.data())];
            const TimeRange own{start[n], start[n] + times.duration[n]};
            range = range ? TimeRange{std::min(range->begin, own.begin), std::max(range->end, own.end)} : own;
            if (graph.profiler_steps && graph.step[n] < steps.size())
                extend(spans, steps[graph.step[n]].number, own);
        }
    }
    RankSums sums;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        if (!computes[i])
            continue;
        const PipelineAction& action = passes[i].actions.front();
        sums.time[static_cast<std::size_t>(action.kind)] += static_cast<double>(computes[i]->length());
        sums.microbatches.insert(action.microbatch);
        sums.forwards += action.kind == PassKind::forward ? 1 : 0;
    }
    return sums;
}

/// How often the rank's recording holds a step.
std::int64_t steps_of(const StepGraph& graph, std::uint32_t rank) {
    return graph.profiler_steps ? std::max<std::int64_t>(1, std::ranges::count(graph.steps, rank, &GraphStep::rank))
                                : graph.repetitions;
}

} // namespace

PassTimes pass_times(const FindingInputs& inputs, std::span<const TimeNs> start, const GraphTimes& times) {
    PassTimes result;
    const PipelineAnalysis& pipeline = inputs.pipeline;
    const auto stop = [&](Message why) {
        result.unavailable = std::move(why);
        return result;
    };
    if (!pipeline.unavailable.empty())
        return stop(pipeline.unavailable);
    const int stages = pipeline.stages.empty() ? 0 : *std::ranges::max_element(pipeline.stages) + 1;
    if (stages < 2 || std::ranges::min(pipeline.stages) < 0)
        return stop("the stages of the pipeline are not known"_text());
    if (pipeline.schedule == ScheduleKind::unknown)
        return stop("which schedule ran is not known"_text());
    result.stages.resize(static_cast<std::size_t>(stages));
    result.program.resize(static_cast<std::size_t>(stages));
    std::vector<double> ranks(result.stages.size());
    std::set<std::int64_t> microbatches;
    StepSpans spans;
    for (std::uint32_t r = 0; r < pipeline.stages.size(); ++r) {
        const RankSums sums = sums_of(inputs, r, start, times, spans);
        if (sums.microbatches.empty() || sums.forwards == 0)
            return stop("needs annotations of passes (\"Forward 0\", \"Backward 0\", ... or \"PP:0F0\")"_text());
        const auto stage = static_cast<std::size_t>(pipeline.stages[r]);
        // All recorded passes of a microbatch through a rank belong together, whatever part of the model each is.
        const double count =
            static_cast<double>(sums.microbatches.size()) * static_cast<double>(steps_of(inputs.step_graph, r));
        const auto of = [&](PassKind kind) { return sums.time[static_cast<std::size_t>(kind)] / count; };
        StagePasses& own = result.stages[stage];
        own.forward += of(PassKind::forward);
        const double parts = of(PassKind::backward_input) + of(PassKind::backward_weight);
        own.backward += of(PassKind::backward) + parts;
        own.weight += of(PassKind::backward_weight);
        result.weights_known = result.weights_known || own.weight > 0;
        ++ranks[stage];
        microbatches.insert(sums.microbatches.begin(), sums.microbatches.end());
        if (r < pipeline.actions.size() && result.program[stage].empty())
            result.program[stage] = pipeline.actions[r];
    }
    for (std::size_t s = 0; s < result.stages.size(); ++s) {
        StagePasses& stage = result.stages[s];
        stage.forward /= ranks[s];
        stage.backward /= ranks[s];
        stage.weight = result.weights_known ? stage.weight / ranks[s] : stage.backward / 2;
    }
    result.microbatches = static_cast<int>(microbatches.size());
    result.chunks = static_cast<int>(std::lround(pipeline.chunks.value_or(1)));
    for (const auto& [number, range] : spans)
        result.span += static_cast<double>(range.length()) / static_cast<double>(spans.size());
    std::vector<TimeNs> messages;
    for (const CommunicationNode& node : inputs.communication)
        if (node.dimension == ParallelDimension::pp && !node.lone)
            messages.push_back(times.duration[node.node]);
    result.message = messages.empty() ? 0 : static_cast<double>(middle_median(messages));
    if (std::ranges::any_of(result.program, [](const auto& rank) { return rank.empty(); })) {
        auto program = scheduled_program(pipeline.schedule, stages, result.chunks, result.microbatches);
        if (!program)
            return stop("the order of the recorded passes is not known"_text());
        result.program = std::move(*program);
    }
    return result;
}

std::optional<PipelineProgram> scheduled_program(ScheduleKind kind, int ranks, int chunks, int microbatches) {
    const bool rounds = microbatches >= ranks && microbatches % ranks == 0;
    switch (kind) {
    case ScheduleKind::gpipe: return gpipe_program(ranks, microbatches);
    case ScheduleKind::one_f_one_b: return one_f_one_b_program(ranks, microbatches);
    case ScheduleKind::interleaved:
        return rounds && chunks > 1 ? std::optional(interleaved_program(ranks, chunks, microbatches)) : std::nullopt;
    case ScheduleKind::zero_bubble:
        return rounds || chunks == 1 ? std::optional(zero_bubble_program(ranks, chunks, microbatches)) : std::nullopt;
    case ScheduleKind::dualpipe:
        return ranks % 2 == 0 && microbatches % 2 == 0 && microbatches >= 2 * ranks
                   ? std::optional(dualpipe_program(ranks, microbatches))
                   : std::nullopt;
    case ScheduleKind::dualpipev:
        return microbatches >= 2 * ranks ? std::optional(dualpipev_program(ranks, microbatches)) : std::nullopt;
    case ScheduleKind::unknown: break;
    }
    return std::nullopt;
}

std::optional<double> program_time(const PassTimes& passes, const PipelineProgram& program) {
    // Part s of the model in the new cut is as dense as the recorded part in its middle; rank r holds the recorded
    // parts r, r + ranks ...
    int parts = 1;
    for (const auto& rank : program)
        for (const PipelineAction& action : rank)
            parts = std::max(parts, action.stage + 1);
    const auto ranks = static_cast<int>(passes.stages.size());
    const int recorded = ranks * passes.chunks;
    const auto time_of = [](const StagePasses& stage, PassKind kind) {
        switch (kind) {
        case PassKind::forward: return stage.forward;
        case PassKind::backward: return stage.backward;
        case PassKind::backward_weight: return stage.weight;
        case PassKind::backward_input: break;
        }
        return stage.backward - stage.weight;
    };
    /// What an end of the pipeline takes longer than the stages between the ends.
    const auto more_at_end = [&](const StagePasses& end, PassKind kind) {
        std::vector<double> between;
        for (std::size_t s = 1; s + 1 < passes.stages.size(); ++s)
            between.push_back(time_of(passes.stages[s], kind));
        return parts == recorded || between.empty() ? 0 : std::max(0.0, time_of(end, kind) - middle_median(between));
    };
    const auto duration = [&](const PipelineAction& action) {
        const int part = std::clamp((2 * action.stage + 1) * recorded / (2 * parts), 0, recorded - 1);
        const auto stage = static_cast<std::size_t>(part % ranks);
        double all = time_of(passes.stages[stage], action.kind);
        double own = 0;
        if (stage == 0 || stage + 1 == passes.stages.size()) {
            const double more = more_at_end(passes.stages[stage], action.kind);
            all -= more;
            own = action.stage == 0 || action.stage + 1 == parts ? more : 0;
        }
        return all * ranks / parts + own;
    };
    const auto played = play_program(program, duration, passes.message);
    return played ? std::optional(played->length) : std::nullopt;
}

} // namespace rankscope
