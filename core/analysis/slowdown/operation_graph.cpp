// SPDX-License-Identifier: GPL-3.0-or-later
// The graph of operations, from the order on one pipeline in one step.
#include "core/analysis/slowdown/operation_graph.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "core/analysis/slowdown/operation_structure.h"
#include "core/analysis/slowdown/operation_types.h"
#include "core/analysis/slowdown/worker_operations.h"

namespace rankscope {
namespace {

/// Start and end of every node in every instance of a step, or nothing where the step is not like the others.
class InstanceTimes {
public:
    explicit InstanceTimes(const OperationGraph& graph) : graph_(graph) {
        for (std::uint32_t node = 0; node < graph.nodes.size(); ++node)
            node_of_[{graph.nodes[node].type, graph.nodes[node].stage, graph.nodes[node].sequence}] = node;
    }

    /// By node, then pipeline.
    struct Step {
        std::vector<TimeNs> start;
        std::vector<TimeNs> end;
        double measured = 0;
    };

    std::optional<Step> read(const OperationRecording& recording, std::int64_t step,
                             std::vector<OperationType>& types) const {
        const std::size_t pipelines = graph_.pipelines.size();
        Step result;
        result.start.assign(graph_.nodes.size() * pipelines, kMissing);
        result.end.assign(graph_.nodes.size() * pipelines, kMissing);
        TimeNs first = std::numeric_limits<TimeNs>::max();
        TimeNs last = std::numeric_limits<TimeNs>::min();
        TimeNs last_optimizer = std::numeric_limits<TimeNs>::min();
        for (std::size_t p = 0; p < pipelines; ++p) {
            for (int stage = 0; stage < graph_.stages; ++stage) {
                const auto worker = recording.workers.find({graph_.pipelines[p], stage});
                if (worker == recording.workers.end() || !worker->second.contains(step))
                    return std::nullopt;
                for (const WorkerOperation& operation : worker->second.at(step)) {
                    first = std::min(first, operation.start);
                    last = std::max(last, operation.end);
                    if (types[operation.type].name == kOptimizer)
                        last_optimizer = std::max(last_optimizer, operation.end);
                    const auto node = node_of_.find({operation.type, stage, operation.sequence});
                    if (node == node_of_.end()) {
                        ++types[operation.type].left_out;
                        continue;
                    }
                    result.start[node->second * pipelines + p] = operation.start;
                    result.end[node->second * pipelines + p] = operation.end;
                }
            }
        }
        if (std::ranges::find(result.start, kMissing) != result.start.end())
            return std::nullopt;
        result.measured = static_cast<double>((last_optimizer >= first ? last_optimizer : last) - first);
        return result;
    }

private:
    static constexpr TimeNs kMissing = std::numeric_limits<TimeNs>::min();
    const OperationGraph& graph_;
    std::map<std::tuple<std::uint32_t, int, std::int32_t>, std::uint32_t> node_of_;
};

/// Of a step: durations, and of communication the time since its last member started.
std::vector<double> durations_of(const OperationGraph& graph, const InstanceTimes::Step& step) {
    const std::size_t pipelines = graph.pipelines.size();
    std::vector<double> durations(step.start.size());
    for (std::size_t i = 0; i < durations.size(); ++i)
        durations[i] = static_cast<double>(step.end[i] - step.start[i]);
    for (const OperationSync& group : graph.groups) {
        std::vector<TimeNs> last(pipelines, std::numeric_limits<TimeNs>::min());
        for (const std::uint32_t node : group.members)
            for (std::size_t p = 0; p < pipelines; ++p)
                last[p] = std::max(last[p], step.start[node * pipelines + p]);
        if (group.all_pipelines)
            std::ranges::fill(last, *std::ranges::max_element(last));
        for (const std::uint32_t node : group.members)
            for (std::size_t p = 0; p < pipelines; ++p)
                durations[node * pipelines + p] =
                    static_cast<double>(std::max<TimeNs>(0, step.end[node * pipelines + p] - last[p]));
    }
    return durations;
}

} // namespace

OperationGraph operation_graph(const Run& run, std::span<const std::vector<ProfilerStep>> steps) {
    OperationGraph graph;
    OperationRecording recording = record_of_workers(run, steps);
    if (recording.workers.empty()) {
        graph.unavailable = "no operation timeline"_text;
        return graph;
    }
    int pipelines = 0;
    for (const auto& [place, worker] : recording.workers) {
        pipelines = std::max(pipelines, place.first + 1);
        graph.stages = std::max(graph.stages, place.second + 1);
    }
    if (std::int64_t{pipelines} * graph.stages != std::ssize(recording.workers)) {
        graph.unavailable = "needs the operations of all %1 workers (%2 data-parallel ranks of %3 stages); "
                            "%4 are recorded"_text(std::int64_t{pipelines} * graph.stages, pipelines, graph.stages,
                                                   recording.workers.size());
        return graph;
    }
    const auto typical = typical_pipeline(recording, pipelines, graph.stages);
    if (!typical) {
        graph.unavailable = "no step has operations of all stages"_text;
        return graph;
    }
    for (int dp = 0; dp < pipelines; ++dp) {
        graph.pipelines.push_back(dp);
        for (int stage = 0; stage < graph.stages; ++stage)
            graph.rank.push_back(recording.rank.at({dp, stage}));
    }
    graph.types = recording.types;
    std::vector<const std::vector<WorkerOperation>*> of_stages;
    for (int stage = 0; stage < graph.stages; ++stage)
        of_stages.push_back(&recording.workers.at({typical->first, stage}).at(typical->second));
    build_structure(graph, pipelines * recording.other > 1, of_stages);
    if (!graph.unavailable.empty())
        return graph;
    const InstanceTimes times(graph);
    std::vector<std::vector<double>> durations;
    for (const std::int64_t step : recording.steps) {
        if (const auto read = times.read(recording, step, graph.types)) {
            graph.steps.push_back(step);
            graph.measured.push_back(read->measured);
            durations.push_back(durations_of(graph, *read));
        } else {
            ++graph.left_out_steps;
        }
    }
    if (graph.steps.empty()) {
        graph.unavailable = "no step has the same operations on all ranks"_text;
        return graph;
    }
    const std::size_t count = graph.pipelines.size();
    graph.duration.resize(graph.nodes.size() * graph.instances());
    for (std::size_t s = 0; s < durations.size(); ++s)
        for (std::size_t node = 0; node < graph.nodes.size(); ++node)
            std::copy_n(durations[s].begin() + static_cast<std::ptrdiff_t>(node * count), count,
                        graph.duration.begin() + static_cast<std::ptrdiff_t>(node * graph.instances() + s * count));
    return graph;
}

} // namespace rankscope
