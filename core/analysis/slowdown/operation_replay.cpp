// SPDX-License-Identifier: GPL-3.0-or-later
// How long each step takes if operations take other times (operation_graph.h).
#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "core/analysis/slowdown/operation_graph.h"
#include "core/analysis/slowdown/operation_types.h"
#include "core/base/statistics.h"

namespace rankscope {

std::vector<double> replay_steps(const OperationGraph& graph, std::span<const double> duration) {
    const std::size_t instances = graph.instances();
    const std::size_t pipelines = graph.pipelines.size();
    std::vector<double> start(graph.nodes.size() * instances); // and, once it has ended, the end
    std::vector<std::size_t> started(graph.groups.size());
    std::vector<double> last(instances);
    for (const std::uint32_t node : graph.order) {
        double* const own = start.data() + node * instances;
        for (std::uint32_t d = graph.first_dependency[node]; d < graph.first_dependency[node + 1]; ++d) {
            const double* const before = start.data() + graph.dependencies[d] * instances;
            for (std::size_t i = 0; i < instances; ++i)
                own[i] = std::max(own[i], before[i]);
        }
        const std::uint32_t group = graph.nodes[node].group;
        if (group == OperationNode::kNoGroup) {
            const double* const time = duration.data() + node * instances;
            for (std::size_t i = 0; i < instances; ++i)
                own[i] += time[i];
            continue;
        }
        const OperationSync& sync = graph.groups[group];
        if (++started[group] < sync.members.size())
            continue;
        std::ranges::fill(last, 0.0);
        for (const std::uint32_t member : sync.members) {
            const double* const of_member = start.data() + member * instances;
            for (std::size_t i = 0; i < instances; ++i)
                last[i] = std::max(last[i], of_member[i]);
        }
        if (sync.all_pipelines)
            for (auto step = last.begin(); step != last.end(); step += static_cast<std::ptrdiff_t>(pipelines))
                std::fill_n(step, pipelines, *std::max_element(step, step + static_cast<std::ptrdiff_t>(pipelines)));
        for (const std::uint32_t member : sync.members) {
            double* const end = start.data() + member * instances;
            const double* const time = duration.data() + member * instances;
            for (std::size_t i = 0; i < instances; ++i)
                end[i] = last[i] + time[i];
        }
    }
    // A step ends with its last optimizer; where none is recorded, with its last operation.
    const bool optimizer = std::ranges::any_of(
        graph.nodes, [&](const OperationNode& node) { return graph.types[node.type].name == kOptimizer; });
    std::vector<double> length(graph.steps.size());
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        if (optimizer && graph.types[graph.nodes[node].type].name != kOptimizer)
            continue;
        for (std::size_t i = 0; i < instances; ++i)
            length[i / pipelines] = std::max(length[i / pipelines], start[node * instances + i]);
    }
    return length;
}

double mean_replayed_step(const OperationGraph& graph, std::span<const double> duration) {
    const std::vector<double> steps = replay_steps(graph, duration);
    return std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
}

std::vector<double> ideal_durations(const OperationGraph& graph) {
    const std::size_t instances = graph.instances();
    std::vector<std::vector<double>> by_type(graph.types.size());
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        const auto from = graph.duration.begin() + static_cast<std::ptrdiff_t>(node * instances);
        std::vector<double>& times = by_type[graph.nodes[node].type];
        times.insert(times.end(), from, from + static_cast<std::ptrdiff_t>(instances));
    }
    std::vector<double> of_type;
    for (std::size_t type = 0; type < by_type.size(); ++type) {
        const std::vector<double>& times = by_type[type];
        if (times.empty())
            of_type.push_back(0);
        else if (graph.types[type].communication)
            of_type.push_back(middle_median(times));
        else
            of_type.push_back(std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size()));
    }
    std::vector<double> ideal;
    for (const OperationNode& node : graph.nodes)
        ideal.push_back(of_type[node.type]);
    return ideal;
}

} // namespace rankscope
