// SPDX-License-Identifier: GPL-3.0-or-later
// Which function computes which analysis of a run.
#include "core/run/run_analysis.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/collectives/cut_calls.h"
#include "core/analysis/collectives/link_fits.h"
#include "core/analysis/delays/late_waits.h"
#include "core/analysis/findings/findings.h"
#include "core/analysis/graph/graph_parts.h"
#include "core/analysis/graph/parallel_threads.h"
#include "core/analysis/hang/hang.h"
#include "core/analysis/memory/snapshot_memory.h"
#include "core/analysis/memory/snapshot_words.h"
#include "core/analysis/slowdown/graph_slowdown.h"
#include "core/analysis/steps/step_windows.h"
#include "core/analysis/usual/usual_times.h"
#include "core/base/work_count.h"
#include "core/run/path_known.h"
#include "core/trace/digest_facts.h"
#include "core/trace/recorded.h"
#include "core/trace/step_ends.h"

#include <fmt/format.h>
#include <tbb/parallel_invoke.h>

namespace rankscope {
namespace {

/// What of the work runs from that time on.
std::vector<GpuSlice> work_from(std::span<const GpuSlice> work, TimeNs from) {
    std::vector<GpuSlice> rest;
    for (GpuSlice slice : work) {
        slice.range.begin = std::max(slice.range.begin, from);
        if (slice.range.begin <= slice.range.end)
            rest.push_back(slice);
    }
    return rest;
}

RankAnalysis analyse_rank(const Run& run, const RankTrace& rank, const Selection& selection,
                          const KernelClassRules& classes) {
    RankAnalysis result;
    result.trace = &rank;
    result.gpu_work = select_gpu_work(run, rank, selection, classes.classes_of(rank));
    result.steps = select_steps(run, rank, selection);
    const std::optional<TimeNs> queued_until = end_of_queued_work(rank);
    if (queued_until && !result.gpu_work.empty() && result.gpu_work.front().range.begin < *queued_until &&
        std::ranges::any_of(result.gpu_work, [&](const GpuSlice& s) { return s.range.begin >= *queued_until; }))
        result.queued_until = queued_until;
    const GpuTimeline all = gpu_timeline(result.gpu_work);
    result.timeline = result.queued_until ? gpu_timeline(work_from(result.gpu_work, *result.queued_until)) : all;
    std::vector<GpuSlice> linked;
    for (const GpuSlice& slice : result.gpu_work)
        if (has_launch_arrow(rank, slice.event))
            linked.push_back(slice);
    result.linked_timeline = linked.size() == result.gpu_work.size() ? all : gpu_timeline(linked);
    return result;
}

/// Those that say what was not judged.
std::array<Message*, 3> texts_of(Findings& findings) {
    return {&findings.summary, &findings.headline, &findings.beside_head};
}

} // namespace

RunAnalysis::RunAnalysis(std::shared_ptr<const Run> run, Selection selection, Align align, AnalysisRules rules)
    : run_(std::move(run)), asked_(std::move(selection)), align_(align), rules_(std::move(rules)) {}
RunAnalysis::~RunAnalysis() = default;

const Selection& RunAnalysis::selection() const {
    return selection_.get([this] {
        Selection selection = asked_;
        if (!selection.time || selection.clock) // or it is part of a run whose clocks are known
            return selection;
        if (selection.time->end >= kOpenEnd)
            selection.time->end = length();
        auto known = std::make_shared<RunClock>();
        known->first_event = first_event();
        for (std::size_t r = 0; r < run_->ranks.size(); ++r)
            known->ahead[run_->ranks[r]->rank] = clock().offset[r];
        selection.clock = std::move(known);
        return selection;
    });
}

TimeRange RunAnalysis::extent() const {
    return extent_.get([this] {
        if (!clock().applied)
            return run_->span;
        TimeRange extent{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
        for (std::size_t r = 0; r < run_->ranks.size(); ++r) {
            const RankTrace& rank = *run_->ranks[r];
            if (rank.events.size() > 0)
                extent = {std::min(extent.begin, rank.span.begin - clock().offset[r]),
                          std::max(extent.end, rank.span.end - clock().offset[r])};
        }
        return extent.begin > extent.end ? run_->span : extent;
    });
}

TimeNs RunAnalysis::first_event() const { return extent().begin; }

TimeNs RunAnalysis::length() const { return extent().length(); }

TimeNs RunAnalysis::since_start(std::size_t rank, TimeNs recorded) const {
    return recorded - clock().offset[rank] - first_event();
}

std::vector<std::span<const GpuSlice>> RunAnalysis::gpu_work() const {
    std::vector<std::span<const GpuSlice>> work;
    for (const RankAnalysis& rank : ranks())
        work.emplace_back(rank.gpu_work);
    return work;
}

/// A time range holds a step whole on one rank of a job and cuts it, or lacks it, on another: it counts on none.
static void keep_steps_of_all(std::vector<RankAnalysis>& ranks) {
    std::map<int, std::map<std::int64_t, std::size_t>> ranks_with; // by job and number
    std::map<int, std::size_t> ranks_of;                           // those that have steps
    for (const RankAnalysis& rank : ranks) {
        ranks_of[rank.trace->job] += rank.trace->steps.empty() ? 0 : 1;
        std::set<std::int64_t> numbers;
        for (const ProfilerStep& step : rank.steps)
            numbers.insert(step.number);
        for (const std::int64_t number : numbers)
            ++ranks_with[rank.trace->job][number];
    }
    for (RankAnalysis& rank : ranks) {
        const int job = rank.trace->job;
        std::erase_if(rank.steps,
                      [&](const ProfilerStep& step) { return ranks_with[job][step.number] < ranks_of[job]; });
    }
}

const std::vector<RankAnalysis>& RunAnalysis::ranks() const {
    return ranks_.get([this] {
        std::vector<RankAnalysis> ranks = per_rank<RankAnalysis>(
            *run_, [this](const RankTrace& rank,
                          std::size_t) { return analyse_rank(*run_, rank, selection(), rules_.classes); });
        if (selection().time)
            keep_steps_of_all(ranks);
        return ranks;
    });
}

const std::vector<std::vector<IterationRow>>& RunAnalysis::iteration_tables() const {
    return iteration_tables_.get([this] {
        return per_rank<std::vector<IterationRow>>(
            *run_, [this](const RankTrace&, std::size_t rank) { return iteration_table(ranks()[rank]); });
    });
}

const std::vector<std::vector<KernelStatistics>>& RunAnalysis::kernel_tables() const {
    return kernel_tables_.get([this] {
        return per_rank<std::vector<KernelStatistics>>(
            *run_, [this](const RankTrace& rank,
                          std::size_t i) { return kernel_table(rank, ranks()[i].gpu_work, rules_.classes); });
    });
}

const std::vector<InferredSteps>& RunAnalysis::inferred_steps() const {
    return inferred_steps_.get([this] {
        auto steps = per_rank<InferredSteps>(
            *run_,
            [this](const RankTrace& rank, std::size_t i) {
                // What repeats in a range that holds none of the marked steps is no step.
                const bool none_selected = ranks()[i].steps.empty() && !rank.steps.empty();
                return none_selected ? InferredSteps{} : infer_steps(rank, ranks()[i].gpu_work);
            });
        agree_on_steps(*run_, ranks(), steps);
        return steps;
    });
}

const std::vector<CclBenchCounts>& RunAnalysis::ccl_bench() const {
    return ccl_bench_.get([this] {
        return per_rank<CclBenchCounts>(
            *run_, [](const RankTrace& rank, std::size_t) { return ccl_bench_counts(rank); });
    });
}

const std::vector<std::vector<StreamIdle>>& RunAnalysis::idle_causes() const {
    return idle_causes_.get([this] {
        return per_rank<std::vector<StreamIdle>>(
            *run_,
            [this](const RankTrace& rank, std::size_t i) { return rankscope::idle_causes(rank, ranks()[i].gpu_work); });
    });
}

const std::vector<LaunchAnalysis>& RunAnalysis::launches() const {
    return launches_.get([this] {
        return per_rank<LaunchAnalysis>(
            *run_,
            [this](const RankTrace& rank, std::size_t i) { return analyse_launches(rank, ranks()[i].gpu_work); });
    });
}

const std::vector<MemoryUse>& RunAnalysis::memory() const {
    return memory_.get([this] {
        return per_rank<MemoryUse>(
            *run_, [this](const RankTrace& rank,
                          std::size_t i) { return analyse_memory(*run_, rank, selection(), ranks()[i].gpu_work); });
    });
}

const SnapshotMemory& RunAnalysis::snapshot_memory() const {
    return *snapshot_memory_.get([this] { return std::make_shared<const SnapshotMemory>(analyse_snapshots(*run_)); });
}

const std::vector<OperatorAnalysis>& RunAnalysis::operators() const {
    return operators_.get([this] {
        return per_rank<OperatorAnalysis>(
            *run_,
            [this](const RankTrace& rank, std::size_t i) { return analyse_operators(rank, ranks()[i].gpu_work); });
    });
}

const std::vector<OperatorRow>& RunAnalysis::leaves() const {
    return leaves_.get([this] { return pooled_rows(*run_, operators(), &OperatorAnalysis::leaves); });
}

const std::vector<OperatorRow>& RunAnalysis::modelled() const {
    return modelled_.get([this] { return pooled_rows(*run_, operators(), &OperatorAnalysis::modelled); });
}

const std::vector<std::vector<ServedStep>>& RunAnalysis::served_steps() const {
    return served_steps_.get([this] {
        return per_rank<std::vector<ServedStep>>(
            *run_,
            [this](const RankTrace& rank, std::size_t) {
                return rankscope::served_steps(*run_, rank, selection(), rules_.classes.classes_of(rank));
            });
    });
}

const std::vector<std::vector<StepLayers>>& RunAnalysis::step_layers() const {
    return step_layers_.get([this] {
        return per_rank<std::vector<StepLayers>>(
            *run_,
            [this](const RankTrace& rank, std::size_t r) {
                return rankscope::step_layers(rank, served_steps()[r], rules_.classes.classes_of(rank));
            });
    });
}

const GraphAnalysis& RunAnalysis::graphs() const {
    return graphs_.get([this] { return analyse_graphs(*run_, gpu_work()); });
}

const ModuleAnalysis& RunAnalysis::modules() const {
    return modules_.get([this] { return analyse_modules(*run_, selection(), gpu_work()); });
}

const CollectiveMatching& RunAnalysis::collectives() const {
    return collectives_.get([this] { return match_collectives(*run_, gpu_work()); });
}

namespace {

/// A report of Nsight Systems is of one machine.
bool have_one_clock(const Run& run) {
    const auto file_of = [](const RankTrace& rank) { return rank.digest ? rank.digest->source.path : rank.file; };
    return !run.ranks.empty() && std::ranges::all_of(run.ranks, [&](const auto& rank) {
        return rank->source == TraceSource::nsys && file_of(*rank) == file_of(*run.ranks.front());
    });
}

} // namespace

const ClockAlignment& RunAnalysis::clock() const {
    return clock_.get([this] {
        if (!recorded(*run_).times) { // there are no clocks to compare
            ClockAlignment as_laid_out;
            as_laid_out.offset.assign(run_->ranks.size(), 0);
            return as_laid_out;
        }
        if (align_ == Align::automatic && have_one_clock(*run_)) {
            ClockAlignment one;
            one.offset.assign(run_->ranks.size(), 0);
            return one;
        }
        // A range may hold too few calls to align by; and what it holds depends on the clocks.
        if (asked_.time)
            return RunAnalysis(run_, {}, align_, rules_).clock();
        ClockAlignment by_collectives = align_clocks(collectives(), run_->ranks.size(), align_);
        return align_ == Align::none ? by_collectives : joined_by_messages(collectives(), std::move(by_collectives));
    });
}

const CallTable& RunAnalysis::call_table() const {
    return call_table_.get([this] { return time_collectives(*run_, collectives(), clock()); });
}

const StragglerAnalysis& RunAnalysis::stragglers() const {
    return stragglers_.get([this] {
        if (!selection().time)
            return find_stragglers(collectives(), call_table());
        std::vector<TimeRange> windows;
        for (const auto& rank : run_->ranks)
            windows.push_back(selection().window(*run_, rank->rank));
        return find_stragglers(collectives(), call_table(), cut_calls(collectives(), windows));
    });
}

const CollectiveSummaries& RunAnalysis::collective_summaries() const {
    return collective_summaries_.get([this] { return summarise_collectives(*run_, collectives(), call_table()); });
}

const TrafficAnalysis& RunAnalysis::traffic() const {
    return traffic_.get([this] { return analyse_traffic(*run_, collectives(), profiler_steps()); });
}

const LinkFits& RunAnalysis::link_fits() const {
    return *link_fits_.get(
        [this] { return std::make_shared<const LinkFits>(fit_links(*run_, collectives(), call_table())); });
}

const PipelineAnalysis& RunAnalysis::pipeline() const {
    return pipeline_.get([this] { return analyse_pipeline(*run_, collectives(), traffic(), gpu_work()); });
}

std::int64_t RunAnalysis::repetitions() const {
    std::int64_t most = 1;
    if (std::ranges::all_of(ranks(), [](const RankAnalysis& rank) { return rank.steps.empty(); }))
        for (const InferredSteps& inferred : inferred_steps()) // the last one is recorded, but not among them
            most = std::max(most, static_cast<std::int64_t>(inferred.steps.size()) + 1);
    return most;
}

const StepGraph& RunAnalysis::step_graph() const {
    return step_graph_.get([this] {
        const GraphParts parts = graph_parts(
            selection(), ranks(), repetitions() > 1 ? std::span(inferred_steps()) : std::span<const InferredSteps>());
        return build_step_graph(
            *run_, parts.work, parts.steps, collectives(),
            align_ == Align::none || !recorded(*run_).times ? clock() : joined_by_messages(collectives(), clock()),
            parts.repetitions);
    });
}

const std::vector<std::vector<TimeRange>>& RunAnalysis::step_windows() const {
    return step_windows_.get([this] {
        std::vector<std::vector<TimeRange>> windows;
        for (const RankAnalysis& rank : ranks()) {
            windows.push_back(rankscope::step_windows(*rank.trace, rank.gpu_work, rank.steps));
            if (has_engine_steps(*rank.trace))
                windows.back() =
                    engine_step_windows(served_steps()[windows.size() - 1], rank.steps, std::move(windows.back()));
        }
        return windows;
    });
}

const StepAccount& RunAnalysis::steps() const {
    return steps_.get([this] {
        return account_steps(
            {*run_, ranks(), step_windows(), inferred_steps(), collectives(), clock(), traffic(), pipeline()});
    });
}

StepAccount RunAnalysis::steps_of(const std::vector<std::vector<std::size_t>>& chosen) const {
    return account_steps(
        {*run_, ranks(), step_windows(), inferred_steps(), collectives(), clock(), traffic(), pipeline(), &chosen});
}

const Facts& RunAnalysis::facts() const {
    return facts_.get([this] {
        const JudgedPart& part = judged_part();
        if (!part.analysis)
            return read_facts({*run_, ranks(), steps(), machines(), stragglers(), pipeline(), kernel_tables(),
                               selection().time.has_value()});
        Facts facts = part.analysis->facts();
        for (RankFacts& rank : facts.ranks)
            rank.index = part.kept[rank.index];
        for (HostFact& host : facts.host)
            host.longest_rank = part.kept[host.longest_rank];
        if (facts.unseen_members == UnseenMembers::no_trace &&
            (run_->untraced_ranks() == 0 || !has_untraced_members(*run_, collectives())))
            facts.unseen_members = UnseenMembers::not_judged;
        return facts;
    });
}

const std::optional<LateRank>& RunAnalysis::late_rank() const {
    if (const JudgedPart& part = judged_part(); part.analysis)
        return part.analysis->late_rank();
    return late_rank_.get([this] {
        return recorded(*run_).gpu_work && step_graph().partners_known()
                   ? rankscope::late_rank(ranks(), stragglers(), step_graph(), computation_by_step(), peer_times(),
                                          late_waits(), compared_waiting())
                   : std::nullopt;
    });
}

const WorkOfSteps& RunAnalysis::work_of_steps() const {
    return work_of_steps_.get([this] { return rankscope::work_of_steps(*run_, step_graph()); });
}

const std::vector<std::vector<double>>& RunAnalysis::computation_by_step() const {
    return computation_by_step_.get([this] { return rankscope::computation_by_step(step_graph()); });
}

bool RunAnalysis::threads_in_parallel() const {
    return threads_in_parallel_.get([this] { return share_of_parallel_calls(*run_) > kMuchInParallel; });
}

const Machines& RunAnalysis::machines() const {
    return machines_.get([this] { return Machines(*run_, rules_.gpus_per_machine); });
}

const std::vector<CommunicationNode>& RunAnalysis::communication() const {
    return communication_.get(
        [this] { return communication_nodes(*run_, step_graph(), collectives(), traffic(), machines()); });
}

const KernelsInPlace& RunAnalysis::kernels_in_place() const {
    return kernels_in_place_.get([this] { return rankscope::kernels_in_place(*run_, step_graph()); });
}

const ExpertRounds& RunAnalysis::expert_rounds() const {
    return expert_rounds_.get(
        [this] { return rankscope::expert_rounds(*run_, step_graph(), collectives(), kernels_in_place()); });
}

const std::vector<int>& RunAnalysis::peer_stages() const {
    return peer_stages_.get([this] { return rankscope::peer_stages(*run_, collectives(), pipeline()); });
}

const PeerTimes& RunAnalysis::peer_times() const {
    return peer_times_.get([this] {
        if (step_graph().size() == 0)
            return PeerTimes{};
        return rankscope::peer_times(*run_, step_graph(), work_of_steps(), peer_stages(), kernels_in_place(),
                                     beside_communication().comparable(step_graph(), expert_rounds().even),
                                     overlap_with_communication(step_graph()));
    });
}

const Waiting& RunAnalysis::waiting() const {
    return waiting_.get([this] {
        Waiting result = compared_waiting();
        if (const Findings& told = findings(); told.origins.size() == result.origins.size())
            result.origins = told.origins;
        // Nor is it known what held up a rank that is not judged.
        std::vector<bool> unjudged(run_->ranks.size());
        for (const UnjudgedRanks& some : unjudged_ranks())
            for (const std::size_t r : some.ranks)
                unjudged[r] = true;
        for (std::size_t r = 0; r < result.ranks.size(); ++r)
            if (unjudged[r]) {
                for (const auto* charged : {&result.ranks[r].direct, &result.ranks[r].passed_on})
                    result.unexplained += std::accumulate(charged->begin(), charged->end(), TimeNs{0});
                result.ranks[r] = {};
            }
        for (WaitOrigin& origin : result.origins)
            if (origin.rank != kNoNode && unjudged[origin.rank])
                origin.rank = origin.shown_by = origin.before = kNoNode;
        return result;
    });
}

const Waiting& RunAnalysis::compared_waiting() const {
    return compared_waiting_.get([this] {
        const StepGraph& graph = step_graph();
        if (graph.size() == 0)
            return Waiting{};
        count_work("waiting");
        return blame_waiting(graph, usual_times(*run_, graph, peer_times(), communication(), collectives()));
    });
}

const BesideCommunication& RunAnalysis::beside_communication() const {
    return beside_communication_.get(
        [this] { return step_graph().size() == 0 ? BesideCommunication() : BesideCommunication(*run_, step_graph()); });
}

const LateWaits& RunAnalysis::late_waits() const {
    return late_waits_.get([this] {
        const StepGraph& graph = step_graph();
        if (graph.size() == 0)
            return LateWaits();
        return rankscope::late_waits(graph, peer_times(), collectives(), graph.start, graph.times);
    });
}

/// The path of a run that holds some of the ranks only, as one of the run that holds all. kept: which these are. clock:
/// of the path; that of graph aligns the whole run.
static CriticalPath of_more_ranks(CriticalPath path, std::span<const std::uint32_t> kept, const ClockAlignment& clock,
                                  const StepGraph& graph) {
    for (PathSpan& span : path.spans) {
        const TimeRange recorded = clock.recorded(span.rank, span.range);
        span.rank = kept[span.rank];
        span.range = graph.clock.aligned(span.rank, recorded);
    }
    if (!path.spans.empty())
        path.window = {path.spans.front().range.begin, path.spans.back().range.end};
    std::vector<TimeNs> by_rank(graph.first_node.size() - 1);
    for (std::size_t r = 0; r < path.by_rank.size(); ++r)
        by_rank[kept[r]] = path.by_rank[r];
    path.by_rank = std::move(by_rank);
    return path;
}

const std::vector<CriticalPath>& RunAnalysis::critical_paths() const {
    return critical_paths_.get([this] {
        std::vector<CriticalPath> paths;
        if (!why_no_critical_path(*this).empty())
            return paths;
        if (const JudgedPart& part = judged_part(); part.analysis && !part.left_out.empty()) {
            const ClockAlignment& clock = part.analysis->step_graph().clock;
            for (CriticalPath path : part.analysis->critical_paths())
                paths.push_back(of_more_ranks(std::move(path), part.kept, clock, step_graph()));
            return paths;
        }
        const NumberedSteps steps(step_graph());
        for (const std::int64_t step : graph_step_numbers(step_graph()))
            if (auto path = critical_path(*run_, steps, step))
                paths.push_back(std::move(*path));
        return paths;
    });
}

std::vector<std::vector<ProfilerStep>> RunAnalysis::profiler_steps() const {
    std::vector<std::vector<ProfilerStep>> steps;
    for (const RankAnalysis& rank : ranks())
        steps.push_back(rank.steps);
    return steps;
}

const StragglerSlowdown& RunAnalysis::straggler_slowdown() const {
    return straggler_slowdown_.get([this] {
        if (const JudgedPart& part = judged_part(); part.analysis) {
            StragglerSlowdown slowdown = part.analysis->straggler_slowdown();
            for (WorkerSlowdown& worker : slowdown.by_worker)
                worker.rank = part.kept[worker.rank];
            return slowdown;
        }
        if (run_->source == TraceSource::operations)
            return slowdown_of_operations(*run_, profiler_steps());
        return slowdown_of_graph(*run_, step_graph(), threads_in_parallel(), collectives(), communication(),
                                 pipeline().stages);
    });
}

const ParallelEfficiency& RunAnalysis::parallel_efficiency() const {
    return parallel_efficiency_.get([this] {
        if (const JudgedPart& part = judged_part(); part.analysis) {
            ParallelEfficiency efficiency = part.analysis->parallel_efficiency();
            efficiency.busiest = part.kept[efficiency.busiest];
            for (StepEfficiency& step : efficiency.steps)
                step.busiest = part.kept[step.busiest];
            return efficiency;
        }
        const auto ideal_over_length = [this]() -> tl::expected<double, Message> {
            Change without_transfers;
            without_transfers.kind = ChangeKind::communication;
            without_transfers.factor = 0;
            const Prediction ideal = predict({&without_transfers, 1}).front();
            if (!ideal.unavailable.empty())
                return tl::unexpected(ideal.unavailable);
            return ideal.measured > 0 ? ideal.predicted / ideal.measured : 1;
        };
        return rankscope::parallel_efficiency({*run_, ranks(), step_graph(), profiler_steps(), ideal_over_length});
    });
}

const RunAnalysis::JudgedPart& RunAnalysis::judged_part() const {
    return judged_part_.get([this] {
        JudgedRun judged = judged_run(*run_);
        if (!judged.run)
            return JudgedPart{nullptr, std::move(judged.kept), std::move(judged.left_out), {}};
        UnjudgedSteps steps = unjudged_steps(*judged.run, selection());
        JudgedPart part{nullptr, std::move(judged.kept), std::move(judged.left_out), std::move(steps)};
        if (part.whole())
            return part;
        Selection kept = selection();
        if (!part.steps.empty()) {
            kept.iterations.clear();
            for (const std::int64_t number : part.steps.kept)
                kept.iterations.emplace_back(number, number);
        }
        part.analysis = std::make_unique<const RunAnalysis>(std::move(judged.run), std::move(kept), align_, rules_);
        return part;
    });
}

const RunAnalysis& RunAnalysis::judged() const {
    const JudgedPart& part = judged_part();
    return part.analysis ? *part.analysis : *this;
}

const RunAnalysis& RunAnalysis::of_judged_ranks() const {
    const JudgedPart& part = judged_part();
    if (!part.analysis || part.left_out.empty())
        return *this;
    if (part.steps.empty())
        return *part.analysis;
    return *judged_ranks_.get(
        [&] { return std::make_unique<const RunAnalysis>(part.analysis->run_, asked_, align_, rules_); });
}

std::vector<int> RunAnalysis::judged_ranks() const {
    std::vector<int> numbers;
    for (const std::uint32_t rank : judged_part().kept)
        numbers.push_back(run_->ranks[rank]->rank);
    std::ranges::sort(numbers);
    return numbers;
}

FindingInputs RunAnalysis::finding_inputs() const {
    return {*run_,
            machines(),
            idle_causes(),
            collectives(),
            clock(),
            stragglers(),
            late_rank(),
            late_waits(),
            compared_waiting(),
            pipeline(),
            step_graph(),
            communication(),
            expert_rounds(),
            peer_times(),
            steps(),
            work_of_steps(),
            computation_by_step(),
            beside_communication(),
            threads_in_parallel(),
            facts(),
            [this]() -> const StragglerSlowdown* {
                const StragglerSlowdown& slowdown = straggler_slowdown();
                return slowdown.unavailable.empty() ? &slowdown : nullptr;
            }};
}

const Hang* RunAnalysis::hang() const {
    return hang_.get([this] { return find_hang(*run_); }).get();
}

bool RunAnalysis::tells_lost_work(const JudgedPart& part) {
    return !part.steps.lost_work.empty() ||
           std::ranges::find(part.left_out, UnjudgedRanks::Why::lost_work, &UnjudgedRanks::why) != part.left_out.end();
}

Findings RunAnalysis::judged_findings() const {
    if (const Hang* known = hang()) { // dumps say why a job hangs, and nothing of how it ran
        Findings none;
        none.healthy = false;
        none.headline = none.summary = hang_headline(*known);
        return none;
    }
    const JudgedPart& part = judged_part();
    if (part.whole()) {
        if (!only_work_of_steps(selection(), ranks()) ||
            !std::ranges::all_of(ranks(), [](const RankAnalysis& rank) { return rank.steps.empty(); }))
            return find_findings(finding_inputs());
        Findings none;
        none.healthy = false;
        none.headline = none.summary =
            "The time range holds no whole step: causes and costs are told of whole steps."_text();
        none.judged.not_judged = {none.summary};
        return none;
    }
    Findings of_the_rest;
    if (part.analysis)
        of_the_rest = part.analysis->judged_findings();
    else
        of_the_rest.healthy = false;
    of_the_rest.origins.clear(); // of the calls between the ranks that were judged
    for (Finding& finding : of_the_rest.list)
        for (FindingEvent& event : finding.events)
            event.rank = part.kept[event.rank];
    std::vector<Message> reasons;
    for (const UnjudgedRanks& ranks : part.left_out)
        reasons.push_back(why_not_judged(*run_, ranks));
    if (!part.steps.empty())
        reasons.push_back(why_not_judged(part.steps));
    std::vector<Message>& not_judged = of_the_rest.judged.not_judged;
    not_judged.insert(not_judged.begin(), reasons.begin(), reasons.end());
    for (Message* text : texts_of(of_the_rest))
        for (const Message& reason : reasons) {
            if (!text->empty())
                *text += ' ';
            *text += reason;
        }
    return of_the_rest;
}

/// That memory ran out is said first, then what could not be read, then all the rest.
const Findings& RunAnalysis::findings() const {
    return findings_.get([this] {
        Findings findings = judged_findings();
        std::vector<Message> missing = {what_is_unread(*run_)};
        if (hang() == nullptr && !tells_lost_work(judged_part()))
            missing.push_back(what_is_lost(*run_));
        const auto say_first = [&](Message told) {
            told += ' ';
            for (Message* text : texts_of(findings)) {
                Message all = told;
                *text = all += *text;
            }
        };
        for (const Message& told : missing) {
            if (told.empty())
                continue;
            findings.judged.not_judged.push_back(told);
            say_first(told);
        }
        if (const Message out = out_of_memory_sentence(*run_, snapshot_memory()); !out.empty()) // it ended the job
            say_first(out);
        return findings;
    });
}

std::vector<Prediction> RunAnalysis::predict(std::span<const Change> changes) const {
    if (const JudgedPart& part = judged_part(); part.analysis)
        return part.analysis->predict(changes);
    if (ends_early())
        return each_and_together(changes, [](std::span<const Change> some) {
            Prediction none;
            for (const Change& change : some)
                none.changes.push_back(change.text);
            none.unavailable = "what was recorded ends early: what a step takes is not known"_text();
            return none;
        });
    return rankscope::predict(finding_inputs(), findings(), changes);
}

const HtaAnalysis& RunAnalysis::hta() const {
    return hta_.get([this] { return hta_analysis(*run_, false); });
}

const HtaAnalysis& RunAnalysis::hta_with_last() const {
    return hta_with_last_.get([this] { return hta_analysis(*run_, true); });
}

void RunAnalysis::compute_shared() const {
    std::ignore = stragglers(); // with ranks(), collectives() and clock()
    // None of these asks for what another one computes; the serial stretches of one run beside the parallel ones of the
    // others.
    tbb::parallel_invoke(
        [this] {
            std::ignore = collective_summaries();
            std::ignore = pipeline(); // with traffic()
        },
        [this] {
            std::ignore = hta();
            std::ignore = hta_with_last();
        },
        [this] {
            std::ignore = idle_causes();
            std::ignore = operators();
            std::ignore = ccl_bench();
            std::ignore = launches();
            std::ignore = memory();
            std::ignore = kernel_tables();
        });
}

} // namespace rankscope
