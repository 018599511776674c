// SPDX-License-Identifier: GPL-3.0-or-later
// What costs time in an operation timeline.
#include "core/analysis/findings/operation_findings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/slowdown/operation_changes.h"
#include "core/base/statistics.h"
#include "core/trace/operation_timeline.h"

namespace rankscope {
namespace {

constexpr double kLeastExcess = 0.002;  ///< of a step: what a worker computes longer than the others of its stage
constexpr double kNextToNothing = 0.01; ///< of the longest operation
constexpr std::size_t kWander = 3;      ///< groups of workers, each slow in a step or two: it may be anybody
constexpr double kOneType = 0.8;        ///< of the excess: then the sentence names the type of operation

/// A worker beside the others of its stage.
struct SlowWorker {
    std::size_t pipeline = 0;
    int stage = 0;
    double excess = 0; ///< ns a step, mean over all steps
    double ratio = 1;  ///< in the steps that it is slow in
    Onset onset{};
    std::vector<std::size_t> steps{}; ///< index in OperationGraph::steps
    std::string type{};               ///< that it is alone slow in; empty: all
};

class OperationFindings {
public:
    OperationFindings(const FindingContext& context, const OperationGraph& graph, std::vector<Finding>& found)
        : c_(context), graph_(graph), found_(found), now_(graph.duration), time_(mean_replayed_step(graph, now_)) {}

    void find() {
        find_slow_workers();
        find_uneven_stages();
        find_uneven_microbatches();
        find_uneven_operations();
        find_communication();
        find_late_starts();
    }

private:
    [[nodiscard]] const OperationType& type_of(std::size_t node) const { return graph_.types[graph_.nodes[node].type]; }
    [[nodiscard]] std::uint32_t rank_at(std::size_t pipeline, int stage) const {
        return graph_.rank[pipeline * static_cast<std::size_t>(graph_.stages) + static_cast<std::size_t>(stage)];
    }
    [[nodiscard]] double saved_by(const OperationTimes& times) const {
        return time_ - mean_replayed_step(graph_, times);
    }
    /// What is left to find is told without what was found.
    void take_out(OperationTimes times) {
        now_ = std::move(times);
        time_ = mean_replayed_step(graph_, now_);
    }

    /// What a worker computes longer than the others of its stage in each step, ns; may be negative.
    [[nodiscard]] std::vector<TimeNs> excess_by_step(std::size_t pipeline, int stage) const {
        std::vector<TimeNs> excess;
        for (const WorkerCompute& step :
             compute_beside_others(graph_, now_, pipeline, stage, [](const OperationType&) { return true; }))
            excess.push_back(std::llround(step.own - step.others));
        return excess;
    }

    /// Of fewer steps than scatter can be told from: whether the worker's operations take more times those of the
    /// others by four standard errors. Operations that are next to nothing do not count.
    [[nodiscard]] bool operations_are_longer(std::size_t pipeline, int stage) const {
        const std::size_t pipelines = graph_.pipelines.size();
        std::vector<WorkerCompute> operations;
        double longest = 0;
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
            if (graph_.nodes[node].stage != stage || type_of(node).communication)
                continue;
            for (std::size_t step = 0; step < graph_.steps.size(); ++step) {
                const auto first =
                    now_.begin() + static_cast<std::ptrdiff_t>(node * graph_.instances() + step * pipelines);
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
    [[nodiscard]] static bool stands_clear(const std::map<std::int64_t, double>& by_step,
                                           const std::set<std::int64_t>& steps) {
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
    [[nodiscard]] std::optional<SlowWorker> slow_worker(std::size_t pipeline, int stage,
                                                        const std::vector<TimeNs>& excess) const {
        SlowWorker worker{pipeline, stage};
        std::map<std::int64_t, double> by_step;
        for (std::size_t s = 0; s < excess.size(); ++s)
            by_step[graph_.steps[s]] = std::max(0.0, static_cast<double>(excess[s]));
        worker.onset = onset_of(c_, by_step);
        if (!worker.onset.chance && !stands_clear(by_step, worker.onset.steps))
            worker.onset = {};
        double mean = 0;
        for (std::size_t s = 0; s < excess.size(); ++s)
            if (worker.onset.steps.empty() || worker.onset.steps.contains(graph_.steps[s])) {
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
        const auto by_type = compute_by_type(graph_, now_, pipeline, stage, worker.steps);
        WorkerCompute all;
        for (const auto& [type, compute] : by_type) {
            all.own += compute.own;
            all.others += compute.others;
        }
        worker.excess = (all.own - all.others) / static_cast<double>(excess.size());
        if (c_.share(worker.excess) < kLeastExcess || all.others <= 0)
            return std::nullopt;
        worker.ratio = all.own / all.others;
        for (const auto& [type, compute] : by_type)
            if (compute.own - compute.others >= kOneType * (all.own - all.others) && compute.others > 0 &&
                compute.others < kMostOf * all.others) {
                worker.type = graph_.types[type].name;
                worker.ratio = compute.own / compute.others;
            }
        return worker;
    }

    /// Slow in the same steps, and no less than half as much; ordered by excess.
    [[nodiscard]] static bool alike(const SlowWorker& most, const SlowWorker& other) {
        std::size_t both = 0;
        for (const std::size_t step : other.steps)
            both += std::ranges::binary_search(most.steps, step) ? 1 : 0;
        const auto either = static_cast<double>(most.steps.size() + other.steps.size() - both);
        return other.excess >= kTogether * most.excess && static_cast<double>(both) >= kTogether * either &&
               other.type == most.type;
    }

    void find_slow_workers() {
        if (graph_.pipelines.size() < 2)
            return;
        std::vector<std::pair<std::size_t, int>> places; // pipeline, stage
        std::vector<std::vector<TimeNs>> excess;
        for (int stage = 0; stage < graph_.stages; ++stage)
            for (std::size_t p = 0; p < graph_.pipelines.size(); ++p) {
                places.emplace_back(p, stage);
                excess.push_back(excess_by_step(p, stage));
            }
        const std::vector<bool> beyond = beyond_scatter(c_, excess);
        std::vector<SlowWorker> slow;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (beyond[i] &&
                (graph_.steps.size() >= kStepsThatTell || operations_are_longer(places[i].first, places[i].second)))
                if (auto worker = slow_worker(places[i].first, places[i].second, excess[i]))
                    slow.push_back(std::move(*worker));
        std::ranges::stable_sort(slow, std::greater<>(), &SlowWorker::excess);
        std::vector<std::vector<SlowWorker>> groups;
        for (SlowWorker& worker : slow) {
            const auto known =
                std::ranges::find_if(groups, [&](const auto& group) { return alike(group.front(), worker); });
            (known == groups.end() ? groups.emplace_back() : *known).push_back(std::move(worker));
        }
        const auto brief = [&](const std::vector<SlowWorker>& group) {
            return graph_.steps.size() >= kStepsThatTell && group.front().steps.size() < kStepsThatTell;
        };
        if (std::ranges::count_if(groups, brief) >= static_cast<std::ptrdiff_t>(kWander))
            std::erase_if(groups, brief);
        for (const std::vector<SlowWorker>& same : groups) {
            if (2 * same.size() > graph_.rank.size()) // scatter
                continue;
            OperationTimes without = now_;
            for (const SlowWorker& one : same)
                even_worker(graph_, one.pipeline, one.stage, one.steps, without);
            const double cost = saved_by(without);
            if (c_.share(cost) < kLeastFault)
                continue;
            found_.push_back(describe(same));
            found_.back().cost = cost;
            take_out(std::move(without));
        }
    }

    [[nodiscard]] Finding describe(std::span<const SlowWorker> slow) const {
        Finding finding;
        finding.code = FindingCode::straggler;
        finding.cause = FindingCause::computation;
        for (const SlowWorker& one : slow)
            finding.ranks.push_back(c_.rank_number(rank_at(one.pipeline, one.stage)));
        std::ranges::sort(finding.ranks);
        const SlowWorker& worst = slow.front();
        const std::string ratio = fmt::format("{:.2f}", worst.ratio);
        const Message numbers = rank_numbers(finding.ranks);
        const int pipeline = graph_.pipelines[worst.pipeline];
        if (slow.size() > 1)
            finding.title =
                worst.type.empty()
                    ? "Ranks %1 are slow: they compute up to %2× as long as the other ranks of their stages"_text(
                          numbers, ratio)
                    : "Ranks %1 are slow: %2 takes them up to %3× as long as the other ranks of their stages"_text(
                          numbers, worst.type, ratio);
        else
            finding.title =
                worst.type.empty()
                    ? "Rank %1 is slow (data-parallel rank %2, stage %3): it computes %4× as long as the other ranks of its stage"_text(
                          numbers, pipeline, worst.stage, ratio)
                    : "Rank %1 is slow (data-parallel rank %2, stage %3): %4 takes it %5× as long as the other ranks of its stage"_text(
                          numbers, pipeline, worst.stage, worst.type, ratio);
        finding.title += since_words(c_, worst.onset.steps);
        set_onset(c_, worst.onset, finding);
        finding.facts.insert(finding.facts.begin(), {{FactName::ratio, worst.ratio, {}},
                                                     {FactName::excess_us_per_step, worst.excess / 1000, {}}});
        for (const SlowWorker& one : slow)
            finding.events.push_back(longest_operation(one));
        finding.confidence =
            !finding.iterations.empty() ? kHappened : confidence_of(worst.steps.size(), graph_.steps.size());
        return finding;
    }

    [[nodiscard]] FindingEvent longest_operation(const SlowWorker& worker) const {
        const std::uint32_t rank = rank_at(worker.pipeline, worker.stage);
        const RankTrace& trace = *c_.inputs.run.ranks[rank];
        FindingEvent longest{rank, kNoEvent, {}};
        for (EventIndex e = 0; e < trace.events.gpu_count; ++e) {
            const auto type = std::ranges::find(graph_.types, trace.event_name(e), &OperationType::name);
            const Operation* operation = trace.operations ? trace.operations->find(trace.events.ordinal[e]) : nullptr;
            const bool in_slow_step = operation != nullptr && std::ranges::any_of(worker.steps, [&](std::size_t s) {
                                          return graph_.steps[s] == operation->step;
                                      });
            if (type != graph_.types.end() && !type->communication && in_slow_step &&
                trace.events.range(e).length() > longest.range.length())
                longest = {rank, e, trace.events.range(e)};
        }
        return longest;
    }

    void find_uneven_stages() {
        if (graph_.stages < 2)
            return;
        const std::vector<double> factors = factors_to_mean_stage(graph_, now_);
        const auto busiest = static_cast<int>(std::ranges::min_element(factors) - factors.begin());
        const double ratio = 1 / factors[static_cast<std::size_t>(busiest)];
        if (ratio < kUnevenStages)
            return;
        OperationTimes even = now_;
        for (int stage = 0; stage < graph_.stages; ++stage)
            scale_operations(
                graph_, [&](const OperationNode& node) { return node.stage == stage && is_pass(graph_, node); },
                factors[static_cast<std::size_t>(stage)], even);
        const double cost = saved_by(even);
        if (c_.share(cost) < kLeastInherent)
            return;
        Finding finding;
        finding.code = FindingCode::uneven_stages;
        finding.inherent = true;
        finding.group = "pp";
        for (std::size_t p = 0; p < graph_.pipelines.size(); ++p)
            finding.ranks.push_back(c_.rank_number(rank_at(p, busiest)));
        std::ranges::sort(finding.ranks);
        const double instances = static_cast<double>(graph_.instances());
        const double own = passes_of_stages(graph_, now_)[static_cast<std::size_t>(busiest)] / instances;
        finding.title = "The stages of the pipeline are uneven: stage %1 (%2) computes %3 a step, %4× as long as the "
                        "mean stage, and the others wait for it"_text(busiest, rank_words(finding.ranks),
                                                                      time_words(own), fmt::format("{:.2f}", ratio));
        finding.facts = {{FactName::ratio, ratio, {}},
                         {FactName::stage, static_cast<double>(busiest), {}},
                         {FactName::computation_us_per_step, own / 1000, {}}};
        finding.cost = cost;
        finding.confidence = 0.8;
        found_.push_back(std::move(finding));
        take_out(std::move(even));
    }

    /// Every operation of these types takes the mean of its place over microbatches, steps and pipelines.
    [[nodiscard]] OperationTimes evened(const std::function<bool(const OperationType&)>& which) const {
        std::map<std::pair<std::uint32_t, int>, std::pair<double, double>> sums; // by type and stage: ns, count
        const auto place = [&](std::size_t node) {
            return std::pair(graph_.nodes[node].type, graph_.nodes[node].stage);
        };
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
            for (std::size_t i = 0; i < graph_.instances() && which(type_of(node)); ++i) {
                auto& [sum, count] = sums[place(node)];
                sum += now_[node * graph_.instances() + i];
                ++count;
            }
        OperationTimes even = now_;
        for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
            if (which(type_of(node)))
                std::fill_n(even.begin() + static_cast<std::ptrdiff_t>(node * graph_.instances()), graph_.instances(),
                            sums[place(node)].first / sums[place(node)].second);
        return even;
    }

    void find_uneven_microbatches() {
        const auto pass = [](const OperationType& type) { return is_pass_type(type.name); };
        const double cost = saved_by(evened(pass));
        if (c_.share(cost) < kLeastInherent)
            return;
        Finding finding;
        finding.code = FindingCode::uneven_microbatches;
        finding.inherent = true;
        std::string worst;
        double most = 0;
        for (const OperationType& type : graph_.types) {
            if (!pass(type))
                continue;
            const double own = saved_by(evened([&](const OperationType& each) { return each.name == type.name; }));
            if (c_.share(own) < kLeastFault)
                continue;
            finding.facts.push_back({FactName::cost_us_per_step_of, own / 1000, {}, type.name});
            if (own > most) {
                most = own;
                worst = type.name;
            }
        }
        finding.title =
            "Computation takes unequally long from microbatch to microbatch, rank to rank and step to step, as with "
            "sequences of unequal length"_text();
        if (!worst.empty())
            finding.title += "; most of it is %1"_text(worst);
        finding.cost = cost;
        finding.confidence = 0.7;
        found_.push_back(std::move(finding));
    }

    /// Of what has no microbatches: an optimizer, a garbage collection.
    void find_uneven_operations() {
        for (const OperationType& type : graph_.types) {
            if (type.communication || is_pass_type(type.name))
                continue;
            const double cost = saved_by(evened([&](const OperationType& each) { return each.name == type.name; }));
            if (c_.share(cost) < kLeastInherent)
                continue;
            Finding finding;
            finding.code = FindingCode::uneven_work;
            finding.inherent = true;
            finding.title = "%1 takes longer now on one rank, now on another, and the others wait"_text(type.name);
            finding.cost = cost;
            finding.confidence = 0.7;
            found_.push_back(std::move(finding));
        }
    }

    void find_communication() {
        std::map<std::string, std::vector<std::string>> families; // messages are one
        for (const OperationType& type : graph_.types)
            if (type.communication) {
                const bool message = type.name.ends_with("-send") || type.name.ends_with("-recv");
                families[message ? "pp" : type.name].push_back(type.name);
            }
        for (const auto& [family, types] : families) {
            const auto is_one = [&](const OperationNode& node) {
                return std::ranges::find(types, graph_.types[node.type].name) != types.end();
            };
            OperationTimes without = now_;
            scale_operations(graph_, is_one, 0, without);
            const double cost = saved_by(without);
            if (c_.share(cost) < kLeastInherent)
                continue;
            double sum = 0;
            std::set<int> stages; // whose ranks have such operations
            for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
                if (is_one(graph_.nodes[node])) {
                    stages.insert(graph_.nodes[node].stage);
                    for (std::size_t i = 0; i < graph_.instances(); ++i)
                        sum += now_[node * graph_.instances() + i];
                }
            Finding finding;
            finding.code = FindingCode::exposed_communication;
            finding.inherent = true;
            finding.group = family;
            const std::string time =
                time_words(sum / static_cast<double>(graph_.instances()) / static_cast<double>(stages.size()));
            finding.title =
                family == "pp"
                    ? "Messages between stages take %1 a step on each rank that has them, once all had come, and hold the step up"_text(
                          time)
                    : "Operations %1 take %2 a step on each rank that has them, once all had come, and hold the step up"_text(
                          family, time);
            finding.cost = cost;
            finding.confidence = 0.7;
            found_.push_back(std::move(finding));
        }
    }

    void find_late_starts() {
        const double measured = std::accumulate(graph_.measured.begin(), graph_.measured.end(), 0.0) /
                                static_cast<double>(graph_.measured.size());
        const double cost = measured - mean_replayed_step(graph_, graph_.duration);
        if (c_.share(cost) < kLeastInherent)
            return;
        Finding finding;
        finding.code = FindingCode::launch_delay;
        finding.inherent = true;
        finding.title = "Operations start later than what they depend on ends; why is not recorded"_text();
        finding.facts = {{FactName::replayed_step_us, (measured - cost) / 1000, {}}};
        finding.cost = cost;
        finding.confidence = 0.7;
        found_.push_back(std::move(finding));
    }

    const FindingContext& c_;
    const OperationGraph& graph_;
    std::vector<Finding>& found_;
    OperationTimes now_;
    double time_; ///< mean step with these, ns
};

} // namespace

OperationGraph operation_graph_of(const FindingInputs& inputs) {
    std::vector<std::vector<ProfilerStep>> steps(inputs.run.ranks.size());
    for (const GraphStep& step : inputs.step_graph.steps)
        steps[step.rank].push_back({step.number, step.range, kNoEvent});
    return operation_graph(inputs.run, steps);
}

void find_in_operations(const FindingContext& context, const OperationGraph& graph, std::vector<Finding>& found) {
    if (graph.unavailable.empty())
        OperationFindings(context, graph, found).find();
}

Judged judge_operations(const OperationGraph& graph) {
    Judged judged;
    if (!graph.unavailable.empty())
        judged.not_judged.push_back("The operations cannot be replayed: %1."_text(graph.unavailable));
    else if (graph.pipelines.size() < 2)
        judged.not_judged.push_back("There is one data-parallel rank: no two ranks do the same work."_text());
    else
        judged.ranks = true;
    judged.not_judged.push_back("An operation timeline holds no sizes: whether a link is slow cannot be told."_text());
    judged.not_judged.push_back("An operation timeline holds nothing of the host."_text());
    return judged;
}

} // namespace rankscope
