// SPDX-License-Identifier: GPL-3.0-or-later
// Which workers of an operation timeline compute longer than the others of their stage.
#include "core/analysis/findings/slow_workers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/base/statistics.h"
#include "core/trace/operation_timeline.h"

namespace rankscope {
namespace {

constexpr double kLeastExcess = 0.002;  ///< of a step: what a worker computes longer than the others of its stage
constexpr double kNextToNothing = 0.01; ///< of the longest operation
constexpr std::size_t kWander = 3;      ///< groups of workers, each slow in a step or two: it may be anybody
constexpr double kOneType = 0.8;        ///< of the excess: then the sentence names the type of operation

/// What a worker computes longer than the others of its stage in each step, ns; may be negative.
std::vector<TimeNs> excess_by_step(const OperationGraph& graph, const OperationTimes& times, std::size_t pipeline,
                                   int stage) {
    std::vector<TimeNs> excess;
    for (const WorkerCompute& step :
         compute_beside_others(graph, times, pipeline, stage, [](const OperationType&) { return true; }))
        excess.push_back(std::llround(step.own - step.others));
    return excess;
}

/// Of fewer steps than scatter can be told from: whether the worker's operations take more times those of the
/// others by four standard errors. Operations that are next to nothing do not count.
bool operations_are_longer(const OperationGraph& graph, const OperationTimes& times, std::size_t pipeline, int stage) {
    const std::size_t pipelines = graph.pipelines.size();
    std::vector<WorkerCompute> operations;
    double longest = 0;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        if (graph.nodes[node].stage != stage || graph.types[graph.nodes[node].type].communication)
            continue;
        for (std::size_t step = 0; step < graph.steps.size(); ++step) {
            const auto first = times.begin() + static_cast<std::ptrdiff_t>(node * graph.instances() + step * pipelines);
            std::vector<double> others(first, first + static_cast<std::ptrdiff_t>(pipelines));
            const double own = others[pipeline];
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(pipeline));
            operations.push_back({own, middle_median(std::move(others))});
            longest = std::max(longest, operations.back().others);
        }
    }
    std::erase_if(operations, [&](const WorkerCompute& each) { return each.others <= kNextToNothing * longest; });
    const auto count = static_cast<double>(operations.size());
    double mean = 0;
    for (const WorkerCompute& each : operations)
        mean += (each.own / each.others - 1) / count;
    double squares = 0;
    for (const WorkerCompute& each : operations)
        squares += (each.own / each.others - 1 - mean) * (each.own / each.others - 1 - mean);
    return operations.size() > 1 && mean >= kClearErrors * std::sqrt(squares / (count - 1) / count);
}

/// Each of these steps is at least twice any other: else they are the upper part of what scatters.
bool stands_clear(const std::map<std::int64_t, double>& by_step, const std::set<std::int64_t>& steps) {
    double least = std::numeric_limits<double>::max();
    double most = 0;
    for (const auto& [step, excess] : by_step)
        if (steps.contains(step))
            least = std::min(least, excess);
        else
            most = std::max(most, excess);
    return least >= 2 * most;
}

/// excess: its own by step, of which it is known that they are no scatter.
std::optional<SlowWorker> slow_worker(const FindingContext& c, const OperationGraph& graph, const OperationTimes& times,
                                      std::size_t pipeline, int stage, const std::vector<TimeNs>& excess) {
    SlowWorker worker{pipeline, stage};
    std::map<std::int64_t, double> by_step;
    for (std::size_t s = 0; s < excess.size(); ++s)
        by_step[graph.steps[s]] = std::max(0.0, static_cast<double>(excess[s]));
    worker.onset = onset_of(c, by_step);
    if (!worker.onset.chance && !stands_clear(by_step, worker.onset.steps))
        worker.onset = {};
    double mean = 0;
    for (std::size_t s = 0; s < excess.size(); ++s)
        if (worker.onset.steps.empty() || worker.onset.steps.contains(graph.steps[s])) {
            worker.steps.push_back(s);
            mean += static_cast<double>(excess[s]);
        }
    const auto count = static_cast<double>(worker.steps.size());
    mean /= count;
    double squares = 0;
    for (const std::size_t s : worker.steps)
        squares += (static_cast<double>(excess[s]) - mean) * (static_cast<double>(excess[s]) - mean);
    if (count > 1 && mean < kClearErrors * std::sqrt(squares / (count - 1) / count))
        return std::nullopt;
    const auto by_type = compute_by_type(graph, times, pipeline, stage, worker.steps);
    WorkerCompute all;
    for (const auto& [type, compute] : by_type) {
        all.own += compute.own;
        all.others += compute.others;
    }
    worker.excess = (all.own - all.others) / static_cast<double>(excess.size());
    if (c.share(worker.excess) < kLeastExcess || all.others <= 0)
        return std::nullopt;
    worker.ratio = all.own / all.others;
    for (const auto& [type, compute] : by_type)
        if (compute.own - compute.others >= kOneType * (all.own - all.others) && compute.others > 0 &&
            compute.others < kMostOf * all.others) {
            worker.type = graph.types[type].name;
            worker.ratio = compute.own / compute.others;
        }
    return worker;
}

/// Slow in the same steps, and no less than half as much; ordered by excess.
bool are_slow_together(const SlowWorker& most, const SlowWorker& other) {
    std::size_t both = 0;
    for (const std::size_t step : other.steps)
        both += std::ranges::binary_search(most.steps, step) ? 1 : 0;
    const auto either = static_cast<double>(most.steps.size() + other.steps.size() - both);
    return other.excess >= kTogether * most.excess && static_cast<double>(both) >= kTogether * either &&
           other.type == most.type;
}

FindingEvent longest_operation(const FindingContext& c, const OperationGraph& graph, const SlowWorker& worker) {
    const std::uint32_t rank = rank_of_worker(graph, worker.pipeline, worker.stage);
    const RankTrace& trace = *c.inputs.run.ranks[rank];
    FindingEvent longest{rank, kNoEvent, {}};
    for (EventIndex e = 0; e < trace.events.gpu_count; ++e) {
        const auto type = std::ranges::find(graph.types, trace.event_name(e), &OperationType::name);
        const Operation* operation = trace.operations ? trace.operations->find(trace.events.ordinal[e]) : nullptr;
        const bool in_slow_step = operation != nullptr && std::ranges::any_of(worker.steps, [&](std::size_t s) {
                                      return graph.steps[s] == operation->step;
                                  });
        if (type != graph.types.end() && !type->communication && in_slow_step &&
            trace.events.range(e).length() > longest.range.length())
            longest = {rank, e, trace.events.range(e)};
    }
    return longest;
}

} // namespace

std::vector<std::vector<SlowWorker>> slow_workers(const FindingContext& context, const OperationGraph& graph,
                                                  const OperationTimes& times) {
    if (graph.pipelines.size() < 2)
        return {};
    std::vector<std::pair<std::size_t, int>> places; // pipeline, stage
    std::vector<std::vector<TimeNs>> excess;
    for (int stage = 0; stage < graph.stages; ++stage)
        for (std::size_t p = 0; p < graph.pipelines.size(); ++p) {
            places.emplace_back(p, stage);
            excess.push_back(excess_by_step(graph, times, p, stage));
        }
    const std::vector<bool> beyond = beyond_scatter(context, excess);
    std::vector<SlowWorker> slow;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (beyond[i] && (graph.steps.size() >= kStepsThatTell ||
                          operations_are_longer(graph, times, places[i].first, places[i].second)))
            if (auto worker = slow_worker(context, graph, times, places[i].first, places[i].second, excess[i]))
                slow.push_back(std::move(*worker));
    std::ranges::stable_sort(slow, std::greater<>(), &SlowWorker::excess);
    std::vector<std::vector<SlowWorker>> groups;
    for (SlowWorker& worker : slow) {
        const auto known =
            std::ranges::find_if(groups, [&](const auto& group) { return are_slow_together(group.front(), worker); });
        (known == groups.end() ? groups.emplace_back() : *known).push_back(std::move(worker));
    }
    const auto brief = [&](const std::vector<SlowWorker>& group) {
        return graph.steps.size() >= kStepsThatTell && group.front().steps.size() < kStepsThatTell;
    };
    if (std::ranges::count_if(groups, brief) >= static_cast<std::ptrdiff_t>(kWander))
        std::erase_if(groups, brief);
    return groups;
}

Finding slow_workers_finding(const FindingContext& context, const OperationGraph& graph,
                             std::span<const SlowWorker> slow) {
    Finding finding;
    finding.code = FindingCode::straggler;
    finding.cause = FindingCause::computation;
    for (const SlowWorker& one : slow)
        finding.ranks.push_back(context.rank_number(rank_of_worker(graph, one.pipeline, one.stage)));
    std::ranges::sort(finding.ranks);
    const SlowWorker& worst = slow.front();
    const std::string ratio = fmt::format("{:.2f}", worst.ratio);
    const Message numbers = rank_numbers(finding.ranks);
    const int pipeline = graph.pipelines[worst.pipeline];
    if (slow.size() > 1)
        finding.title =
            worst.type.empty()
                ? "Ranks %1 are slow: they compute up to %2× as long as the other ranks of their stages"_text(numbers,
                                                                                                              ratio)
                : "Ranks %1 are slow: %2 takes them up to %3× as long as the other ranks of their stages"_text(
                      numbers, worst.type, ratio);
    else
        finding.title =
            worst.type.empty()
                ? "Rank %1 is slow (data-parallel rank %2, stage %3): it computes %4× as long as the other ranks of its stage"_text(
                      numbers, pipeline, worst.stage, ratio)
                : "Rank %1 is slow (data-parallel rank %2, stage %3): %4 takes it %5× as long as the other ranks of its stage"_text(
                      numbers, pipeline, worst.stage, worst.type, ratio);
    finding.title += since_words(context, worst.onset.steps);
    set_onset(context, worst.onset, finding);
    finding.facts.insert(finding.facts.begin(),
                         {{FactName::ratio, worst.ratio, {}}, {FactName::excess_us_per_step, worst.excess / 1000, {}}});
    for (const SlowWorker& one : slow)
        finding.events.push_back(longest_operation(context, graph, one));
    finding.confidence =
        !finding.iterations.empty() ? kHappened : confidence_of(worst.steps.size(), graph.steps.size());
    return finding;
}

} // namespace rankscope
