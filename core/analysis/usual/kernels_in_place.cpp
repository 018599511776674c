// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the kernels of ranks side by side, in the order of their launches.
#include "core/analysis/usual/kernels_in_place.h"

#include <algorithm>
#include <map>
#include <set>

#include <tbb/parallel_for.h>

namespace rankscope {
namespace {

/// What a rank launches in a step, in order; without steps in the whole recording, as step 0.
struct LaunchedInStep {
    std::vector<NameId> operators;
    std::vector<EventIndex> events; ///< of the GPU
};

/// By number of the step; none where an operator is not recorded.
std::map<std::int64_t, LaunchedInStep> launched_by_step(const RankTrace& trace, const StepGraph& graph,
                                                        std::uint32_t r) {
    std::map<std::int64_t, LaunchedInStep> result;
    if (trace.gpu.operator_event.empty())
        return result;
    const auto steps = std::ranges::equal_range(graph.steps, r, {}, &GraphStep::rank);
    std::map<std::int64_t, std::vector<EventIndex>> events;
    std::set<std::int64_t> unknown;
    for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
        if (graph.kind[n] != NodeKind::compute || (graph.profiler_steps && graph.step[n] >= steps.size()))
            continue;
        const EventIndex event = graph.event[n];
        const std::int64_t number = graph.profiler_steps ? steps[graph.step[n]].number : 0;
        if (trace.events.link[event] == kNoEvent || trace.gpu.operator_event[event] == kNoEvent)
            unknown.insert(number);
        events[number].push_back(event);
    }
    for (auto& [number, own] : events) {
        if (unknown.contains(number))
            continue;
        std::ranges::sort(own, {},
                          [&](EventIndex e) { return std::pair(trace.events.start[trace.events.link[e]], e); });
        LaunchedInStep& launched = result[number];
        for (const EventIndex e : own)
            launched.operators.push_back(trace.events.name[trace.gpu.operator_event[e]]);
        launched.events = std::move(own);
    }
    return result;
}

std::set<NameId> kernel_names(const RankTrace& trace, const StepGraph& graph, std::uint32_t r) {
    std::set<NameId> names;
    for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n)
        if (graph.kind[n] == NodeKind::compute)
            names.insert(trace.events.name[graph.event[n]]);
    return names;
}

} // namespace

KernelsInPlace kernels_in_place(const Run& run, const StepGraph& graph) {
    const std::size_t ranks = run.ranks.size();
    KernelsInPlace result(ranks);
    if (ranks < 2)
        return result;
    std::vector<std::set<NameId>> names(ranks);
    tbb::parallel_for(
        std::size_t{0}, ranks,
        [&](std::size_t r) { names[r] = kernel_names(*run.ranks[r], graph, static_cast<std::uint32_t>(r)); });
    if (std::ranges::all_of(names, [&](const std::set<NameId>& own) { return own == names.front(); }))
        return result;
    std::vector<std::map<std::int64_t, LaunchedInStep>> launched(ranks);
    tbb::parallel_for(std::size_t{0}, ranks, [&](std::size_t r) {
        launched[r] = launched_by_step(*run.ranks[r], graph, static_cast<std::uint32_t>(r));
    });
    // By step, and what its operators are.
    std::map<std::pair<std::int64_t, std::vector<NameId>>, std::vector<std::uint32_t>> alike;
    for (std::uint32_t r = 0; r < ranks; ++r)
        for (auto& [number, own] : launched[r])
            alike[{number, std::move(own.operators)}].push_back(r);
    for (const auto& [step, members] : alike) {
        if (members.size() < 2)
            continue;
        const auto name_at = [&](std::uint32_t r, std::size_t place) {
            return run.ranks[r]->events.name[launched[r].at(step.first).events[place]];
        };
        for (std::size_t place = 0; place < step.second.size(); ++place) {
            std::map<NameId, std::size_t> counts;
            for (const std::uint32_t r : members)
                ++counts[name_at(r, place)];
            if (counts.size() < 2)
                continue;
            NameId most = name_at(members.front(), place); // of as many the lowest rank's
            for (const std::uint32_t r : members)
                if (const NameId name = name_at(r, place); counts.at(name) > counts.at(most))
                    most = name;
            for (const std::uint32_t r : members)
                if (name_at(r, place) != most)
                    result[r][launched[r].at(step.first).events[place]] = most;
        }
    }
    return result;
}

} // namespace rankscope
