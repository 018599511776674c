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

bool is_pass(const OperationGraph& graph, const OperationNode& node) {
    const std::string_view type = graph.types[node.type].name;
    return type == kForwardCompute || type == kBackwardCompute || type == kWeightGradientCompute;
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
                                                 std::size_t pipeline, int stage) {
    const std::size_t pipelines = graph.pipelines.size();
    std::vector<std::vector<double>> sums(graph.steps.size(), std::vector<double>(pipelines));
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        if (graph.nodes[node].stage == stage && !graph.types[graph.nodes[node].type].communication)
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

void scale_worker(const OperationGraph& graph, std::size_t pipeline, int stage, const std::vector<std::size_t>& steps,
                  double factor, OperationTimes& times) {
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        if (graph.nodes[node].stage == stage && !graph.types[graph.nodes[node].type].communication)
            for (const std::size_t step : steps)
                times[node * graph.instances() + step * graph.pipelines.size() + pipeline] *= factor;
}

} // namespace rankscope
