// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a step graph, from the ranks under the selection.
#include "core/analysis/graph/graph_parts.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace rankscope {
namespace {

/// Steps of a host, and GPU work of which no launch is known.
bool launches_are_missing(const RankAnalysis& rank) {
    const RankTrace& trace = *rank.trace;
    return !rank.steps.empty() && !rank.gpu_work.empty() && !trace.operations && !steps_of_device(trace) &&
           std::ranges::all_of(rank.gpu_work,
                               [&](const GpuSlice& slice) { return trace.events.link[slice.event] == kNoEvent; });
}

std::set<std::int64_t> numbers_of(std::span<const ProfilerStep> steps) {
    std::set<std::int64_t> numbers;
    for (const ProfilerStep& step : steps)
        numbers.insert(step.number);
    return numbers;
}

std::vector<GpuSlice> gpu_work_in_steps(const RankAnalysis& rank, std::span<const ProfilerStep> steps) {
    const WorkSteps work_steps(*rank.trace);
    const std::set<std::int64_t> numbers = numbers_of(steps);
    std::vector<GpuSlice> work;
    std::ranges::copy_if(rank.gpu_work, std::back_inserter(work), [&](const GpuSlice& slice) {
        const ProfilerStep* step = work_steps.of(slice.event);
        return step != nullptr && numbers.contains(step->number);
    });
    return work;
}

/// The last one is recorded, but not among the steps.
Repetitions repetitions_of(const InferredSteps& inferred) {
    if (inferred.steps.empty())
        return {};
    const auto count = static_cast<std::int64_t>(inferred.steps.size());
    const TimeNs period = (inferred.steps.back().end - inferred.steps.front().begin) / count;
    return {count + 1, period, inferred.last_is_whole, inferred.first_event, inferred.end_event};
}

} // namespace

bool only_work_of_steps(const Selection& selection, std::span<const RankAnalysis> ranks) {
    return selection.time && std::ranges::any_of(
                                 ranks, [](const RankAnalysis& rank) { return !rank.trace->steps.empty(); });
}

GraphParts graph_parts(const Selection& selection, std::span<const RankAnalysis> ranks,
                       std::span<const InferredSteps> inferred) {
    // Steps of a device are repetitions of its work: there is no host that starts and ends them. So are those of a host
    // whose launches are not recorded: nothing tells how its steps end because of that work.
    const bool unlaunched = std::ranges::any_of(ranks, launches_are_missing);
    const bool any_steps = std::ranges::any_of(ranks, [](const RankAnalysis& rank) { return !rank.steps.empty(); });
    const bool of_steps = only_work_of_steps(selection, ranks);
    GraphParts parts;
    for (const RankAnalysis& rank : ranks) {
        const bool by_work = unlaunched || steps_of_device(*rank.trace);
        parts.repetitions.push_back(by_work            ? Repetitions{std::ssize(rank.steps)}
                                    : inferred.empty() ? Repetitions{}
                                                       : repetitions_of(inferred[parts.repetitions.size()]));
        const bool chosen = of_steps || (by_work && any_steps); // what lies between them is of no step
        parts.work_in_steps.push_back(chosen ? gpu_work_in_steps(rank, rank.steps) : std::vector<GpuSlice>());
        // What an inner list holds does not move when the outer one grows.
        parts.work.push_back(chosen ? std::span<const GpuSlice>(parts.work_in_steps.back()) : std::span(rank.gpu_work));
        parts.steps.push_back(by_work ? std::vector<ProfilerStep>() : rank.steps);
    }
    return parts;
}

} // namespace rankscope
