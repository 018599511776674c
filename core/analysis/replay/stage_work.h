// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages of a pipeline compute for their microbatches, and what it would take if they were even.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "core/analysis/pipeline/pipeline_bubble.h"
#include "core/analysis/replay/step_graph.h"

namespace rankscope {

/// Computation in the passes. What comes after the last backward pass of a step, as the optimizer, is no work for a
/// microbatch.
struct StageWork {
    std::vector<std::uint32_t> nodes; ///< of the graph
    std::map<int, double> compute;    ///< by stage: of one of its ranks on average, ns over all steps
    double mean = 0;                  ///< of the stages; 0 where they are not known

    /// Its nodes take as long as if the stage, or each one (-1), computed as long as the mean one.
    void spread_evenly(const StepGraph& graph, const std::vector<int>& stages, int stage, GraphTimes& times) const;
};
/// times: of the graph, as recorded or of a replay.
StageWork stage_work(const Run& run, const StepGraph& graph, const PipelineAnalysis& pipeline, const GraphTimes& times);

} // namespace rankscope
