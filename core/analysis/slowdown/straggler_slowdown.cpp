// SPDX-License-Identifier: GPL-3.0-or-later
// Slowdown by stragglers, of operation timelines.
#include "core/analysis/slowdown/straggler_slowdown.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/slowdown/operation_graph.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

/// Which operations of which pipelines.
struct Chosen {
    std::function<bool(const OperationNode&, int pipeline)> is_one;
    bool own_time = true; ///< these have their own times and all others the ideal ones; false: the other way round
};

std::vector<double> durations_with(const OperationGraph& graph, const std::vector<double>& ideal,
                                   const Chosen& chosen) {
    const std::size_t pipelines = graph.pipelines.size();
    std::vector<double> duration = graph.duration;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        for (std::size_t p = 0; p < pipelines; ++p) {
            if (chosen.is_one(graph.nodes[node], graph.pipelines[p]) == chosen.own_time)
                continue;
            for (std::size_t i = p; i < graph.instances(); i += pipelines)
                duration[node * graph.instances() + i] = ideal[node];
        }
    return duration;
}

std::vector<double> mean_steps(const OperationGraph& graph, const std::vector<double>& ideal,
                               const std::vector<Chosen>& all) {
    std::vector<double> means(all.size());
    tbb::parallel_for(std::size_t{0}, all.size(), [&](std::size_t i) {
        means[i] = mean_replayed_step(graph, durations_with(graph, ideal, all[i]));
    });
    return means;
}

/// Sends and receives of one direction wait for each other and count as one type.
std::string group_of_type(const std::string& type) {
    if (type == "forward-send" || type == "forward-recv")
        return "forward-pp-comm";
    if (type == "backward-send" || type == "backward-recv")
        return "backward-pp-comm";
    return type;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The workers that slow down most; of equal ones those of lower rank.
std::vector<std::uint32_t> slowest(const Run& run, const std::vector<WorkerSlowdown>& workers) {
    std::vector<std::uint32_t> order(workers.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(
        order, {}, [&](std::uint32_t w) { return std::tuple(-workers[w].slowdown, run.ranks[workers[w].rank]->rank); });
    order.resize((workers.size() * kSlowestPercent + 99) / 100);
    return order;
}

} // namespace

StragglerSlowdown slowdown_of_operations(const Run& run, std::span<const std::vector<ProfilerStep>> steps) {
    count_work("straggler_slowdown");
    StragglerSlowdown result;
    const OperationGraph graph = operation_graph(run, steps);
    if (!graph.unavailable.empty()) {
        result.unavailable = graph.unavailable;
        return result;
    }
    const std::vector<double> ideal = ideal_durations(graph);
    const std::vector<double> with_own = replay_steps(graph, graph.duration);
    const std::vector<double> with_ideal =
        replay_steps(graph, durations_with(graph, ideal, {[](const OperationNode&, int) { return false; }, true}));
    result.measured = mean(graph.measured);
    result.no_delay = mean(with_own);
    result.ideal = mean(with_ideal);
    if (!(result.ideal > 0) || !(result.no_delay > 0)) {
        result.unavailable = "the operations of all steps take no time"_text;
        return result;
    }
    for (std::size_t s = 0; s < graph.steps.size(); ++s)
        result.by_step.push_back({graph.steps[s], graph.measured[s], with_own[s], with_ideal[s]});
    result.left_out_steps = graph.left_out_steps;
    std::map<std::string, std::vector<std::uint32_t>> groups; // of types
    for (std::uint32_t type = 0; type < graph.types.size(); ++type) {
        if (graph.types[type].left_out > 0)
            result.left_out_types.emplace_back(graph.types[type].name, graph.types[type].left_out);
        groups[group_of_type(graph.types[type].name)].push_back(type);
    }
    std::vector<bool> in_graph(graph.types.size());
    for (const OperationNode& node : graph.nodes)
        in_graph[node.type] = true;
    std::erase_if(groups, [&](const auto& group) {
        return std::ranges::none_of(group.second, [&](std::uint32_t type) { return in_graph[type]; });
    });

    std::vector<Chosen> changes;
    for (const auto& [name, types] : groups)
        changes.push_back(
            {[&types](const OperationNode& node, int) { return std::ranges::find(types, node.type) != types.end(); },
             true});
    for (const int dp : graph.pipelines)
        changes.push_back({[dp](const OperationNode&, int pipeline) { return pipeline == dp; }, true});
    for (int stage = 0; stage < graph.stages; ++stage)
        changes.push_back({[stage](const OperationNode& node, int) { return node.stage == stage; }, true});
    const std::vector<double> times = mean_steps(graph, ideal, changes);
    auto time = times.begin();
    for (const auto& [name, types] : groups)
        result.by_operation.push_back({name, -1, *time++ / result.ideal});
    for (const int dp : graph.pipelines)
        result.by_dp_rank.push_back({{}, dp, *time++ / result.ideal});
    for (int stage = 0; stage < graph.stages; ++stage)
        result.by_stage.push_back({{}, stage, *time++ / result.ideal});
    std::ranges::stable_sort(result.by_operation, std::ranges::greater{}, &GroupSlowdown::slowdown);
    for (std::size_t p = 0; p < graph.pipelines.size(); ++p)
        for (int stage = 0; stage < graph.stages; ++stage) {
            const auto s = static_cast<std::size_t>(stage);
            result.by_worker.push_back({graph.pipelines[p], stage,
                                        graph.rank[p * static_cast<std::size_t>(graph.stages) + s],
                                        std::min(result.by_dp_rank[p].slowdown, result.by_stage[s].slowdown)});
        }
    result.slowest_workers = slowest(run, result.by_worker);

    const double lost = result.no_delay - result.ideal;
    if (!(result.slowdown() >= kLeastExplained))
        return result;
    std::vector<std::pair<int, int>> places;
    for (const std::uint32_t w : result.slowest_workers)
        places.emplace_back(result.by_worker[w].dp_rank, result.by_worker[w].stage);
    const int last_stage = graph.stages - 1;
    const std::vector<double> without =
        mean_steps(graph, ideal,
                   {{[&](const OperationNode& node, int pipeline) {
                         return std::ranges::find(places, std::pair(pipeline, node.stage)) != places.end();
                     },
                     false},
                    {[&](const OperationNode& node, int) { return node.stage == last_stage; }, false}});
    result.m_w = (result.no_delay - without[0]) / lost;
    result.m_s = (result.no_delay - without[1]) / lost;
    return result;
}

} // namespace rankscope
