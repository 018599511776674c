// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages of a pipeline compute for their microbatches.
#include "core/analysis/replay/stage_work.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rankscope {
namespace {

/// On the clock of each rank, by rank and number of the step.
using EndsOfPasses = std::map<std::pair<std::uint32_t, std::int64_t>, TimeNs>;

void add_nodes(const RankTrace& rank, std::uint32_t index, const StepGraph& graph, const EndsOfPasses& ends,
               std::vector<std::uint32_t>& nodes) {
    for (std::uint32_t n = graph.first_gpu_node[index]; n < graph.first_node[index + 1]; ++n) {
        if (graph.kind[n] != NodeKind::compute)
            continue;
        const GraphStep* const step = graph.step_of(n);
        if (graph.profiler_steps && step == nullptr)
            continue;
        const auto end = ends.find({index, step == nullptr ? 0 : step->number});
        if (end == ends.end() || rank.events.start[graph.event[n]] < end->second)
            nodes.push_back(n);
    }
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
        add_nodes(*run.ranks[r], r, graph, ends, work.nodes);
        ++ranks[stages[r]];
    }
    for (const std::uint32_t n : work.nodes) {
        const int stage = stages[graph.rank[n]];
        work.compute[stage] += static_cast<double>(times.duration[n]) / ranks[stage];
    }
    for (const auto& [stage, time] : work.compute)
        work.mean += time / static_cast<double>(work.compute.size());
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
}

} // namespace rankscope
