// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages of a pipeline compute for their microbatches, and what it would take if they were even.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "core/analysis/graph/step_graph.h"
#include "core/analysis/pipeline/pipeline_bubble.h"

namespace rankscope {

/// Computation in the passes, and the host's time for its launches: of small kernels, more layers cost a stage that.
/// What comes after the last backward pass of a step, as the optimizer, is no work for a microbatch.
struct StageWork {
    std::vector<std::uint32_t> nodes;    ///< of the graph: computation
    std::vector<std::uint32_t> launches; ///< nodes of the host
    std::map<int, double> compute;       ///< by stage: of one of its ranks on average, ns over all steps
    std::map<int, double> host;          ///< likewise; empty without launches
    double mean = 0;                     ///< of compute; 0 where the stages are not known
    double mean_host = 0;

    /// Its nodes take as long as if the stage, or each one (-1), computed as long as the mean one, and its host took as
    /// long for it.
    void spread_evenly(const StepGraph& graph, const std::vector<int>& stages, int stage, GraphTimes& times) const;
};
/// times: of the graph, as recorded or of a replay.
StageWork stage_work(const Run& run, const StepGraph& graph, const PipelineAnalysis& pipeline, const GraphTimes& times);

} // namespace rankscope
