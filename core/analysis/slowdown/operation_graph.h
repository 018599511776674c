// SPDX-License-Identifier: GPL-3.0-or-later
// What had to happen before what among the operations of a training step, and how long each took.
//
// All pipelines of a job (data-parallel ranks) and all its steps run the same operations in the same order, so there is
// one structure, with the times of each pipeline and step beside it. Dependencies are those of Lin et al. (OSDI '25).
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/message.h"
#include "core/trace/run.h"

namespace rankscope {

struct OperationNode {
    static constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};
    std::uint32_t type = 0; ///< index in OperationGraph::types
    int stage = 0;
    std::int32_t sequence = 0;      ///< among those of its type on its stage
    std::uint32_t group = kNoGroup; ///< operations that end when the last of them has started, and then some
};

struct OperationType {
    std::string name;
    bool communication = false; ///< the ideal is the median, else the mean
    std::int64_t left_out = 0;  ///< operations of it that no dependency is known of
};

struct OperationSync {
    std::vector<std::uint32_t> members; ///< nodes
    bool all_pipelines = false;
};

/// An instance is a pipeline in a step: step * pipelines.size() + pipeline.
struct OperationGraph {
    Message unavailable; ///< why there is none
    std::vector<OperationType> types;
    std::vector<OperationNode> nodes;
    std::vector<std::uint32_t> first_dependency; ///< of each node, one more at the end
    std::vector<std::uint32_t> dependencies;     ///< nodes that end before
    std::vector<OperationSync> groups;
    std::vector<std::uint32_t> order; ///< nodes, so that each comes behind what it depends on
    std::vector<int> pipelines;       ///< data-parallel ranks
    int stages = 0;
    std::vector<std::int64_t> steps;
    std::int64_t left_out_steps = 0;
    std::vector<std::uint32_t> rank; ///< by pipeline, then stage: index in Run::ranks

    std::vector<double> duration; ///< ns, by node, then instance; of a communication since its last member started
    std::vector<double> measured; ///< ns, by step: from the first start to the last end

    [[nodiscard]] std::size_t instances() const { return steps.size() * pipelines.size(); }
};

OperationGraph operation_graph(const Run& run, std::span<const std::vector<ProfilerStep>> steps);

/// How long each step takes with these durations (as OperationGraph::duration), ns, every operation as soon as what it
/// depends on has ended.
std::vector<double> replay_steps(const OperationGraph& graph, std::span<const double> duration);
/// Mean of them.
double mean_replayed_step(const OperationGraph& graph, std::span<const double> duration);

/// Durations as they would be if all operations of a type were equally long, by node (as OperationGraph::nodes).
std::vector<double> ideal_durations(const OperationGraph& graph);

} // namespace rankscope
