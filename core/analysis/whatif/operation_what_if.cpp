// SPDX-License-Identifier: GPL-3.0-or-later
// Replays of operations.
#include "core/analysis/whatif/operation_what_if.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include "core/analysis/slowdown/operation_changes.h"

namespace rankscope {
namespace {

class OperationPredictor {
public:
    OperationPredictor(const OperationGraph& graph, const Run& run, const Findings& findings)
        : graph_(graph), run_(run), findings_(findings),
          ideal_(graph.unavailable.empty() ? ideal_durations(graph) : OperationTimes()) {}

    [[nodiscard]] Prediction predict(std::span<const Change> changes) const {
        Prediction result;
        for (const Change& change : changes)
            result.changes.push_back(change.text);
        result.unavailable = graph_.unavailable;
        for (const Change& change : changes)
            if (result.unavailable.empty() && !can_predict(change.kind))
                result.unavailable =
                    "%1 needs launches, groups or passes that an operation timeline does not hold"_text(change.text);
        if (!result.unavailable.empty())
            return result;
        // Launch delays stay as they were: only what the replays differ by is taken off.
        result.measured = std::accumulate(graph_.measured.begin(), graph_.measured.end(), 0.0) /
                          static_cast<double>(graph_.steps.size());
        result.predicted = result.measured + mean_replayed_step(graph_, changed_times(changes, result)) -
                           mean_replayed_step(graph_, graph_.duration);
        result.assumes.push_back("operations start as late after what they depend on as they did"_text());
        return result;
    }

private:
    static bool can_predict(ChangeKind kind) {
        return kind == ChangeKind::straggler || kind == ChangeKind::rank || kind == ChangeKind::stage ||
               kind == ChangeKind::operation || kind == ChangeKind::communication || kind == ChangeKind::kernel;
    }

    /// All read the unchanged run. Where several set a time the smallest holds; then factors apply, those of stages
    /// only to what was not made as long as the mean of all stages.
    [[nodiscard]] OperationTimes changed_times(std::span<const Change> changes, Prediction& result) const {
        OperationTimes times = graph_.duration;
        std::vector<bool> ideal(times.size());
        std::vector<double> factors(times.size(), 1); // of communication and kernels
        const bool all_stages = std::ranges::any_of(
            changes, [](const Change& each) { return each.kind == ChangeKind::stage && each.number < 0; });
        std::vector<double> of_stage(static_cast<std::size_t>(graph_.stages), 1);
        std::set<std::string> scaled; // the same twice is one change
        for (const Change& change : changes) {
            switch (change.kind) {
            case ChangeKind::straggler: repair_stragglers(times, result); break;
            case ChangeKind::rank: idealise_worker(change.number, ideal, result); break;
            case ChangeKind::operation: idealise_type(change.target, ideal, result); break;
            case ChangeKind::stage: even_stages(change.number, all_stages, of_stage, result); break;
            default:
                if (scaled.insert(change.text).second)
                    scale(change, factors, result);
            }
        }
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
            for (std::size_t i = 0; i < graph_.instances(); ++i) {
                const std::size_t at = node * graph_.instances() + i;
                if (ideal[at])
                    times[at] = times[at] == graph_.duration[at] ? ideal_[node] : std::min(times[at], ideal_[node]);
                else if (is_pass(graph_, graph_.nodes[node]))
                    times[at] *= of_stage[static_cast<std::size_t>(graph_.nodes[node].stage)];
                times[at] *= factors[at];
            }
        return times;
    }

    [[nodiscard]] std::optional<std::size_t> place_of(int rank) const {
        const auto found =
            std::ranges::find_if(graph_.rank, [&](std::uint32_t index) { return run_.ranks[index]->rank == rank; });
        return found == graph_.rank.end() ? std::nullopt
                                          : std::optional(static_cast<std::size_t>(found - graph_.rank.begin()));
    }

    /// visit: of each node of the worker in each step, its place in the durations.
    void for_worker(std::size_t place, const std::function<void(std::size_t node, std::size_t at)>& visit) const {
        const auto stages = static_cast<std::size_t>(graph_.stages);
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
            if (static_cast<std::size_t>(graph_.nodes[node].stage) == place % stages)
                for (std::size_t i = place / stages; i < graph_.instances(); i += graph_.pipelines.size())
                    visit(node, node * graph_.instances() + i);
    }

    /// By how much each computes longer than the others of its stage.
    void repair_stragglers(OperationTimes& times, Prediction& result) const {
        bool any = false;
        for (const Finding& finding : findings_.list) {
            if (finding.code != FindingCode::straggler)
                continue;
            for (const int rank : finding.ranks)
                if (const auto place = place_of(rank)) {
                    any = true;
                    repair_worker(*place, finding, times);
                }
        }
        if (!any)
            result.notes.push_back("no rank is a straggler: nothing changes"_text());
    }

    void repair_worker(std::size_t place, const Finding& finding, OperationTimes& times) const {
        const std::size_t pipeline = place / static_cast<std::size_t>(graph_.stages);
        const auto stage = static_cast<int>(place % static_cast<std::size_t>(graph_.stages));
        std::vector<std::size_t> concerned;
        for (std::size_t step = 0; step < graph_.steps.size(); ++step)
            if (const std::int64_t number = graph_.steps[step];
                number >= finding.first_iteration.value_or(number) && number <= finding.last_iteration.value_or(number))
                concerned.push_back(step);
        even_worker(graph_, pipeline, stage, concerned, times);
    }

    void idealise_worker(int rank, std::vector<bool>& ideal, Prediction& result) const {
        const auto place = place_of(rank);
        if (!place) {
            result.notes.push_back("rank %1 is not recorded: nothing changes"_text(rank));
            return;
        }
        for_worker(*place, [&](std::size_t, std::size_t at) { ideal[at] = true; });
        result.assumes.push_back("each operation of rank %1 takes the mean of all ranks and steps for its type, and "
                                 "communication the median"_text(rank));
    }

    [[nodiscard]] std::string type_words() const {
        std::vector<std::string> types;
        for (const OperationType& type : graph_.types)
            types.push_back(type.name);
        return fmt::format("{}", fmt::join(types, ", "));
    }

    void idealise_type(const std::string& target, std::vector<bool>& ideal, Prediction& result) const {
        bool any = false;
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
            if (graph_.types[graph_.nodes[node].type].name == target) {
                any = true;
                std::fill_n(ideal.begin() + static_cast<std::ptrdiff_t>(node * graph_.instances()), graph_.instances(),
                            true);
            }
        if (any)
            result.assumes.push_back("every %1 takes the mean of all, and communication the median"_text(target));
        else
            result.notes.push_back(
                "no operation is of type %1 (there are: %2): nothing changes"_text(target, type_words()));
    }

    void even_stages(int stage, bool all, std::vector<double>& of_stage, Prediction& result) const {
        if (stage >= graph_.stages || graph_.stages < 2) {
            result.notes.push_back(graph_.stages < 2 ? "there is one stage: nothing changes"_text()
                                                     : "there is no stage %1: nothing changes"_text(stage));
            return;
        }
        const std::vector<double> factors = factors_to_mean_stage(graph_, graph_.duration);
        if (all)
            of_stage = factors;
        else
            of_stage[static_cast<std::size_t>(stage)] = factors[static_cast<std::size_t>(stage)];
        result.assumes.push_back(stage >= 0 ? "stage %1 computes as long as the mean stage"_text(stage)
                                            : "the same computation is spread evenly over the stages"_text());
    }

    /// Communication by type, all of it, or of a dimension; computation whose type matches.
    void scale(const Change& change, std::vector<double>& factors, Prediction& result) const {
        const auto chosen = [&](const OperationType& type) {
            if (change.kind == ChangeKind::kernel)
                return !type.communication && re2::RE2::PartialMatch(type.name, *change.pattern);
            const bool message = type.name.ends_with("-send") || type.name.ends_with("-recv");
            return type.communication && (change.target.empty() || change.target == type.name ||
                                          (change.target == "pp" && message) || (change.target == "dp" && !message));
        };
        bool any = false;
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
            if (chosen(graph_.types[graph_.nodes[node].type])) {
                any = true;
                for (std::size_t i = 0; i < graph_.instances(); ++i)
                    factors[node * graph_.instances() + i] *= change.factor;
            }
        if (!any)
            result.notes.push_back(
                change.kind == ChangeKind::kernel
                    ? "no computing operation is meant by %1 (there are: %2): nothing changes"_text(change.text,
                                                                                                    type_words())
                    : "no communicating operation is meant by %1 (there are: %2): nothing changes"_text(change.text,
                                                                                                        type_words()));
    }

    const OperationGraph& graph_;
    const Run& run_;
    const Findings& findings_;
    OperationTimes ideal_; ///< by node
};

} // namespace

std::vector<Prediction> predict_operations(const Run& run, const OperationGraph& graph, const Findings& findings,
                                           std::span<const Change> changes) {
    const OperationPredictor predictor(graph, run, findings);
    return each_and_together(changes, [&](std::span<const Change> together) { return predictor.predict(together); });
}

} // namespace rankscope
