// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to the durations of operations.
#include "core/analysis/slowdown/operation_changes.h"

#include <numeric>
#include <span>

#include "core/base/statistics.h"
#include "core/trace/operation_timeline.h"

namespace rankscope {

void scale_operations(const OperationGraph& graph, const std::function<bool(const OperationNode&)>& which,
                      double factor, OperationTimes& times) {
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        if (which(graph.nodes[node]))
            for (double& time : std::span(times).subspan(node * graph.instances(), graph.instances()))
                time *= factor;
}

bool is_pass_type(std::string_view type) {
    return type == kForwardCompute || type == kBackwardCompute || type == kWeightGradientCompute;
}

bool is_pass(const OperationGraph& graph, const OperationNode& node) {
    return is_pass_type(graph.types[node.type].name);
}

std::vector<double> passes_of_stages(const OperationGraph& graph, const OperationTimes& times) {
    std::vector<double> sums(static_cast<std::size_t>(graph.stages));
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        if (is_pass(graph, graph.nodes[node]))
            for (const double time : std::span(times).subspan(node * graph.instances(), graph.instances()))
                sums[static_cast<std::size_t>(graph.nodes[node].stage)] += time;
    return sums;
}

std::vector<double> factors_to_mean_stage(const OperationGraph& graph, const OperationTimes& times) {
    std::vector<double> factors = passes_of_stages(graph, times);
    const double mean = std::accumulate(factors.begin(), factors.end(), 0.0) / static_cast<double>(factors.size());
    for (double& of_stage : factors)
        of_stage = of_stage > 0 ? mean / of_stage : 1;
    return factors;
}

std::vector<WorkerCompute> compute_beside_others(const OperationGraph& graph, const OperationTimes& times,
                                                 std::size_t pipeline, int stage,
                                                 const std::function<bool(const OperationType&)>& which) {
    const std::size_t pipelines = graph.pipelines.size();
    std::vector<std::vector<double>> sums(graph.steps.size(), std::vector<double>(pipelines));
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        if (const OperationType& type = graph.types[graph.nodes[node].type];
            graph.nodes[node].stage == stage && !type.communication && which(type))
            for (std::size_t i = 0; i < graph.instances(); ++i)
                sums[i / pipelines][i % pipelines] += times[node * graph.instances() + i];
    std::vector<WorkerCompute> result;
    for (std::vector<double>& step : sums) {
        const double own = step[pipeline];
        step.erase(step.begin() + static_cast<std::ptrdiff_t>(pipeline));
        result.push_back({own, middle_median(std::move(step))});
    }
    return result;
}

std::vector<std::pair<std::uint32_t, WorkerCompute>> compute_by_type(const OperationGraph& graph,
                                                                     const OperationTimes& times, std::size_t pipeline,
                                                                     int stage, const std::vector<std::size_t>& steps) {
    std::vector<std::pair<std::uint32_t, WorkerCompute>> result;
    for (std::uint32_t type = 0; type < graph.types.size(); ++type) {
        if (graph.types[type].communication)
            continue;
        const auto compute = compute_beside_others(
            graph, times, pipeline, stage, [&](const OperationType& each) { return &each == &graph.types[type]; });
        WorkerCompute sum;
        for (const std::size_t step : steps) {
            sum.own += compute[step].own;
            sum.others += compute[step].others;
        }
        if (sum.own > 0)
            result.emplace_back(type, sum);
    }
    return result;
}

void even_worker(const OperationGraph& graph, std::size_t pipeline, int stage, const std::vector<std::size_t>& steps,
                 OperationTimes& times) {
    for (const auto& [type, compute] : compute_by_type(graph, times, pipeline, stage, steps))
        for (std::size_t node = 0; node < graph.nodes.size(); ++node)
            if (graph.nodes[node].stage == stage && graph.nodes[node].type == type)
                for (const std::size_t step : steps)
                    times[node * graph.instances() + step * graph.pipelines.size() + pipeline] *=
                        compute.others / compute.own;
}

} // namespace rankscope
