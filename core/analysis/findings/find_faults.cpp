// SPDX-License-Identifier: GPL-3.0-or-later
// Which faults of ranks, links and experts a run has: they are taken out one after the other.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/graph/step_ranges.h"
#include "core/base/statistics.h"
#include "core/base/words.h"

namespace rankscope {

namespace {

constexpr double kThere = 0.75;        ///< of what it costs in its worst step: the step has the fault
constexpr double kWithoutFault = 0.25; ///< and less: it has not
constexpr double kErrors = 2.5;        ///< standard errors by which the steps contradict the replay
constexpr double kMostWrong = 0.5;     ///< of a cost: steps that differ by more differ for another reason as well
constexpr double kSameWork = 0.005;    ///< of the events of a step on the GPUs: by which steps alike differ at most
constexpr std::size_t kFewSteps = 2;   ///< with the fault, and without it

/// Of the profiler's steps that all ranks have, mean over the ranks, ns.
std::map<std::int64_t, double> step_lengths(const StepGraph& graph, const std::vector<TimeRange>& ranges) {
    std::map<std::int64_t, std::pair<double, std::size_t>> sums;
    for (std::size_t s = 0; s < ranges.size(); ++s) {
        auto& [sum, ranks] = sums[graph.steps[s].number];
        sum += static_cast<double>(ranges[s].length());
        ++ranks;
    }
    std::map<std::int64_t, double> lengths;
    for (const auto& [number, sum] : sums)
        if (sum.second == graph.first_gpu_node.size())
            lengths[number] = sum.first / static_cast<double>(sum.second);
    return lengths;
}

/// What the replay saves in each step of the run but the first, which starts with empty pipelines and cold caches.
struct SavedBySteps {
    std::vector<double> length;             ///< as recorded, ns
    std::vector<double> saved;              ///< ns
    std::vector<double> events;             ///< of the GPUs: steps without an all-reduce or an optimizer have fewer
    std::vector<double> computation;        ///< of all ranks, as it is left, ns
    double most = 0;                        ///< of saved
    std::map<std::int64_t, double> of_step; ///< saved, by number, the first step too
    std::size_t with = 0;                   ///< steps that have the fault
    std::size_t without = 0;
    /// By how much steps with the fault, and those without, differ among themselves in the computation of a rank that
    /// is left, the most of all ranks, ns.
    double work = 0;
    [[nodiscard]] bool has_fault(std::size_t i) const { return saved[i] >= kThere * most; }
    [[nodiscard]] bool is_without(std::size_t i) const { return std::abs(saved[i]) <= kWithoutFault * most; }
    [[nodiscard]] bool in_some_steps() const { return most > 0 && with >= kFewSteps && without >= kFewSteps; }
};

/// Computation of each rank in each of its steps, ns.
using ComputationOfSteps = std::map<std::uint32_t, std::map<std::int64_t, double>>;

ComputationOfSteps computation_of_steps(const FindingContext& c, const GraphTimes& times) {
    ComputationOfSteps computation;
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n)
        if (const GraphStep* const step = c.graph.kind[n] == NodeKind::compute ? c.graph.step_of(n) : nullptr)
            computation[c.graph.rank[n]][step->number] += static_cast<double>(times.duration[n]);
    return computation;
}

/// with: numbers of the steps with the fault; without: of those without it. A fault may slow computation too, beside
/// slow communication.
double scatter_of_work(const ComputationOfSteps& computation, const std::vector<std::int64_t>& with,
                       const std::vector<std::int64_t>& without) {
    double most = 0;
    for (const auto& [rank, by_step] : computation) {
        std::vector<double> differences;
        for (const auto* numbers : {&with, &without}) {
            std::vector<double> own;
            for (const std::int64_t number : *numbers)
                if (const auto found = by_step.find(number); found != by_step.end())
                    own.push_back(found->second);
            const double median = own.empty() ? 0 : middle_median(own);
            for (const double each : own)
                differences.push_back(each - median);
        }
        const auto count = static_cast<double>(differences.size());
        if (count > 2) // two of them are taken up by the medians
            most = std::max(most, std::sqrt(count / (count - 2)) * robust_deviation(std::move(differences)));
    }
    return most;
}

SavedBySteps saved_by_steps(const FindingContext& c, const TimesChange& remove) {
    SavedBySteps result;
    auto recorded = step_lengths(c.graph, step_ranges(c.graph));
    GraphTimes times = c.graph.times;
    remove(times);
    const ComputationOfSteps computation = computation_of_steps(c, times);
    const Replays::Replayed now = c.replays.replayed(times);
    const auto left = step_lengths(c.graph, step_ranges(c.graph, now.start, now.times));
    for (const auto& [number, length] : recorded)
        result.of_step[number] = length - left.at(number);
    if (!recorded.empty())
        recorded.erase(recorded.begin());
    std::map<std::int64_t, double> events;
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n)
        if (const GraphStep* const step = is_gpu_node(c.graph.kind[n]) ? c.graph.step_of(n) : nullptr)
            ++events[step->number];
    std::vector<std::int64_t> numbers;
    for (const auto& [number, length] : recorded) {
        numbers.push_back(number);
        result.length.push_back(length);
        result.saved.push_back(result.of_step.at(number));
        result.events.push_back(events[number]);
        double& sum = result.computation.emplace_back(0);
        for (const auto& [rank, by_step] : computation)
            if (const auto own = by_step.find(number); own != by_step.end())
                sum += own->second;
        result.most = std::max(result.most, result.saved.back());
    }
    std::vector<std::int64_t> with;
    std::vector<std::int64_t> without;
    for (std::size_t i = 0; i < result.saved.size(); ++i) {
        if (result.has_fault(i))
            with.push_back(numbers[i]);
        if (result.is_without(i))
            without.push_back(numbers[i]);
    }
    result.with = with.size();
    result.without = without.size();
    result.work = scatter_of_work(computation, with, without);
    return result;
}

/// How much longer a step is because it has more work than the mean step, ns: some have longer microbatches. A line by
/// least squares through what the replay leaves of the steps, those with the fault and those without apart; 0 where
/// they scatter by little, or where it does not explain most of that.
std::vector<double> longer_for_work(const SavedBySteps& steps) {
    constexpr double kLittle = 0.1; ///< of what the fault costs in its worst step
    const std::size_t count = steps.saved.size();
    double both = 0;
    double of_work = 0;
    double of_left = 0;
    for (const bool with : {false, true}) {
        std::vector<std::pair<double, double>> kind; // work and what is left
        for (std::size_t i = 0; i < count; ++i)
            if (with ? steps.has_fault(i) : steps.is_without(i))
                kind.emplace_back(steps.computation[i], steps.length[i] - steps.saved[i]);
        double work = 0;
        double left = 0;
        for (const auto& [own_work, own_left] : kind) {
            work += own_work / static_cast<double>(kind.size());
            left += own_left / static_cast<double>(kind.size());
        }
        for (const auto& [own_work, own_left] : kind) {
            both += (own_work - work) * (own_left - left);
            of_work += (own_work - work) * (own_work - work);
            of_left += (own_left - left) * (own_left - left);
        }
    }
    std::vector<double> longer(count);
    const bool scatter = std::sqrt(of_left / static_cast<double>(steps.with + steps.without)) > kLittle * steps.most;
    if (scatter && both > 0 && both * both > kMostOf * of_work * of_left) {
        const double mean =
            std::accumulate(steps.computation.begin(), steps.computation.end(), 0.0) / static_cast<double>(count);
        for (std::size_t i = 0; i < count; ++i)
            longer[i] = both / of_work * (steps.computation[i] - mean);
    }
    return longer;
}

/// What a fault really costs, times what its replay says: of a fault in some steps only, by how much these are longer
/// than the others that do the same. Steps measure that, where transfers that share a link, say, are not replayed
/// rightly. 1 where they do not contradict the replay.
double measured_by_steps(const SavedBySteps& steps) {
    const auto alike = [&](std::size_t i, std::size_t j) {
        return std::abs(steps.events[i] - steps.events[j]) <= kSameWork * steps.events[j];
    };
    std::vector<double> length = steps.length; // with as much work as the others
    const std::vector<double> longer = longer_for_work(steps);
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] -= longer[i];
    std::vector<double> slopes; // of a step with the fault against one without
    for (std::size_t i = 0; i < steps.saved.size(); ++i)
        for (std::size_t j = 0; j < steps.saved.size(); ++j)
            if (steps.has_fault(i) && steps.is_without(j)) {
                if (!alike(i, j))
                    return 1;
                slopes.push_back((length[i] - length[j]) / (steps.saved[i] - steps.saved[j]));
            }
    const double slope = middle_median(std::move(slopes));
    std::vector<double> left; // without the fault
    for (std::size_t i = 0; i < steps.saved.size(); ++i)
        left.push_back(length[i] - slope * steps.saved[i]);
    // Steps that compute unequally long differ for that reason, whatever the few that are here look like.
    const double deviation = std::max(robust_deviation(std::move(left)), steps.work);
    const double error = deviation / steps.most *
                         std::sqrt(1 / static_cast<double>(steps.with) + 1 / static_cast<double>(steps.without));
    const double wrong = std::abs(slope - 1);
    return wrong > std::max(kReplayError, kErrors * error) && wrong <= kMostWrong ? slope : 1;
}

std::vector<TimesChange> removals(std::span<const Candidate* const> candidates) {
    std::vector<TimesChange> removals;
    for (const Candidate* candidate : candidates)
        removals.push_back(candidate->remove);
    return removals;
}

void add_fault(const FindingContext& c, RepairedRun& repaired, const Candidate& candidate, double cost, bool hidden,
               std::vector<Finding>& found) {
    Finding finding = candidate.describe();
    finding.cost = cost;
    finding.hidden = hidden;
    if (const double factor = c.cost_to_joined(candidate.ranks, 1); factor > 1) {
        const auto members = std::llround(static_cast<double>(c.joined.size()) / factor);
        finding.title += std::cmp_greater(members, candidate.ranks.size())
                             ? ". Only the ranks that calls join to it are slower for it"_text()
                         : candidate.ranks.size() > 1
                             ? ". No recorded call joins them to the other ranks: the cost is theirs alone"_text()
                             : ". No recorded call joins it to other ranks: the cost is its own alone"_text();
    }
    repaired.tell(finding.ranks, candidate.remove);
    found.push_back(std::move(finding));
}

/// What the faults told so far leave of the candidate's cost is next to nothing, and they concern its ranks: they are
/// the same fault. A host that is slow starts late as well.
bool told_already(const FindingContext& c, const Candidate& candidate, double alone) {
    if (c.repaired.told().empty())
        return false;
    const std::vector<int> ranks = candidate.describe().ranks;
    GraphTimes times = c.graph.times;
    bool any = false;
    for (const auto& [of, remove] : c.repaired.told()) {
        const bool all = !ranks.empty() &&
                         std::ranges::all_of(ranks, [&](int rank) { return std::ranges::find(of, rank) != of.end(); });
        if (all)
            remove(times);
        any = any || all;
    }
    if (!any)
        return false;
    const double without = c.replays.step_time(times, [](GraphTimes&) {});
    const double left = without - c.replays.step_time(times, candidate.remove);
    return c.share(left) < kLeastFault && left < kSameFault * alone;
}

/// Of a fault that is told of some steps, what each of these would be shorter, ns. 0 where the other steps have next to
/// no part in its cost, or these steps none.
double cost_of_affected(const FindingContext& c, const Finding& finding, const SavedBySteps& steps) {
    double affected = 0;
    double all = 0;
    for (const auto& [number, saved] : steps.of_step) {
        all += saved;
        affected += std::ranges::binary_search(finding.iterations, number) ? saved : 0;
    }
    if (affected <= 0 || affected >= (1 - kNearlyAlike) * all)
        return 0;
    return affected / all * finding.cost * static_cast<double>(c.steps) /
           static_cast<double>(finding.iterations.size());
}

/// Of the faults told so far the only one that is in some steps only costs what these are longer: of several, nothing
/// tells which is how much of that.
void measure_by_steps(const FindingContext& c, std::vector<Finding>& found) {
    if (!c.graph.profiler_steps)
        return;
    const std::span<Finding> faults = std::span(found).last(c.repaired.told().size());
    std::vector<SavedBySteps> steps;
    for (const auto& [ranks, remove] : c.repaired.told())
        steps.push_back(saved_by_steps(c, remove));
    const auto only = std::ranges::find_if(steps, &SavedBySteps::in_some_steps);
    if (std::ranges::count_if(steps, &SavedBySteps::in_some_steps) == 1)
        if (const double factor = measured_by_steps(*only); factor != 1) {
            Finding& fault = faults[static_cast<std::size_t>(only - steps.begin())];
            fault.facts.push_back({FactName::replayed_cost_us_per_step, fault.cost / 1000, {}});
            fault.cost *= factor;
        }
    for (std::size_t i = 0; i < faults.size(); ++i)
        faults[i].cost_of_affected = cost_of_affected(c, faults[i], steps[i]);
}

} // namespace

/// A fault costs what a step would be shorter without it alone. One that others hide (its rank would wait anyway) costs
/// what it does once they are gone.
void find_faults(const FindingContext& c, RepairedRun& repaired, std::vector<Finding>& found) {
    std::vector<Candidate> candidates = straggler_candidates(c);
    std::ranges::move(slow_link_candidates(c), std::back_inserter(candidates));
    std::ranges::move(expert_candidates(c), std::back_inserter(candidates));
    std::vector<const Candidate*> order;
    for (const Candidate& candidate : candidates)
        if (candidate.start_late.empty() || !std::ranges::all_of(candidate.start_late, [&](std::uint32_t rank) {
                return std::ranges::any_of(candidates, [&](const Candidate& other) {
                    return std::ranges::find(other.late_for_it, rank) != other.late_for_it.end();
                });
            }))
            order.push_back(&candidate);
    const std::vector<double> alone = c.replays.step_times(c.graph.times, removals(order));
    std::map<const Candidate*, double> saved;
    for (std::size_t i = 0; i < order.size(); ++i)
        saved[order[i]] = c.cost_to_joined(order[i]->ranks, c.step_time - alone[i]);
    const auto alone_of = [&](const Candidate* candidate) { return saved.at(candidate); };
    std::ranges::stable_sort(order, [&](const Candidate* a, const Candidate* b) {
        return std::pair(alone_of(a), a->size) > std::pair(alone_of(b), b->size);
    });
    // Those that cost enough alone come first, and are taken out whatever the others are.
    auto next = order.begin();
    for (; next != order.end() && c.share(alone_of(*next)) >= kLeastFault; ++next)
        if (!told_already(c, **next, alone_of(*next)))
            add_fault(c, repaired, **next, alone_of(*next), false, found);
    if (!repaired.changed())
        return; // and so the others cost what they do alone: too little
    measure_by_steps(c, found);
    repaired.replay();
    // Of the others all are tried at once, and the first that costs enough is taken out: then what comes after it costs
    // something else.
    while (next != order.end()) {
        const std::vector<double> times =
            c.replays.step_times(repaired.times(), removals(std::span(next, order.end())));
        std::vector<double> costs;
        for (std::size_t i = 0; i < times.size(); ++i)
            costs.push_back(
                c.cost_to_joined(next[static_cast<std::ptrdiff_t>(i)]->ranks, repaired.step_ns() - times[i]));
        const auto costs_enough =
            std::ranges::find_if(costs, [&](double cost) { return c.share(cost) >= kLeastFault; });
        if (costs_enough == costs.end())
            return;
        next += costs_enough - costs.begin();
        add_fault(c, repaired, **next++, *costs_enough, true, found);
        repaired.replay();
    }
}

} // namespace rankscope
