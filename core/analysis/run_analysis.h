// SPDX-License-Identifier: GPL-3.0-or-later
// All analyses of one run under one selection, each computed once, on first use, and shared by the window, the tables
// and the exports: they cannot disagree. Thread-safe. A new analysis is one member, one accessor, one line of .cpp.
#pragma once
#include <memory>
#include <vector>

#include "core/analysis/ccl_bench.h"
#include "core/analysis/clock_alignment.h"
#include "core/analysis/collective_summaries.h"
#include "core/analysis/collectives.h"
#include "core/analysis/gpu_timeline.h"
#include "core/analysis/hta_analysis.h"
#include "core/analysis/idle_causes.h"
#include "core/analysis/inferred_steps.h"
#include "core/analysis/kernel_table.h"
#include "core/analysis/launches.h"
#include "core/analysis/lazy.h"
#include "core/analysis/memory_use.h"
#include "core/analysis/operators.h"
#include "core/analysis/pipeline_bubble.h"
#include "core/analysis/selection.h"
#include "core/analysis/step_account.h"
#include "core/analysis/step_graph.h"
#include "core/analysis/straggler.h"
#include "core/analysis/traffic.h"

namespace rankscope {

struct Findings;
struct Hang;

/// What is known of one rank under the selection.
struct RankAnalysis {
    const RankTrace* trace = nullptr;
    std::vector<GpuSlice> gpu_work;
    std::vector<ProfilerStep> steps;
    GpuTimeline timeline;
    GpuTimeline linked_timeline; ///< only events with an arrow from their launch (TraceLens's default)
};

class RunAnalysis {
public:
    RunAnalysis(std::shared_ptr<const Run> run, Selection selection, Align align = Align::automatic);
    ~RunAnalysis();

    [[nodiscard]] const Run& run() const { return *run_; }
    [[nodiscard]] const std::shared_ptr<const Run>& run_pointer() const { return run_; }
    [[nodiscard]] const Selection& selection() const { return selection_; }

    /// Computes whatever all metrics share, one analysis after the other, each on all cores. Left to the metrics, which
    /// run side by side, most threads would wait for the one that came first.
    void compute_shared() const;

    /// One entry per rank, in the order of Run::ranks.
    [[nodiscard]] const std::vector<RankAnalysis>& ranks() const;
    [[nodiscard]] const std::vector<std::vector<KernelStatistics>>& kernel_tables() const;
    [[nodiscard]] const std::vector<InferredSteps>& inferred_steps() const;
    [[nodiscard]] const std::vector<CclBenchCounts>& ccl_bench() const;

    [[nodiscard]] const std::vector<std::vector<StreamIdle>>& idle_causes() const;
    [[nodiscard]] const std::vector<LaunchAnalysis>& launches() const;
    [[nodiscard]] const std::vector<MemoryUse>& memory() const;
    [[nodiscard]] const std::vector<OperatorAnalysis>& operators() const;

    [[nodiscard]] const CollectiveMatching& collectives() const;
    [[nodiscard]] const ClockAlignment& clock() const;
    [[nodiscard]] const StragglerAnalysis& stragglers() const;
    [[nodiscard]] const CollectiveSummaries& collective_summaries() const;
    [[nodiscard]] const TrafficAnalysis& traffic() const;
    [[nodiscard]] const PipelineAnalysis& pipeline() const;
    [[nodiscard]] const StepAccount& steps() const;
    [[nodiscard]] const StepGraph& step_graph() const;
    [[nodiscard]] const Findings& findings() const; ///< core/analysis/findings.h
    /// Who did not come, of a run of Flight Recorder dumps (core/analysis/hang.h); nullptr for other runs.
    [[nodiscard]] const Hang* hang() const;

    [[nodiscard]] const HtaAnalysis& hta() const;           ///< HTA as run: last step dropped
    [[nodiscard]] const HtaAnalysis& hta_with_last() const; ///< include_last_profiler_step
    [[nodiscard]] const std::vector<TemporalBreakdown>& hta_breakdowns() const { return hta().breakdowns; }
    [[nodiscard]] const std::vector<TemporalBreakdown>& hta_breakdowns_with_last() const {
        return hta_with_last().breakdowns;
    }

private:
    std::shared_ptr<const Run> run_;
    Selection selection_;
    Align align_;
    Lazy<std::vector<RankAnalysis>> ranks_;
    Lazy<std::vector<std::vector<KernelStatistics>>> kernel_tables_;
    Lazy<std::vector<InferredSteps>> inferred_steps_;
    Lazy<std::vector<CclBenchCounts>> ccl_bench_;
    Lazy<std::vector<std::vector<StreamIdle>>> idle_causes_;
    Lazy<std::vector<LaunchAnalysis>> launches_;
    Lazy<std::vector<MemoryUse>> memory_;
    Lazy<std::vector<OperatorAnalysis>> operators_;
    Lazy<CollectiveMatching> collectives_;
    Lazy<ClockAlignment> clock_;
    Lazy<StragglerAnalysis> stragglers_;
    Lazy<CollectiveSummaries> collective_summaries_;
    Lazy<TrafficAnalysis> traffic_;
    Lazy<PipelineAnalysis> pipeline_;
    Lazy<StepAccount> steps_;
    Lazy<StepGraph> step_graph_;
    Lazy<std::shared_ptr<const Findings>> findings_;
    Lazy<std::shared_ptr<const Hang>> hang_;
    Lazy<HtaAnalysis> hta_;
    Lazy<HtaAnalysis> hta_with_last_;
};

} // namespace rankscope
