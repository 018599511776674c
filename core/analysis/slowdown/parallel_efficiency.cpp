// SPDX-License-Identifier: GPL-3.0-or-later
// Factors of parallel efficiency, from recorded computation and a replay on a network that takes no time.
#include "core/analysis/slowdown/parallel_efficiency.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/graph/step_ranges.h"
#include "core/analysis/graph/step_time.h"
#include "core/analysis/slowdown/operation_graph.h"
#include "core/base/work_count.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

constexpr std::array kTimes{&EfficiencyTimes::mean_useful, &EfficiencyTimes::max_useful, &EfficiencyTimes::ideal,
                            &EfficiencyTimes::length};

/// One step on the aligned clock, as recorded, and how long it takes with transfers that take no time.
struct StepOnNetworks {
    TimeRange range;
    double ideal = 0;
};
using StepsOnNetworks = std::map<std::int64_t, StepOnNetworks>;

/// The last end of a rank's GPU work, and of the calls it is in.
template <typename EndOf>
TimeNs end_of_work(const StepGraph& graph, std::uint32_t rank, EndOf end_of) {
    TimeNs end = std::numeric_limits<TimeNs>::min();
    for (std::uint32_t n = graph.first_gpu_node[rank]; n < graph.first_node[rank + 1]; ++n)
        end = std::max(end, end_of(graph.transfer_of[n] == kNoNode ? n : graph.transfer_of[n]));
    return end;
}

/// From the first start of a step's first rank, or the end of the step before on the GPU, until all hosts and GPUs are
/// through with it. Without profiler steps: all that is recorded.
template <typename StartOf, typename EndOf>
std::map<std::int64_t, TimeRange> step_spans(const StepGraph& graph, StartOf start_of, EndOf end_of) {
    std::map<std::int64_t, TimeRange> spans;
    for (const GraphStep& step : graph.steps) {
        const TimeNs begin =
            gpu_is_ready(step, step.begin == kNoNode ? step.range.begin : start_of(step.begin), end_of);
        TimeNs end = begin;
        for (const std::uint32_t node : step.last_work)
            end = std::max(end, end_of(node));
        end = std::max(end, step.end == kNoNode ? end_of_work(graph, step.rank, end_of) : start_of(step.end));
        const auto [at, added] = spans.try_emplace(step.number, TimeRange{begin, end});
        at->second = {std::min(at->second.begin, begin), std::max(at->second.end, end)};
    }
    TimeNs before = std::numeric_limits<TimeNs>::min();
    for (auto& [number, span] : spans) {
        span.begin = std::max(span.begin, before);
        span.end = std::max(span.end, span.begin);
        before = span.end;
    }
    return spans;
}

/// By step: when all ranks that have it were in it. Empty ranges where they were not at one time.
std::map<std::int64_t, TimeRange> common_times(const StepGraph& graph) {
    std::map<std::int64_t, TimeRange> times;
    for (const GraphStep& step : graph.steps) {
        const auto [at, added] = times.try_emplace(step.number, step.range);
        at->second = {std::max(at->second.begin, step.range.begin), std::min(at->second.end, step.range.end)};
    }
    return times;
}

StepsOnNetworks steps_of_graph(const StepGraph& graph) {
    GraphTimes times = graph.times;
    for (std::uint32_t node = 0; node < graph.size(); ++node)
        if (graph.kind[node] == NodeKind::transfer || graph.kind[node] == NodeKind::message)
            times.duration[node] = 0;
    ReplayedTimes replayed;
    replay(graph, times, replayed);
    const auto recorded = step_spans(
        graph, [&](std::uint32_t n) { return graph.start[n]; }, [&](std::uint32_t n) { return graph.end(n); });
    const auto ideal = step_spans(
        graph, [&](std::uint32_t n) { return replayed.start(n); }, [&](std::uint32_t n) { return replayed.end(n); });
    const auto common = common_times(graph);
    StepsOnNetworks steps;
    for (const auto& [number, span] : recorded)
        if (!span.empty() && !common.at(number).empty())
            steps[number] = {span, static_cast<double>(ideal.at(number).length())};
    return steps;
}

/// Operation timelines say themselves which operation belongs to which step; what lies between operations is kept.
StepsOnNetworks steps_of_operations(const Run& run, const OperationGraph& graph) {
    std::vector<double> without_transfers = graph.duration;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        if (graph.nodes[node].group != OperationNode::kNoGroup)
            std::fill_n(without_transfers.begin() + static_cast<std::ptrdiff_t>(node * graph.instances()),
                        graph.instances(), 0.0);
    const std::vector<double> own = replay_steps(graph, graph.duration);
    const std::vector<double> ideal = replay_steps(graph, without_transfers);
    std::map<std::int64_t, TimeRange> ranges;
    for (const std::uint32_t r : graph.rank)
        for (const ProfilerStep& step : run.ranks[r]->steps) {
            const auto [at, added] = ranges.try_emplace(step.number, step.range);
            at->second = {std::min(at->second.begin, step.range.begin), std::max(at->second.end, step.range.end)};
        }
    StepsOnNetworks steps;
    for (std::size_t s = 0; s < graph.steps.size(); ++s)
        if (const TimeRange range = ranges.at(graph.steps[s]); !range.empty())
            steps[graph.steps[s]] = {range, static_cast<double>(range.length()) - own[s] + ideal[s]};
    return steps;
}

/// Computation of a rank on its own clock.
IntervalSet useful_times(const RankAnalysis& rank) {
    std::vector<TimeRange> ranges;
    for (const GpuSlice& slice : rank.gpu_work)
        if (slice.kernel_class == KernelClass::compute)
            ranges.push_back(slice.range);
    return merge(std::move(ranges));
}

/// From the outermost dimension on: the place with most against what it is part of, each the mean of its ranks that are
/// traced and compute. sums: useful time of each rank (as Run::ranks).
std::vector<DimensionBalance> balance_by_dimension(const Run& run, const std::vector<double>& sums,
                                                   const std::vector<std::uint32_t>& ranks) {
    std::vector<DimensionBalance> result;
    double outer = 0;
    for (const std::uint32_t r : ranks)
        outer += sums[r] / static_cast<double>(ranks.size());
    int inner_ranks = run.world_size;
    std::size_t outer_places = 1;
    for (const auto& [dimension, size] : mesh_of(parallelism_of(run.config), run.world_size)) {
        inner_ranks /= size;
        std::map<int, std::pair<double, double>> of_place; // sum, ranks
        for (const std::uint32_t r : ranks) {
            auto& [sum, count] = of_place[run.ranks[r]->rank / inner_ranks];
            sum += sums[r];
            ++count;
        }
        const auto mean = [](const auto& place) { return place.second.first / place.second.second; };
        const auto most = std::ranges::max_element(of_place, {}, mean);
        if (of_place.size() > outer_places && mean(*most) > 0)
            result.push_back({dimension, size, outer / mean(*most), most->first % size});
        outer_places = of_place.size();
        outer = mean(*most);
    }
    return result;
}

} // namespace

ParallelEfficiency parallel_efficiency(const EfficiencyInputs& inputs) {
    count_work("parallel_efficiency");
    ParallelEfficiency result;
    std::vector<std::uint32_t> ranks; // with GPU work
    for (std::uint32_t r = 0; r < inputs.ranks.size(); ++r)
        if (!inputs.ranks[r].gpu_work.empty())
            ranks.push_back(r);
    if (ranks.size() < 2) {
        result.unavailable = "needs the GPU work of two ranks at least"_text;
        return result;
    }
    StepsOnNetworks steps;
    ClockAlignment clock;
    if (inputs.run.source == TraceSource::operations) {
        const OperationGraph graph = operation_graph(inputs.run, inputs.steps);
        if (!graph.unavailable.empty()) {
            result.unavailable = graph.unavailable;
            return result;
        }
        steps = steps_of_operations(inputs.run, graph);
    } else {
        if (inputs.graph.size() == 0) {
            result.unavailable = "needs a step graph: GPU work inside the selected steps"_text;
            return result;
        }
        steps = steps_of_graph(inputs.graph);
        if (steps.empty()) {
            result.unavailable = "needs ranks that are recorded at the same time"_text;
            return result;
        }
        clock = inputs.graph.clock;
    }
    const auto ideal_over_length = inputs.ideal_over_length();
    if (!ideal_over_length) {
        result.unavailable = ideal_over_length.error();
        return result;
    }
    // What a rank did in a step that it did not record is not known.
    std::vector<std::set<std::int64_t>> numbers(inputs.steps.size());
    for (std::size_t r = 0; r < numbers.size(); ++r)
        for (const ProfilerStep& step : inputs.steps[r])
            numbers[r].insert(step.number);
    const auto all_have = [&](std::int64_t number) {
        return std::ranges::all_of(
            ranks, [&](std::uint32_t r) { return numbers[r].empty() || numbers[r].contains(number); });
    };
    if (std::ranges::any_of(steps, [&](const auto& step) { return all_have(step.first); }))
        std::erase_if(steps, [&](const auto& step) { return !all_have(step.first); });
    std::vector<double> sums(inputs.ranks.size());
    std::vector<IntervalSet> useful;
    for (const RankAnalysis& rank : inputs.ranks)
        useful.push_back(useful_times(rank));
    for (const auto& [number, step] : steps) {
        StepEfficiency efficiency{number, {}, 0};
        for (const std::uint32_t r : ranks) {
            const TimeRange own = clock.recorded(r, step.range);
            const auto time = static_cast<double>(covered(useful[r], own));
            sums[r] += time;
            efficiency.times.mean_useful += time / static_cast<double>(ranks.size());
            if (time > efficiency.times.max_useful) {
                efficiency.times.max_useful = time;
                efficiency.busiest = r;
            }
        }
        if (efficiency.times.max_useful <= 0)
            continue; // nothing was computed in it
        efficiency.times.length = static_cast<double>(step.range.length());
        // No network makes a step shorter than its computation.
        efficiency.times.ideal = std::clamp(step.ideal, efficiency.times.max_useful, efficiency.times.length);
        result.steps.push_back(efficiency);
    }
    if (result.steps.empty()) {
        result.unavailable = "needs steps in which the GPU computes"_text;
        return result;
    }
    // Of a run without profiler steps all that is recorded is one.
    const double repetitions =
        inputs.graph.repetitions > 1
            ? result.steps.front().times.length / mean_step_time(inputs.graph, inputs.graph.start, inputs.graph.times)
            : 1;
    for (StepEfficiency& step : result.steps)
        for (const auto time : kTimes)
            step.times.*time /= repetitions;
    for (double& sum : sums)
        sum /= repetitions;
    const auto count = static_cast<double>(result.steps.size());
    for (const StepEfficiency& step : result.steps)
        for (const auto time : kTimes)
            result.mean.*time += step.times.*time / count;
    // The replay of single steps does not know what holds up a host that runs ahead: the prediction of the mean does.
    const double ideal =
        std::clamp(*ideal_over_length * result.mean.length, result.mean.max_useful, result.mean.length);
    for (StepEfficiency& step : result.steps)
        step.times.ideal =
            std::clamp(step.times.ideal * ideal / result.mean.ideal, step.times.max_useful, step.times.length);
    result.mean.ideal = ideal;
    for (double& sum : sums)
        sum /= count;
    result.useful = std::accumulate(sums.begin(), sums.end(), 0.0);
    result.busiest = static_cast<std::uint32_t>(std::ranges::max_element(sums) - sums.begin());
    result.dimensions = balance_by_dimension(inputs.run, sums, ranks);
    return result;
}

} // namespace rankscope
