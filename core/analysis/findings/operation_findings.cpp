// SPDX-License-Identifier: GPL-3.0-or-later
// What costs time in an operation timeline.
#include "core/analysis/findings/operation_findings.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/slow_workers.h"
#include "core/analysis/slowdown/operation_changes.h"

namespace rankscope {
namespace {

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
    [[nodiscard]] double saved_by(const OperationTimes& times) const {
        return time_ - mean_replayed_step(graph_, times);
    }
    /// What is left to find is told without what was found.
    void take_out(OperationTimes times) {
        now_ = std::move(times);
        time_ = mean_replayed_step(graph_, now_);
    }

    void find_slow_workers() {
        for (const std::vector<SlowWorker>& same : slow_workers(c_, graph_, now_)) {
            if (2 * same.size() > graph_.rank.size()) // scatter
                continue;
            OperationTimes without = now_;
            for (const SlowWorker& one : same)
                even_worker(graph_, one.pipeline, one.stage, one.steps, without);
            const double cost = saved_by(without);
            if (c_.share(cost) < kLeastFault)
                continue;
            found_.push_back(slow_workers_finding(c_, graph_, same));
            found_.back().cost = cost;
            take_out(std::move(without));
        }
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
            finding.ranks.push_back(c_.rank_number(rank_of_worker(graph_, p, busiest)));
        std::ranges::sort(finding.ranks);
        const double instances = static_cast<double>(graph_.instances());
        const double own = passes_of_stages(graph_, now_)[static_cast<std::size_t>(busiest)] / instances;
        finding.title = "The stages of the pipeline are uneven: stage %1 (%2) computes %3 a step for its "
                        "microbatches, %4× as long as the mean stage, and the others wait for it"_text(
                            busiest, rank_words(finding.ranks), time_words(own), fmt::format("{:.2f}", ratio));
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
