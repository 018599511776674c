// SPDX-License-Identifier: GPL-3.0-or-later
// What findings and predictions read of a run, all of it under one selection.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "core/analysis/collectives/machines.h"
#include "core/analysis/collectives/straggler.h"
#include "core/analysis/delays/rank_spread.h"
#include "core/analysis/delays/waiting.h"
#include "core/analysis/facts/facts.h"
#include "core/analysis/gpu/idle_causes.h"
#include "core/analysis/graph/beside_communication.h"
#include "core/analysis/graph/communication_nodes.h"
#include "core/analysis/graph/step_graph.h"
#include "core/analysis/pipeline/pipeline_bubble.h"
#include "core/analysis/slowdown/straggler_slowdown.h"
#include "core/analysis/steps/step_account.h"
#include "core/analysis/usual/expert_rounds.h"
#include "core/analysis/usual/peer_times.h"
#include "core/analysis/usual/work_of_steps.h"

namespace rankscope {

struct FindingInputs {
    const Run& run;
    const Machines& machines;
    const std::vector<std::vector<StreamIdle>>& idle_causes; ///< by rank
    const CollectiveMatching& collectives;
    const ClockAlignment& clock;
    const StragglerAnalysis& stragglers;
    const std::optional<LateRank>& late_rank;
    const LateWaits& late_waits; ///< as recorded
    const Waiting& waiting;      ///< of step_graph
    const PipelineAnalysis& pipeline;
    const StepGraph& step_graph;
    const std::vector<CommunicationNode>& communication; ///< of step_graph
    const ExpertRounds& experts;                         ///< of step_graph
    const PeerTimes& peers;                              ///< of step_graph
    const StepAccount& steps;
    const WorkOfSteps& work;                                     ///< of step_graph
    const std::vector<std::vector<double>>& computation_by_step; ///< of step_graph
    const BesideCommunication& beside;                           ///< of step_graph
    bool threads_in_parallel; ///< of a rank: the host's line in step_graph is none (parallel_threads.h)
    const Facts& facts;
    std::function<const StragglerSlowdown*()> straggler_slowdown; ///< of the metric; nullptr where it has no value
};

/// What a step takes, ns: what the graph tells (of_graph: its mean_step_time()), or, where the graph does not know the
/// program's steps because no launches are recorded, what they take by their marks (facts).
double told_step(const FindingInputs& inputs, double of_graph);

} // namespace rankscope
