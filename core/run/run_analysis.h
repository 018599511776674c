// SPDX-License-Identifier: GPL-3.0-or-later
// All analyses of one run under one selection, each computed once, on first use, and shared by the window, the tables
// and the exports: they cannot disagree. The analyses themselves (core/analysis) know only their inputs; this is the
// one place that says where those come from. Thread-safe. A new analysis is one member, one accessor, one line of .cpp.
#pragma once
#include <memory>
#include <vector>

#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/collectives/collective_summaries.h"
#include "core/analysis/collectives/collectives.h"
#include "core/analysis/collectives/machines.h"
#include "core/analysis/collectives/straggler.h"
#include "core/analysis/collectives/traffic.h"
#include "core/analysis/compat/ccl_bench.h"
#include "core/analysis/compat/hta_analysis.h"
#include "core/analysis/delays/waiting.h"
#include "core/analysis/facts/facts.h"
#include "core/analysis/findings/findings.h"
#include "core/analysis/gpu/graph_replays.h"
#include "core/analysis/gpu/idle_causes.h"
#include "core/analysis/gpu/iteration_table.h"
#include "core/analysis/gpu/kernel_table.h"
#include "core/analysis/gpu/launches.h"
#include "core/analysis/gpu/rank_analysis.h"
#include "core/analysis/graph/beside_communication.h"
#include "core/analysis/graph/critical_path.h"
#include "core/analysis/graph/step_graph.h"
#include "core/analysis/hang/hang.h"
#include "core/analysis/memory/memory_use.h"
#include "core/analysis/operators/modules.h"
#include "core/analysis/operators/operators.h"
#include "core/analysis/pipeline/pipeline_bubble.h"
#include "core/analysis/selection/selection.h"
#include "core/analysis/serving/served_steps.h"
#include "core/analysis/serving/step_layers.h"
#include "core/analysis/slowdown/parallel_efficiency.h"
#include "core/analysis/slowdown/straggler_slowdown.h"
#include "core/analysis/steps/inferred_steps.h"
#include "core/analysis/steps/step_account.h"
#include "core/analysis/usual/peer_stages.h"
#include "core/analysis/usual/work_of_steps.h"
#include "core/analysis/whatif/what_if.h"
#include "core/base/kept_values.h"
#include "core/base/lazy.h"
#include "core/run/analysis_rules.h"
#include "core/run/judged_run.h"

namespace rankscope {

struct SnapshotMemory; // core/analysis/memory/snapshot_memory.h
struct LinkFits;       // core/analysis/collectives/link_fits.h

class RunAnalysis {
public:
    RunAnalysis(std::shared_ptr<const Run> run, Selection selection, Align align = Align::automatic,
                AnalysisRules rules = {});
    ~RunAnalysis();

    [[nodiscard]] const Run& run() const { return *run_; }
    [[nodiscard]] const std::shared_ptr<const Run>& run_pointer() const { return run_; }
    [[nodiscard]] const AnalysisRules& rules() const { return rules_; }
    /// What layers above compute of it once.
    [[nodiscard]] const KeptValues& kept() const { return kept_; }
    /// With a time range: as it was given, no longer than the run, with the clocks of the ranks.
    [[nodiscard]] const Selection& selection() const;
    /// Of all ranks, on the aligned clock: what times that are shown count from, and how long the run is.
    [[nodiscard]] TimeNs first_event() const;
    [[nodiscard]] TimeNs length() const;
    /// A time that a rank (index in Run::ranks) recorded, since the first event of the run.
    [[nodiscard]] TimeNs since_start(std::size_t rank, TimeNs recorded) const;

    /// Computes whatever all metrics share, one analysis after the other, each on all cores. Left to the metrics, which
    /// run side by side, most threads would wait for the one that came first.
    void compute_shared() const;

    /// One entry per rank, in the order of Run::ranks.
    [[nodiscard]] const std::vector<RankAnalysis>& ranks() const;
    [[nodiscard]] const std::vector<std::vector<KernelStatistics>>& kernel_tables() const;
    [[nodiscard]] const std::vector<std::vector<IterationRow>>& iteration_tables() const;
    [[nodiscard]] const std::vector<InferredSteps>& inferred_steps() const;
    [[nodiscard]] const std::vector<CclBenchCounts>& ccl_bench() const;

    [[nodiscard]] const std::vector<std::vector<StreamIdle>>& idle_causes() const;
    [[nodiscard]] const std::vector<LaunchAnalysis>& launches() const;
    [[nodiscard]] const std::vector<MemoryUse>& memory() const;
    [[nodiscard]] const SnapshotMemory& snapshot_memory() const; ///< of memory snapshots
    [[nodiscard]] const std::vector<OperatorAnalysis>& operators() const;
    [[nodiscard]] const std::vector<OperatorRow>& leaves() const;   ///< of all ranks together
    [[nodiscard]] const std::vector<OperatorRow>& modelled() const; ///< likewise: OperatorAnalysis::modelled

    [[nodiscard]] const std::vector<std::vector<ServedStep>>& served_steps() const; ///< of a serving engine, by rank
    [[nodiscard]] const std::vector<std::vector<StepLayers>>& step_layers() const;  ///< of its steps, by rank
    [[nodiscard]] const GraphAnalysis& graphs() const;                              ///< CUDA and HIP graphs
    [[nodiscard]] const ModuleAnalysis& modules() const;

    [[nodiscard]] const CollectiveMatching& collectives() const;
    [[nodiscard]] const ClockAlignment& clock() const; ///< with a time range: of the whole run
    [[nodiscard]] const CallTable& call_table() const;
    [[nodiscard]] const StragglerAnalysis& stragglers() const;
    [[nodiscard]] const CollectiveSummaries& collective_summaries() const;
    [[nodiscard]] const TrafficAnalysis& traffic() const;
    [[nodiscard]] const Machines& machines() const;  ///< which ranks share one
    [[nodiscard]] const LinkFits& link_fits() const; ///< latency and bandwidth of collectives
    [[nodiscard]] const PipelineAnalysis& pipeline() const;
    /// Of each rank's selected profiler steps, what the GPU takes for it (step_windows.h).
    [[nodiscard]] const std::vector<std::vector<TimeRange>>& step_windows() const;
    [[nodiscard]] const StepAccount& steps() const;
    /// Of some iterations only. chosen: by rank, places in steps().windows, ascending; not kept.
    [[nodiscard]] StepAccount steps_of(const std::vector<std::vector<std::size_t>>& chosen) const;
    [[nodiscard]] const Facts& facts() const; ///< of the ranks that can be judged (judged_run.h); of all if none can
    [[nodiscard]] const std::optional<LateRank>& late_rank() const;

    /// Iterations that a run without profiler steps holds; 1 where none are known, and with profiler steps.
    [[nodiscard]] std::int64_t repetitions() const;
    [[nodiscard]] const StepGraph& step_graph() const;
    [[nodiscard]] const WorkOfSteps& work_of_steps() const;                            ///< of step_graph()
    [[nodiscard]] const std::vector<std::vector<double>>& computation_by_step() const; ///< of step_graph()
    [[nodiscard]] const std::vector<int>& peer_stages() const;                         ///< peer_stages.h
    [[nodiscard]] bool threads_in_parallel() const;                            ///< of a rank (parallel_threads.h)
    [[nodiscard]] const std::vector<CommunicationNode>& communication() const; ///< of step_graph()
    [[nodiscard]] const KernelsInPlace& kernels_in_place() const;
    [[nodiscard]] const ExpertRounds& expert_rounds() const;
    [[nodiscard]] const PeerTimes& peer_times() const;
    [[nodiscard]] const BesideCommunication& beside_communication() const; ///< computation that it slows
    [[nodiscard]] const LateWaits& late_waits() const;
    [[nodiscard]] const Waiting& waiting() const; ///< who is to blame for it; origins by findings()
    /// The same, but with the origins that comparing ranks tells: findings() are made from it.
    [[nodiscard]] const Waiting& compared_waiting() const;
    [[nodiscard]] const std::vector<CriticalPath>& critical_paths() const; ///< by step; of judged_ranks()
    [[nodiscard]] const StragglerSlowdown& straggler_slowdown() const;     ///< of judged()
    [[nodiscard]] const ParallelEfficiency& parallel_efficiency() const;   ///< of judged()
    [[nodiscard]] const Findings& findings() const;
    /// Of the ranks and steps that can be judged (judged_run.h), whose indices are those of its own run. The analysis
    /// itself if all can, or none.
    [[nodiscard]] const RunAnalysis& judged() const;
    /// All steps of the ranks that can be judged, whose indices are those of its own run; itself if all can, or none.
    [[nodiscard]] const RunAnalysis& of_judged_ranks() const;
    /// Numbers of the ranks that can be judged (judged_run.h), ascending.
    [[nodiscard]] std::vector<int> judged_ranks() const;
    [[nodiscard]] const std::vector<UnjudgedRanks>& unjudged_ranks() const { return judged_part().left_out; }
    [[nodiscard]] bool ends_early() const { return all_end_early(*run_, unjudged_ranks()); }
    /// Who did not come, of a run of Flight Recorder dumps; nullptr for other runs.
    [[nodiscard]] const Hang* hang() const;
    /// Each change alone and, of several, all together, of the part that is judged, as findings() are; not kept.
    [[nodiscard]] std::vector<Prediction> predict(std::span<const Change> changes) const;

    [[nodiscard]] const HtaAnalysis& hta() const;           ///< HTA as run: last step dropped
    [[nodiscard]] const HtaAnalysis& hta_with_last() const; ///< include_last_profiler_step
    [[nodiscard]] const std::vector<TemporalBreakdown>& hta_breakdowns() const { return hta().breakdowns; }
    [[nodiscard]] const std::vector<TemporalBreakdown>& hta_breakdowns_with_last() const {
        return hta_with_last().breakdowns;
    }

private:
    [[nodiscard]] std::vector<std::span<const GpuSlice>> gpu_work() const; ///< by rank
    /// Of the ranks and steps that can be judged (judged_run.h).
    struct JudgedPart {
        std::unique_ptr<const RunAnalysis> analysis; ///< nullptr: all can be judged, or none
        std::vector<std::uint32_t> kept;             ///< of each of its ranks: index in Run::ranks
        std::vector<UnjudgedRanks> left_out;
        UnjudgedSteps steps;
        [[nodiscard]] bool whole() const { return left_out.empty() && steps.empty(); }
    };
    [[nodiscard]] const JudgedPart& judged_part() const;
    /// Whether the reasons why ranks and steps are left out name GPU work that was lost.
    static bool tells_lost_work(const JudgedPart& part);
    /// Of the ranks and steps that can be judged, and why the others cannot.
    [[nodiscard]] Findings judged_findings() const;
    [[nodiscard]] FindingInputs finding_inputs() const;
    [[nodiscard]] std::vector<std::vector<ProfilerStep>> profiler_steps() const; ///< by rank, those selected

    [[nodiscard]] TimeRange extent() const; ///< first start and last end of all ranks, aligned

    std::shared_ptr<const Run> run_;
    Selection asked_;
    Lazy<Selection> selection_;
    Lazy<TimeRange> extent_;
    Align align_;
    AnalysisRules rules_;
    Lazy<std::vector<RankAnalysis>> ranks_;
    Lazy<std::vector<std::vector<KernelStatistics>>> kernel_tables_;
    Lazy<std::vector<std::vector<IterationRow>>> iteration_tables_;
    Lazy<std::vector<InferredSteps>> inferred_steps_;
    Lazy<std::vector<CclBenchCounts>> ccl_bench_;
    Lazy<std::vector<std::vector<StreamIdle>>> idle_causes_;
    Lazy<std::vector<LaunchAnalysis>> launches_;
    Lazy<std::vector<MemoryUse>> memory_;
    Lazy<std::shared_ptr<const SnapshotMemory>> snapshot_memory_;
    Lazy<std::vector<OperatorAnalysis>> operators_;
    Lazy<std::vector<OperatorRow>> leaves_;
    Lazy<std::vector<OperatorRow>> modelled_;
    Lazy<std::vector<std::vector<ServedStep>>> served_steps_;
    Lazy<std::vector<std::vector<StepLayers>>> step_layers_;
    Lazy<GraphAnalysis> graphs_;
    Lazy<ModuleAnalysis> modules_;
    Lazy<CollectiveMatching> collectives_;
    Lazy<ClockAlignment> clock_;
    Lazy<CallTable> call_table_;
    Lazy<StragglerAnalysis> stragglers_;
    Lazy<CollectiveSummaries> collective_summaries_;
    Lazy<TrafficAnalysis> traffic_;
    Lazy<std::shared_ptr<const LinkFits>> link_fits_;
    Lazy<PipelineAnalysis> pipeline_;
    Lazy<std::vector<std::vector<TimeRange>>> step_windows_;
    Lazy<StepAccount> steps_;
    Lazy<Facts> facts_;
    Lazy<std::optional<LateRank>> late_rank_;
    Lazy<StepGraph> step_graph_;
    Lazy<WorkOfSteps> work_of_steps_;
    Lazy<std::vector<std::vector<double>>> computation_by_step_;
    Lazy<std::vector<int>> peer_stages_;
    Lazy<BesideCommunication> beside_communication_;
    Lazy<bool> threads_in_parallel_;
    Lazy<std::vector<CommunicationNode>> communication_;
    Lazy<KernelsInPlace> kernels_in_place_;
    Lazy<ExpertRounds> expert_rounds_;
    Lazy<PeerTimes> peer_times_;
    Lazy<LateWaits> late_waits_;
    Lazy<Waiting> waiting_;
    Lazy<Waiting> compared_waiting_;
    Lazy<std::vector<CriticalPath>> critical_paths_;
    Lazy<StragglerSlowdown> straggler_slowdown_;
    Lazy<ParallelEfficiency> parallel_efficiency_;
    Lazy<JudgedPart> judged_part_;
    Lazy<std::unique_ptr<const RunAnalysis>> judged_ranks_; ///< where judged_part() leaves out steps as well
    Lazy<Machines> machines_;
    Lazy<Findings> findings_;
    Lazy<std::shared_ptr<const Hang>> hang_;
    Lazy<HtaAnalysis> hta_;
    Lazy<HtaAnalysis> hta_with_last_;
    KeptValues kept_;
};

} // namespace rankscope
