// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages of a pipeline compute for their microbatches.
#include "core/analysis/usual/stage_work.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/graph/graph_changes.h"

namespace rankscope {
namespace {

/// On the clock of each rank, by rank and number of the step.
using EndsOfPasses = std::map<std::pair<std::uint32_t, std::int64_t>, TimeNs>;

/// GPU work of the passes in the step that the node is in.
bool is_in_passes(const RankTrace& rank, const StepGraph& graph, const EndsOfPasses& ends, std::uint32_t node,
                  EventIndex work) {
    const GraphStep* const step = graph.step_of(node);
    if (graph.profiler_steps && step == nullptr)
        return false;
    const auto end = ends.find({graph.rank[node], step == nullptr ? 0 : step->number});
    return end == ends.end() || rank.events.start[work] < end->second;
}

void add_nodes(const RankTrace& rank, std::uint32_t index, const StepGraph& graph, const EndsOfPasses& ends,
               StageWork& work) {
    for (std::uint32_t n = graph.first_node[index]; n < graph.first_gpu_node[index]; ++n) {
        const EventIndex launched = graph.kind[n] == NodeKind::launch ? rank.events.link[graph.event[n]] : kNoEvent;
        if (launched != kNoEvent && rank.events.kind[launched] == EventKind::kernel &&
            is_in_passes(rank, graph, ends, n, launched))
            work.launches.push_back(n);
    }
    for (std::uint32_t n = graph.first_gpu_node[index]; n < graph.first_node[index + 1]; ++n)
        if (graph.kind[n] == NodeKind::compute && is_in_passes(rank, graph, ends, n, graph.event[n]))
            work.nodes.push_back(n);
}

double mean_of(const std::map<int, double>& by_stage) {
    double sum = 0;
    for (const auto& [stage, time] : by_stage)
        sum += time;
    return by_stage.empty() ? 0 : sum / static_cast<double>(by_stage.size());
}

} // namespace

StageWork stage_work(const Run& run, const StepGraph& graph, const PipelineAnalysis& pipeline,
                     const GraphTimes& times) {
    StageWork work;
    const std::vector<int>& stages = pipeline.stages;
    if (stages.size() != run.ranks.size() || std::ranges::any_of(stages, [](int stage) { return stage < 0; }))
        return work;
    EndsOfPasses ends;
    for (const StepBubble& step : pipeline.steps)
        ends[{step.rank, step.step}] = step.passes_end;
    std::map<int, double> ranks;
    for (std::uint32_t r = 0; r < stages.size(); ++r) {
        add_nodes(*run.ranks[r], r, graph, ends, work);
        ++ranks[stages[r]];
    }
    for (const std::uint32_t n : work.nodes) {
        const int stage = stages[graph.rank[n]];
        work.compute[stage] += static_cast<double>(times.duration[n]) / ranks[stage];
    }
    for (const std::uint32_t n : work.launches) {
        const int stage = stages[graph.rank[n]];
        work.host[stage] += static_cast<double>(host_time(graph, times, n)) / ranks[stage];
    }
    work.mean = mean_of(work.compute);
    work.mean_host = mean_of(work.host);
    return work;
}

void StageWork::spread_evenly(const StepGraph& graph, const std::vector<int>& stages, int stage,
                              GraphTimes& times) const {
    for (const std::uint32_t n : nodes) {
        const int own = stages[graph.rank[n]];
        const double time = compute.at(own);
        if (time > 0 && (stage < 0 || own == stage))
            times.duration[n] = std::llround(static_cast<double>(times.duration[n]) * mean / time);
    }
    for (const std::uint32_t n : launches) {
        const int own = stages[graph.rank[n]];
        const double time = host.at(own);
        if (time > 0 && (stage < 0 || own == stage))
            set_time(graph, n, std::llround(static_cast<double>(host_time(graph, times, n)) * mean_host / time), times);
    }
}

} // namespace rankscope
