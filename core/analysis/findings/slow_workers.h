// SPDX-License-Identifier: GPL-3.0-or-later
// Which workers of an operation timeline compute longer than the others of their stage. A worker is one stage of one
// pipeline.
//   Stage 1 computes 100, 101, 99 and 140 ms in a step on four pipelines: the worker of the last one has an excess of
//   40 ms, and computes 1.40 times as long as the others.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/slowdown/operation_changes.h"

namespace rankscope {

/// A worker beside the others of its stage.
struct SlowWorker {
    std::size_t pipeline = 0;
    int stage = 0;
    double excess = 0; ///< ns a step, mean over all steps
    double ratio = 1;  ///< in the steps that it is slow in
    Onset onset{};
    std::vector<std::size_t> steps{}; ///< index in OperationGraph::steps
    std::string type{};               ///< that it is alone slow in; empty: all
};

/// Index in Run::ranks.
inline std::uint32_t rank_of_worker(const OperationGraph& graph, std::size_t pipeline, int stage) {
    return graph.rank[pipeline * static_cast<std::size_t>(graph.stages) + static_cast<std::size_t>(stage)];
}

/// Those together that are slow in the same steps; each group, and the groups, by excess.
std::vector<std::vector<SlowWorker>> slow_workers(const FindingContext& context, const OperationGraph& graph,
                                                  const OperationTimes& times);

/// Of one group, without its cost.
Finding slow_workers_finding(const FindingContext& context, const OperationGraph& graph,
                             std::span<const SlowWorker> slow);

} // namespace rankscope
