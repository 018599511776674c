// SPDX-License-Identifier: GPL-3.0-or-later
// Replays of operations.
#include "core/analysis/findings/operation_what_if.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/slowdown/operation_graph.h"

namespace rankscope {
namespace {

class OperationPredictor {
public:
    explicit OperationPredictor(const OperationGraph& graph, const Run& run)
        : graph_(graph), run_(run), ideal_(graph.unavailable.empty() ? ideal_durations(graph) : std::vector<double>()) {
    }

    [[nodiscard]] Prediction predict(std::span<const Change> changes) const {
        Prediction result;
        for (const Change& change : changes)
            result.changes.push_back(change.text);
        result.unavailable = graph_.unavailable;
        for (const Change& change : changes)
            if (result.unavailable.empty() && change.kind != ChangeKind::rank && change.kind != ChangeKind::stage &&
                change.kind != ChangeKind::operation)
                result.unavailable = fmt::format("{} needs kernels and launches; an operation timeline takes rank.N, "
                                                 "stage.N, stages and operation.TYPE",
                                                 change.text);
        if (!result.unavailable.empty())
            return result;
        std::vector<double> duration = graph_.duration;
        for (const Change& change : changes)
            apply(change, duration, result);
        // Launch delays stay as they were: only what the replays differ by is taken off.
        result.measured = std::accumulate(graph_.measured.begin(), graph_.measured.end(), 0.0) /
                          static_cast<double>(graph_.steps.size());
        result.predicted =
            result.measured + mean_replayed_step(graph_, duration) - mean_replayed_step(graph_, graph_.duration);
        result.assumes.push_back("the host launches as late as it did");
        return result;
    }

private:
    void apply(const Change& change, std::vector<double>& duration, Prediction& result) const {
        if (change.kind == ChangeKind::rank)
            return idealise_worker(change.number, duration, result);
        if (change.kind == ChangeKind::stage)
            return even_stages(change.number, duration, result);
        std::size_t changed = 0;
        std::vector<std::string> types;
        for (const OperationType& type : graph_.types)
            types.push_back(type.name);
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
            if (graph_.types[graph_.nodes[node].type].name == change.target) {
                ++changed;
                for (std::size_t i = 0; i < graph_.instances(); ++i)
                    duration[node * graph_.instances() + i] = ideal_[node];
            }
        if (changed == 0)
            result.notes.push_back(fmt::format("no operation is of type {} (there are: {}): nothing changes",
                                               change.target, fmt::join(types, ", ")));
        else
            result.assumes.push_back(
                fmt::format("every {} takes the mean of all, and communication the median", change.target));
    }

    void idealise_worker(int rank, std::vector<double>& duration, Prediction& result) const {
        const auto stages = static_cast<std::size_t>(graph_.stages);
        const auto found =
            std::ranges::find_if(graph_.rank, [&](std::uint32_t index) { return run_.ranks[index]->rank == rank; });
        if (found == graph_.rank.end()) {
            result.notes.push_back(fmt::format("rank {} is not recorded: nothing changes", rank));
            return;
        }
        const auto place = static_cast<std::size_t>(found - graph_.rank.begin());
        const std::size_t pipelines = graph_.pipelines.size();
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
            if (static_cast<std::size_t>(graph_.nodes[node].stage) == place % stages)
                for (std::size_t i = place / stages; i < graph_.instances(); i += pipelines)
                    duration[node * graph_.instances() + i] = ideal_[node];
        result.assumes.push_back(fmt::format("each operation of rank {} takes the mean of all ranks and steps for its "
                                             "type, and communication the median",
                                             rank));
    }

    void even_stages(int stage, std::vector<double>& duration, Prediction& result) const {
        std::vector<double> sums(static_cast<std::size_t>(graph_.stages));
        const auto computes = [&](std::size_t node) { return !graph_.types[graph_.nodes[node].type].communication; };
        const auto times_of = [&](std::size_t node) {
            return std::span(duration).subspan(node * graph_.instances(), graph_.instances());
        };
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
            if (computes(node))
                for (const double time : times_of(node))
                    sums[static_cast<std::size_t>(graph_.nodes[node].stage)] += time;
        if (stage >= graph_.stages || graph_.stages < 2) {
            result.notes.push_back(graph_.stages < 2 ? "there is one stage: nothing changes"
                                                     : fmt::format("there is no stage {}: nothing changes", stage));
            return;
        }
        const double mean = std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(graph_.stages);
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
            const double own = sums[static_cast<std::size_t>(graph_.nodes[node].stage)];
            if (computes(node) && own > 0 && (stage < 0 || graph_.nodes[node].stage == stage))
                for (double& time : times_of(node))
                    time *= mean / own;
        }
        result.assumes.push_back(stage >= 0 ? fmt::format("stage {} computes as long as the mean stage", stage)
                                            : "the same computation is spread evenly over the stages");
    }

    const OperationGraph& graph_;
    const Run& run_;
    std::vector<double> ideal_; ///< by node
};

} // namespace

std::vector<Prediction> predict_operations(const Run& run, std::span<const Change> changes) {
    std::vector<std::vector<ProfilerStep>> steps;
    for (const auto& rank : run.ranks)
        steps.push_back(rank->steps);
    const OperationGraph graph = operation_graph(run, steps);
    const OperationPredictor predictor(graph, run);
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < changes.size(); ++i)
        predictions.push_back(predictor.predict(changes.subspan(i, 1)));
    if (changes.size() > 1)
        predictions.push_back(predictor.predict(changes));
    return predictions;
}

} // namespace rankscope
