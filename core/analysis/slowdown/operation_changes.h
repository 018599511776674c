// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to the durations of an operation graph: what its scenarios are made of.
#pragma once
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/slowdown/operation_graph.h"

namespace rankscope {

/// Each as OperationGraph::duration.
using OperationTimes = std::vector<double>;

/// Nodes of which the condition holds: times the factor.
void scale_operations(const OperationGraph& graph, const std::function<bool(const OperationNode&)>& which,
                      double factor, OperationTimes& times);
/// A forward or backward pass, or a part of one.
bool is_pass_type(std::string_view type);
bool is_pass(const OperationGraph& graph, const OperationNode& node);
/// Passes of each stage, all steps and data-parallel ranks together, ns.
std::vector<double> passes_of_stages(const OperationGraph& graph, const OperationTimes& times);
/// By what a stage's passes must be multiplied to take as long as those of the mean stage; 1 of a stage without any.
std::vector<double> factors_to_mean_stage(const OperationGraph& graph, const OperationTimes& times);

/// What a worker (index in OperationGraph::pipelines, stage) computes in a step, and the median of the other pipelines'
/// workers of its stage, ns. There must be others.
struct WorkerCompute {
    double own = 0;
    double others = 0;
};
/// By step, as OperationGraph::steps. which: of types, those that count.
std::vector<WorkerCompute> compute_beside_others(const OperationGraph& graph, const OperationTimes& times,
                                                 std::size_t pipeline, int stage,
                                                 const std::function<bool(const OperationType&)>& which);
/// Sum over these steps (index in OperationGraph::steps), of each type that computes (index in OperationGraph::types).
std::vector<std::pair<std::uint32_t, WorkerCompute>> compute_by_type(const OperationGraph& graph,
                                                                     const OperationTimes& times, std::size_t pipeline,
                                                                     int stage, const std::vector<std::size_t>& steps);
/// In these steps the worker computes as long as the others of its stage, type by type.
void even_worker(const OperationGraph& graph, std::size_t pipeline, int stage, const std::vector<std::size_t>& steps,
                 OperationTimes& times);

} // namespace rankscope
