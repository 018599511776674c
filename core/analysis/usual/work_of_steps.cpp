// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/usual/work_of_steps.h"

#include <algorithm>
#include <map>

#include "core/base/work_count.h"

namespace rankscope {
namespace {

using WorkByNumber = std::map<std::int64_t, EngineStepName>; ///< of a rank's steps

bool is_unlike(const WorkByNumber& a, const WorkByNumber& b) {
    return std::ranges::any_of(
        a,
        [&](const auto& step) {
            const auto other = b.find(step.first);
            return other != b.end() && !is_like_work(step.second, other->second);
        });
}

} // namespace

WorkOfSteps work_of_steps(const Run& run, const StepGraph& graph) {
    count_work("work_of_steps");
    WorkOfSteps work(graph.steps.size());
    bool any_engine = false;
    WorkOfSteps of_rank;
    std::size_t next = 0; // among the steps of the rank, whose numbers ascend
    for (std::size_t s = 0; s < work.size() && graph.profiler_steps; ++s) {
        const GraphStep& step = graph.steps[s];
        const std::vector<ProfilerStep>& steps = run.ranks[step.rank]->steps;
        if (s == 0 || step.rank != graph.steps[s - 1].rank) {
            of_rank = step_work(*run.ranks[step.rank]);
            any_engine |= !of_rank.empty();
            next = 0;
        }
        while (next < of_rank.size() && steps[next].number < step.number)
            ++next;
        if (next < of_rank.size() && steps[next].number == step.number)
            work[s] = of_rank[next];
    }
    return any_engine ? work : WorkOfSteps();
}

std::vector<std::uint32_t> ranks_of_like_work(const Run& run, const StepGraph& graph, const WorkOfSteps& work) {
    std::vector<WorkByNumber> of_rank(run.ranks.size());
    for (std::size_t s = 0; s < work.size(); ++s)
        if (work[s])
            of_rank[graph.steps[s].rank].emplace(graph.steps[s].number, *work[s]);
    std::vector<std::uint32_t> first;
    for (std::uint32_t r = 0; r < of_rank.size(); ++r) {
        std::uint32_t like = 0;
        while (like < r && (first[like] != like || is_unlike(of_rank[like], of_rank[r])))
            ++like;
        first.push_back(like);
    }
    return first;
}

} // namespace rankscope
