// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the findings together and in order.
#include "core/analysis/findings/findings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/facts/fact_words.h"
#include "core/analysis/findings/finding_brief.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/held_to_facts.h"
#include "core/analysis/findings/operation_findings.h"
#include "core/analysis/findings/rank_spread.h"
#include "core/analysis/findings/waits_of_faults.h"
#include "core/analysis/operators/peak_flops.h"
#include "core/analysis/replay/graph_changes.h"
#include "core/analysis/replay/late_waits.h"
#include "core/analysis/replay/step_ranges.h"
#include "core/analysis/replay/step_time.h"
#include "core/analysis/steps/step_windows.h"
#include "core/base/isolation.h"
#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/base/work_count.h"
#include "core/trace/hardware_series.h"
#include "core/trace/recorded.h"
#include "core/trace/step_ends.h"

namespace rankscope {

FindingEvent FindingContext::event(std::uint32_t node) const {
    const std::uint32_t rank = graph.rank[node];
    const EventIndex event = graph.event[node];
    if (event == kNoEvent)
        return {rank, event, graph.clock.recorded(rank, TimeRange{graph.start[node], graph.end(node)})};
    const EventTable& events = inputs.run.ranks[rank]->events;
    return {rank, event, events.range(event)};
}

std::vector<std::uint32_t> FindingContext::joined_to(const std::vector<int>& ranks) const {
    std::set<std::uint32_t> sets;
    for (std::uint32_t r = 0; r < joined.size(); ++r)
        if (std::ranges::find(ranks, rank_number(r)) != ranks.end())
            sets.insert(joined[r]);
    std::vector<std::uint32_t> members;
    for (std::uint32_t r = 0; r < joined.size(); ++r)
        if (sets.contains(joined[r]))
            members.push_back(r);
    return members;
}

double FindingContext::cost_to_joined(const std::vector<int>& ranks, double saved) const {
    const std::size_t members = joined_to(ranks).size();
    return members == 0 ? saved : saved * static_cast<double>(joined.size()) / static_cast<double>(members);
}

void FindingContext::repair(const TimesChange& change) {
    if (!repaired)
        repaired = graph.times;
    change(*repaired);
}

void FindingContext::replay_repaired() {
    Replays::Replayed now = replays.replayed(*repaired);
    repaired_time = mean_step_time(graph, now.start, now.times);
    repaired_start = std::move(now.start);
}

Message per_step_words(const FindingContext& c, double ns, const std::set<std::int64_t>& only_in) {
    if (only_in.size() == 1)
        return time_words(ns);
    return c.recorded_once() ? "%1 in all"_text(time_words(ns)) : "%1 a step"_text(time_words(ns));
}

Message share_words(const FindingContext& c, double ns) {
    const std::string percent = fmt::format("{:.0f}", 100 * c.share(ns));
    return c.recorded_once() ? "%1 % of the time"_text(percent) : "%1 % of the step"_text(percent);
}

Message times_words(const FindingContext& c, double per_step, const std::set<std::int64_t>& only_in) {
    // Fewer than one a step: how often in all of them.
    const std::size_t steps = only_in.empty() ? c.steps : only_in.size();
    const bool each = c.recorded_once() || per_step > 0.95;
    const auto count = std::max(1LL, std::llround(each ? per_step : per_step * static_cast<double>(steps)));
    if (only_in.size() == 1)
        return count == 1 ? "once"_text() : "%1 times"_text(count);
    if (!each && c.graph.profiler_steps)
        return count == 1 ? "once in %1 steps"_text(steps) : "%1 times in %2 steps"_text(count, steps);
    if (!each || c.recorded_once()) { // of repetitions the last may be cut
        if (c.inputs.run.ranks.size() > 1)
            return count == 1 ? "once on a rank"_text() : "%1 times on a rank"_text(count);
        return count == 1 ? "once in all"_text() : "%1 times in all"_text(count);
    }
    return count == 1 ? "once a step"_text() : "%1 times a step"_text(count);
}

double confidence_of(std::size_t seen, std::size_t steps) {
    // Laplace's rule of succession: that a step shows it.
    return (static_cast<double>(seen) + 1) / (static_cast<double>(steps) + 2);
}

namespace {

/// who_meets(), but all ranks together where the members of some calls are not traced: whom those join is not known.
std::vector<std::uint32_t> joined_ranks(const StepGraph& graph) {
    const auto of_ranks = std::span(graph.kind).first(graph.first_node.back());
    const bool lone = std::ranges::find(of_ranks, NodeKind::lone_communication) != of_ranks.end();
    return lone ? std::vector<std::uint32_t>(graph.first_gpu_node.size()) : who_meets(graph);
}

constexpr double kThere = 0.75;        ///< of what it costs in its worst step: the step has the fault
constexpr double kWithoutFault = 0.25; ///< and less: it has not
constexpr double kErrors = 2.5;        ///< standard errors by which the steps contradict the replay
constexpr double kMostWrong = 0.5;     ///< of a cost: steps that differ by more differ for another reason as well
constexpr double kSameWork = 0.005;    ///< of the events of a step on the GPUs: by which steps alike differ at most
constexpr std::size_t kFewSteps = 2;   ///< with the fault, and without it
constexpr double kMayBeChance = 0.5;   ///< confidence below which the sentence says so

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

void add_fault(FindingContext& c, const Candidate& candidate, double cost, bool hidden, std::vector<Finding>& found) {
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
    c.told.emplace_back(finding.ranks, candidate.remove);
    c.repair(candidate.remove);
    found.push_back(std::move(finding));
}

/// What the faults told so far leave of the candidate's cost is next to nothing, and they concern its ranks: they are
/// the same fault. A host that is slow starts late as well.
bool told_already(const FindingContext& c, const Candidate& candidate, double alone) {
    if (c.told.empty())
        return false;
    const std::vector<int> ranks = candidate.describe().ranks;
    GraphTimes times = c.graph.times;
    bool any = false;
    for (const auto& [of, remove] : c.told) {
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
    const std::span<Finding> faults = std::span(found).last(c.told.size());
    std::vector<SavedBySteps> steps;
    for (const auto& [ranks, remove] : c.told)
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

/// A fault costs what a step would be shorter without it alone. One that others hide (its rank would wait anyway) costs
/// what it does once they are gone.
void find_faults(FindingContext& c, std::vector<Finding>& found) {
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
    c.repaired_time = c.step_time;
    // Those that cost enough alone come first, and are taken out whatever the others are.
    auto next = order.begin();
    for (; next != order.end() && c.share(alone_of(*next)) >= kLeastFault; ++next)
        if (!told_already(c, **next, alone_of(*next)))
            add_fault(c, **next, alone_of(*next), false, found);
    if (!c.repaired)
        return; // and so the others cost what they do alone: too little
    measure_by_steps(c, found);
    c.replay_repaired();
    // Of the others all are tried at once, and the first that costs enough is taken out: then what comes after it costs
    // something else.
    while (next != order.end()) {
        const std::vector<double> times = c.replays.step_times(*c.repaired, removals(std::span(next, order.end())));
        std::vector<double> costs;
        for (std::size_t i = 0; i < times.size(); ++i)
            costs.push_back(c.cost_to_joined(next[static_cast<std::ptrdiff_t>(i)]->ranks, c.repaired_time - times[i]));
        const auto costs_enough =
            std::ranges::find_if(costs, [&](double cost) { return c.share(cost) >= kLeastFault; });
        if (costs_enough == costs.end())
            return;
        next += costs_enough - costs.begin();
        add_fault(c, **next++, *costs_enough, true, found);
        c.replay_repaired();
    }
}

std::vector<FindingFact> facts_of(const LateRank& late) {
    return {{FactName::wait_caused_us_per_other_rank, static_cast<double>(late.cost) / 1000, {}},
            {FactName::arrives_last_at, static_cast<double>(late.times_last), {}},
            {FactName::of_calls, static_cast<double>(late.calls), {}}};
}

/// In Run::ranks.
std::uint32_t index_of(const FindingContext& c, int rank) {
    const auto& ranks = c.inputs.run.ranks;
    return static_cast<std::uint32_t>(std::ranges::find(ranks, rank, [](const auto& r) { return r->rank; }) -
                                      ranks.begin());
}

/// Why a rank comes last though no fault of it was found: what the facts tell of it.
Message no_fault_found_words(const FindingContext& c, int rank) {
    const RankFacts* facts = c.inputs.facts.of_rank(rank);
    const double ratio = facts == nullptr ? 1 : facts->computation_ratio_to_peers.value_or(1);
    const bool longer = ratio >= 1 + kComputesOtherwise;
    const std::string times = fmt::format("{:.2f}", ratio);
    if (facts != nullptr && facts->slowest_kernels &&
        facts->slowest_kernels->excess_ns >= kMostOf * facts->wait_caused_ns) {
        const Message kind = Message::word(compute_kind_word(facts->slowest_kernels->kind));
        const std::string kernels = fmt::format("{:.2f}", facts->slowest_kernels->ratio);
        return longer ? "it computes %1 times as long as its peers, its %2 kernels %3 times"_text(times, kind, kernels)
                      : "its %1 kernels take %2 times as long as its peers'"_text(kind, kernels);
    }
    return longer ? "it computes %1 times as long as its peers"_text(times)
                  : "the recording does not show why: nothing on it takes clearly longer than on its peers"_text();
}

/// Where the host of a rank takes longer than its peers' by a pause in half of its steps or more: what that is at each
/// of these nodes. The sum over all nodes may hide it: a host that is quick elsewhere waits there for its GPU.
struct RepeatedPause {
    std::vector<std::pair<std::uint32_t, TimeNs>> nodes; ///< ns beyond the peers
    double per_step_ns = 0;
};
RepeatedPause repeated_pause(const FindingContext& c, std::uint32_t rank) {
    const TimeNs least = shortest_pause(c);
    RepeatedPause pause;
    std::set<std::uint32_t> steps;
    for (std::uint32_t n = c.graph.first_node[rank]; n < c.graph.first_gpu_node[rank]; ++n) {
        const OwnExcess own = own_excess(c.graph, c.peers, n);
        const TimeNs longer = (own.cause == OwnCause::host_bound ? own.time : 0) + excess_before(c.graph, c.peers, n);
        if (c.graph.step[n] == kNoNode || longer < least)
            continue;
        pause.nodes.emplace_back(n, longer);
        pause.per_step_ns += static_cast<double>(longer) / static_cast<double>(c.steps);
        steps.insert(c.graph.step[n]);
    }
    if (!c.graph.profiler_steps || c.steps < kStepsThatTell || 2 * steps.size() < c.steps)
        return {};
    return pause;
}

/// The rank that the window's headline and metric straggler_lag call late (rank_spread.h) is always told: by the faults
/// that explain at least half of the others' waiting for it, or else as one that nothing explains.
void explain_late_rank(FindingContext& c, std::vector<Finding>& found) {
    const auto late = c.inputs.late_rank;
    if (!late)
        return;
    const auto& ranks = c.inputs.run.ranks;
    const std::uint32_t rank = index_of(c, late->rank);
    const std::vector<FindingFact> facts = facts_of(*late);
    // What the faults of this rank leave of its lateness. That others are repaired too would say nothing of it, nor
    // would a network that is slow for all.
    GraphTimes own = c.graph.times;
    for (const auto* told : {&c.told, &c.told_of_hosts})
        for (const auto& [of, remove] : *told)
            if (std::ranges::find(of, late->rank) != of.end() && 2 * of.size() <= ranks.size())
                remove(own);
    const double half = c.inputs.late_waits.of_rank[rank] / 2;
    const auto late_with = [&](const GraphTimes& times) {
        const Replays::Replayed now = c.replays.replayed(times);
        return late_waits(c.graph, c.peers, c.inputs.collectives, now.start, now.times).of_rank[rank];
    };
    const auto cause = std::ranges::find_if(
        found, [&](const Finding& f) { return std::ranges::find(f.ranks, late->rank) != f.ranks.end(); });
    // Or what it takes longer is as long as the others wait for it, whatever hides what that costs.
    const bool as_long =
        cause != found.end() && cause->ranks.size() == 1 &&
        std::ranges::any_of(cause->facts, [&](const FindingFact& fact) {
            return fact.name == FactName::excess_us_per_step &&
                   2000 * fact.number * static_cast<double>(c.steps) >= static_cast<double>(late->cost);
        });
    if (cause != found.end() && (as_long || late_with(own) <= half)) {
        cause->facts.insert(cause->facts.end(), facts.begin(), facts.end());
        return;
    }
    const bool compared = !c.peers.across_stages && c.peers.class_size[c.peers.peer_class[rank]] > 1;
    const auto goes_with = [&](const TimesChange& change) {
        GraphTimes changed = own;
        change(changed);
        return late_with(changed) <= half;
    };
    const bool in_turn = takes_turns(longer_than_peers(c.inputs.computation_by_step, c.peers, rank)) &&
                         (of_pipelines(c) || another_has_a_turn(c.inputs.computation_by_step, c.peers, rank)) &&
                         goes_with([&](GraphTimes& times) { even_out_work(c, times); });
    const RepeatedPause pause = compared && !in_turn ? repeated_pause(c, rank) : RepeatedPause{};
    const bool pauses = !pause.nodes.empty() && goes_with([&](GraphTimes& times) {
        for (const auto& [node, longer] : pause.nodes)
            if (const std::uint32_t edge = host_edge(c.graph, node); edge != kNoNode)
                times.lag[edge] = std::max<TimeNs>(0, times.lag[edge] - longer);
    });
    const bool for_host = compared && !in_turn && !pauses && launches_recorded(c.graph) &&
                          goes_with([&](GraphTimes& times) { scale_host(c.graph, 0, false, times); });
    const Candidate candidate = unexplained_lateness(
        c, rank,
        in_turn    ? "most of that is computation which takes longer now on one rank, now on another"_text()
        : pauses   ? "its host pauses for %1 more than its peers'"_text(per_step_words(c, pause.per_step_ns))
        : for_host ? "most of that would be gone if launching took no time"_text()
        : cause != found.end() ? "the other findings about this rank explain less than half of that"_text()
        : compared             ? no_fault_found_words(c, late->rank)
                               : "why cannot be told: no other rank does the same work"_text());
    Finding finding = candidate.describe();
    if (!c.repaired)
        c.repaired_time = c.step_time;
    const double before = c.repaired_time;
    c.repair(candidate.remove);
    c.replay_repaired();
    finding.cost = std::max(0.0, before - c.repaired_time);
    // Others wait for it, and the step would be no shorter; or it is nobody's fault.
    finding.inherent = in_turn || for_host || c.share(finding.cost) < kLeastFault;
    if (pauses) {
        finding.cause = FindingCause::host_bound;
        finding.facts.push_back({FactName::excess_us_per_step, pause.per_step_ns / 1000, {}});
        for (std::size_t i = 0; i < std::min(kEventsShown, pause.nodes.size()); ++i)
            finding.events.push_back(c.event(pause.nodes[i].first));
    }
    finding.facts.insert(finding.facts.end(), facts.begin(), facts.end());
    found.push_back(std::move(finding));
}

/// Who comes late to calls only because of a straggler is named apart from it.
void name_victims(const FindingContext& c, std::span<const WaitOrigin> origins, std::vector<Finding>& found) {
    std::map<int, std::map<int, double>> passed_on; // origin, victim: what each other rank waits for it, ns
    for (std::size_t t = 0; t < origins.size(); ++t) {
        const WaitOrigin& origin = origins[t];
        const auto members = c.graph.edges_of(c.graph.first_node.back() + static_cast<std::uint32_t>(t)).size();
        if (origin.rank != kNoNode && origin.rank != origin.last && members > 1)
            passed_on[c.rank_number(origin.rank)][c.rank_number(origin.last)] +=
                static_cast<double>(origin.waited) / static_cast<double>(members - 1);
    }
    for (Finding& finding : found) {
        if (finding.code != FindingCode::straggler)
            continue;
        std::map<int, double> victims;
        for (const int rank : finding.ranks)
            for (const auto& [victim, wait] : passed_on[rank])
                victims[victim] += wait;
        double most = 0;
        for (const auto& [victim, wait] : victims) {
            if (std::ranges::find(finding.ranks, victim) != finding.ranks.end() ||
                c.share(wait / static_cast<double>(c.steps)) < kUnhealthy)
                continue;
            finding.victims.push_back(victim);
            most = std::max(most, wait);
        }
        if (finding.victims.empty())
            continue;
        finding.facts.push_back({FactName::passed_on_us_per_step, most / 1000 / static_cast<double>(c.steps), {}});
    }
}

/// A rank that saves a checkpoint, or the like, makes copies, waits for them and pauses in the same steps: one finding,
/// of the costlier kind, with the cost of both.
void join_pauses(std::vector<Finding>& found) {
    const auto is_extra = [](const Finding& f) {
        return f.code == FindingCode::straggler && f.cause == FindingCause::more_kernels;
    };
    const auto is_wait = [](const Finding& f) {
        return f.code == FindingCode::straggler && f.cause == FindingCause::synchronisation;
    };
    const auto is_pause = [](const Finding& f) { return f.code == FindingCode::host_pauses; };
    const auto in_same_steps = [](const Finding& a, const Finding& b) {
        return a.first_iteration && a.first_iteration == b.first_iteration && a.last_iteration == b.last_iteration;
    };
    for (auto pause = found.begin(); pause != found.end(); ++pause) {
        const auto other = std::ranges::find_if(found, [&](const Finding& f) {
            const bool fits = is_pause(*pause) ? is_extra(f) || is_wait(f) : is_wait(*pause) && is_extra(f);
            return fits && !f.hidden && !pause->hidden && !f.ranks.empty() && f.ranks == pause->ranks &&
                   f.inherent == pause->inherent && in_same_steps(f, *pause);
        });
        if (other == found.end())
            continue;
        const bool keep = pause->cost >= other->cost;
        Finding& kept = keep ? *pause : *other;
        const Finding& joined = keep ? *other : *pause;
        kept.title += joined.only_copies ? ", where it also makes more copies than its peers"_text()
                      : is_extra(joined) ? ", where it also runs more kernels than its peers"_text()
                      : is_wait(joined)  ? ", where its host also waits for the GPU"_text()
                                         : ", where its host also pauses"_text();
        kept.facts.push_back({FactName::joined_cost_us_per_step, joined.cost / 1000, {}});
        for (const FindingFact& fact : joined.facts) // that it is the late rank: why_late()
            if (fact.name == FactName::wait_caused_us_per_other_rank || fact.name == FactName::arrives_last_at ||
                fact.name == FactName::of_calls)
                kept.facts.push_back(fact);
        kept.cost += joined.cost;
        found.erase(keep ? other : pause);
        return join_pauses(found);
    }
}

/// Of what was judged, that it is healthy; of the rest, that it was not judged. host_told: a finding says that the
/// GPU waits for the host, or does nothing, so that nobody wants to hear that the host has no fault.
/// differ: facts forbid to call the ranks healthy.
Message health_words(const Run& run, const Judged& judged, bool host_told, bool differ, const Message& step) {
    std::vector<Message> healthy;
    std::vector<Message> unknown;
    if (!judged.ranks || !differ)
        (judged.ranks ? healthy : unknown).push_back(run.left_out > 0 ? "the other ranks"_text() : "ranks"_text());
    (judged.links ? healthy : unknown).push_back("links"_text());
    if (judged.links && !judged.network)
        unknown.push_back("the network between machines"_text());
    if (!judged.host || !host_told)
        (judged.host ? healthy : unknown).push_back("the host"_text());
    if (const std::size_t untraced = run.untraced_ranks(); untraced > 0 && (judged.ranks || judged.links))
        unknown.push_back(run.source == TraceSource::xplane
                              ? "%1 of %2 devices (no events)"_text(untraced, run.world_size)
                              : "%1 of %2 ranks (no trace)"_text(untraced, run.world_size));
    Message text;
    if (!healthy.empty())
        text = "No fault of %1 costs 1 % of %2."_text(listed(healthy, "%1 or %2"_text), step);
    if (!text.empty() && !unknown.empty())
        text += ' ';
    if (!unknown.empty())
        text += "Not judged: %1."_text(listed(unknown, "%1 and %2"_text));
    return text;
}

/// What is first said of the run: the largest cost, of whatever kind. nullptr: nothing costs 1 %.
/// together: ns a step that the faults of ranks and links cost, where there are several; 0: not known.
const Finding* head_of(const std::vector<Finding>& list, double together) {
    const auto costly = std::ranges::find_if(list, [](const Finding& f) { return f.share >= kUnhealthy; });
    if (costly == list.end() || list.front().code == FindingCode::clock_misfit)
        return nullptr;
    // Faults that hide each other cost little each, and together more than anything else.
    const auto fault =
        std::ranges::find_if(list, [](const Finding& f) { return !f.inherent && f.code != FindingCode::clock_misfit; });
    return costly->inherent && together > costly->cost && fault != list.end() ? &*fault : &*costly;
}

/// told: what is said of the largest cost, head; then how many faults there are, or what is healthy.
/// differ: what facts say of the ranks.
Message summary_words(const Run& run, const Findings& findings, const Finding* head, Message told, double together,
                      const RanksDiffer& differ, const Message& step) {
    const auto& list = findings.list;
    if (!list.empty() && list.front().code == FindingCode::clock_misfit)
        return "The clocks of the ranks do not fit: what is said across ranks is not to be trusted."_text();
    const auto faults = std::ranges::count_if(list, &Finding::is_costly_fault);
    if (faults > 1) {
        told += ' ';
        return told += together > 0
                           ? "%1 faults cost more than 1 % of %2, together %3."_text(faults, step, time_words(together))
                           : "%1 faults cost more than 1 % of %2."_text(faults, step);
    }
    if (faults == 1)
        return head != nullptr && head->inherent ? told += " One fault costs more than 1 % as well."_text() : told;
    const bool host_told = std::ranges::any_of(list, [](const Finding& f) {
        return (f.code == FindingCode::host_bound || f.code == FindingCode::gpu_idle) && f.share >= kUnhealthy;
    });
    Message all = differ.sentence;
    for (const Message& part : {told, health_words(run, findings.judged, host_told, differ.any(), step)}) {
        if (!all.empty() && !part.empty())
            all += ' ';
        all += part;
    }
    return all;
}

/// "Rank 2: gemm kernels take 1.68× as long as peers'. Cost: 20.69 ms of a 72.24 ms step."
Message short_words(const Run& run, const Finding& finding) {
    Message words = headline_words(run, finding);
    if (finding.iterations.size() > 1) // of one step the cost says which
        words += finding.when;
    if (!finding.cost_words.empty())
        words = finding.hidden ? "%1. Cost once the other findings are dealt with: %2"_text(words, finding.cost_words)
                               : "%1. Cost: %2"_text(words, finding.cost_words);
    return words.as_sentence();
}

bool has_gpu_work(const StepGraph& graph) {
    for (std::size_t r = 0; r < graph.first_gpu_node.size(); ++r)
        if (graph.first_gpu_node[r] < graph.first_node[r + 1])
            return true;
    return false;
}

/// Exporters for communication keep its kernels only: nothing tells what lies between them.
bool calls_alone(const FindingContext& c) {
    const auto of_ranks = std::span(c.graph.kind).first(c.graph.first_node.back());
    return !recorded(c.inputs.run).gpu_work ||
           (c.inputs.run.source != TraceSource::operations && !launches_recorded(c.graph) &&
            std::ranges::none_of(of_ranks, [](NodeKind kind) {
                return kind == NodeKind::compute || kind == NodeKind::memory_copy || kind == NodeKind::memory_set;
            }));
}

/// Start to end of a step on the host, mean over ranks, ns; 0 without profiler steps.
double host_step_time(const Run& run, const StepGraph& graph) {
    double sum = 0;
    std::size_t steps = 0;
    for (const GraphStep& step : graph.steps)
        if (graph.profiler_steps && has_known_end(*run.ranks[step.rank], step.number)) {
            sum += static_cast<double>(step.range.length());
            ++steps;
        }
    return steps == 0 ? 0 : sum / static_cast<double>(steps);
}

/// Two times of a step that are told as one: the facts', and that of a replay.
bool same_step(double ns, double other_ns) { return std::abs(ns - other_ns) <= kReplayError * other_ns; }

/// As a number is said: "eight", "81.0", "11.2 ms" and "18 us", not "110 ms".
bool begins_with_a_vowel(std::string_view number) {
    const std::size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
    return number.starts_with('8') || (digits == 2 && (number.starts_with("11") || number.starts_with("18")));
}

/// "a 15.77 ms step"; without steps the time that mean_step_time() counts.
Message what_is_looked_at(const FindingContext& c) {
    // The replay aligns the ranks' clocks: its step may differ by a little from the one that the facts show.
    const double shown = c.inputs.facts.fill.step_ns;
    const bool same = (!c.recorded_once() || c.inputs.facts.behind_queued_work) && same_step(shown, c.step_time);
    const std::string time = time_words(same ? shown : c.step_time);
    if (!c.recorded_once())
        return (begins_with_a_vowel(time) ? "an %1 step"_text : "a %1 step"_text)(time);
    const bool mean = c.inputs.run.ranks.size() > 1;
    if (c.inputs.facts.behind_queued_work)
        return mean ? "the %1 (mean of the ranks) from the end of earlier work to the last GPU work"_text(time)
                    : "the %1 from the end of earlier work to the last GPU work"_text(time);
    if (launches_recorded(c.graph))
        return mean ? "the %1 (mean of the ranks) from the first launch to the last GPU work"_text(time)
                    : "the %1 from the first launch to the last GPU work"_text(time);
    return mean ? "the %1 (mean of the ranks) from the first to the last GPU work"_text(time)
                : "the %1 from the first to the last GPU work"_text(time);
}

/// Of a finding whose cost is that of the ranks which calls join to it (cost_to_joined()), as of one of several jobs
/// side by side: their step. whole: what_is_looked_at().
Message step_of(const FindingContext& c, const Finding& finding, const Message& whole) {
    if (finding.code != FindingCode::straggler || c.recorded_once() || finding.ranks.empty() ||
        c.cost_to_joined(finding.ranks, 1) <= 1)
        return whole;
    double sum = 0;
    double ranks = 0;
    for (const std::uint32_t r : c.joined_to(finding.ranks))
        if (const RankFacts* facts = c.inputs.facts.of_rank(c.rank_number(r))) {
            sum += facts->fill.step_ns;
            ++ranks;
        }
    if (ranks == 0 || same_step(sum / ranks, c.inputs.facts.fill.step_ns))
        return whole;
    const std::string time = time_words(sum / ranks);
    if (begins_with_a_vowel(time))
        return (c.inputs.run.rank(finding.ranks.front())->job > 0 ? "an %1 step of its job"_text
                                                                  : "an %1 step of these ranks"_text)(time);
    return c.inputs.run.rank(finding.ranks.front())->job > 0 ? "a %1 step of its job"_text(time)
                                                             : "a %1 step of these ranks"_text(time);
}

/// ns, in one of the steps that it is told of; of what is in all of them its cost.
double cost_of_each(const FindingContext& c, const Finding& finding) {
    const std::size_t affected = finding.iterations.size();
    if (affected == 0 || affected >= c.steps)
        return finding.cost;
    return finding.cost_of_affected > 0 ? finding.cost_of_affected
                                        : finding.cost * static_cast<double>(c.steps) / static_cast<double>(affected);
}

/// "206 µs of a 15.77 ms step"; of what is in some steps only also what it costs each of these: "95.71 ms in step 5,
/// 11.96 ms of a 22.18 ms step on average", unless most of the cost is in other steps. step: what_is_looked_at().
Message cost_words(const FindingContext& c, const Finding& finding, bool at_least, const Message& step) {
    const auto bounded = [&](double ns) {
        const std::string time = time_words(ns);
        return finding.at_most ? "at most %1"_text(time) : at_least ? "at least %1"_text(time) : Message(time);
    };
    if (finding.iterations.empty() || finding.iterations.size() >= c.steps)
        return "%1 of %2"_text(bounded(finding.cost), step);
    const double of_each = cost_of_each(c, finding);
    // In the steps in which it is seen, another fault may hide it: it costs time in the others.
    if (of_each < finding.cost)
        return "%1 of %2 on average"_text(bounded(finding.cost), step);
    const Message each = bounded(of_each);
    const std::string mean = time_words(finding.cost);
    return finding.iterations.size() == 1
               ? "%1 in step %2, %3 of %4 on average"_text(each, *finding.first_iteration, mean, step)
               : "%1 in each of %2 steps, %3 of %4 on average"_text(each, finding.iterations.size(), mean, step);
}

bool explains_late_rank(const Finding& finding) {
    return std::ranges::any_of(
        finding.facts, [](const FindingFact& f) { return f.name == FactName::wait_caused_us_per_other_rank; });
}

/// Why the rank that the others wait for costs less than they wait. Empty: it does not, or the finding is not about it.
Message wait_left_words(const FindingContext& c, const Finding& finding) {
    const auto& late = c.inputs.late_rank;
    const RankFacts* const rank = late && explains_late_rank(finding) ? c.inputs.facts.of_rank(late->rank) : nullptr;
    // Of ranks of several jobs the cost is the mean of the jobs, and each waits for its own rank alone.
    const auto job_of = [&](int number) { return c.inputs.run.rank(number)->job; };
    if (std::ranges::any_of(finding.ranks, [&](int number) { return job_of(number) != job_of(finding.ranks[0]); }))
        return {};
    if (rank == nullptr || finding.hidden || finding.cost >= (1 - kNearlyAlike) * rank->wait_caused_ns)
        return {};
    return " The others wait %1 for rank %2; the rest of that they would wait for something else."_text(
        per_step_words(c, rank->wait_caused_ns), rank->rank);
}

/// Of a rank whose GPU work takes longer, where each rank has but a part of a GPU: ranks on one GPU share its memory
/// and its copies. Nothing records how much faster the peers were if this rank were. On an H200 in four parts, costs
/// are 3 to 15 % too low for it (tests/data/real). Empty elsewhere. A card of two dies gives each rank one of them.
Message shared_gpu_words(const FindingContext& c, const Finding& finding) {
    constexpr double kOneOfTwoDies = 0.5;
    const bool of_gpu = finding.cause == FindingCause::slower_kernels || finding.cause == FindingCause::more_kernels ||
                        finding.cause == FindingCause::slower_copies;
    const double share = multiprocessor_share(c.inputs.run);
    if (finding.code != FindingCode::straggler || !of_gpu || share >= kOneOfTwoDies)
        return {};
    return " The cost may be larger: a rank has about %1 % of a GPU's multiprocessors, and how ranks on one GPU slow "
           "each other is not recorded."_text(fmt::format("{:.0f}", 100 * share));
}

/// Of a run without profiler steps: that the first launch of a rank came before its first step. Empty: none did.
Message slow_first_launch_words(const Run& run, const StepGraph& graph) {
    if (graph.profiler_steps)
        return {};
    for (const GraphStep& step : graph.steps) {
        const auto kinds =
            std::span(graph.kind)
                .subspan(graph.first_node[step.rank], graph.first_gpu_node[step.rank] - graph.first_node[step.rank]);
        const auto launch = std::ranges::find(kinds, NodeKind::launch);
        const auto node = graph.first_node[step.rank] + static_cast<std::uint32_t>(launch - kinds.begin());
        const RankTrace& rank = *run.ranks[step.rank]; // those of the other ranks take about as long
        if (launch == kinds.end() || graph.start[node] >= step.range.begin || end_of_queued_work(rank))
            continue;
        return " The first launch of rank %1 takes %2: it belongs to no step."_text(
            rank.rank, time_words(static_cast<double>(rank.events.duration[graph.event[node]])));
    }
    return {};
}

/// Of a step without all the faults of ranks and links that are told.
double told_time(const FindingContext& c) {
    return c.replays.step_time(
        c.graph.times,
        [&](GraphTimes& times) {
            for (const auto& [ranks, remove] : c.told)
                remove(times);
        });
}

/// What is told of the run once its faults are gone, in this order, worked out side by side.
void find_the_rest(const FindingContext& c, std::vector<Finding>& found) {
    struct Part {
        void (*find)(const FindingContext&, std::vector<Finding>&);
        bool of_repaired = true; ///< measures by FindingContext::repaired_cost()
    };
    constexpr std::array<Part, 8> kParts{{{find_first_iteration, false},
                                          {find_slower_steps, false},
                                          {find_uneven_work},
                                          {find_exposed_communication},
                                          {find_exposed_copies},
                                          {find_host_bound},
                                          {find_bubbles},
                                          {find_clock_misfit, false}}};
    std::array<std::vector<Finding>, kParts.size()> lists;
    tbb::parallel_for(std::size_t{0}, kParts.size(),
                      [&](std::size_t i) { run_apart([&] { kParts[i].find(c, lists[i]); }); });
    const bool repaired = c.repaired && c.share(c.step_time - c.repaired_time) >= kUnhealthy;
    for (std::size_t i = 0; i < kParts.size(); ++i)
        for (Finding& finding : lists[i]) {
            finding.once_mended = repaired && kParts[i].of_repaired;
            found.push_back(std::move(finding));
        }
}

// Of a log of collectives: a rank that is late to nearly all of several calls, by more than clocks and launches differ.
constexpr std::int64_t kLeastCalls = 8;
constexpr double kNearlyAll = 0.9;
constexpr double kLeastLag = 50'000;

/// Calls of one kind and size in one communicator, and which of them a rank was last to.
struct LateCalls {
    std::size_t calls = 0;
    std::vector<std::pair<TimeNs, std::uint32_t>> last; ///< lag, index in StragglerAnalysis::calls
    std::vector<TimeNs> alone;                          ///< by how much it came after the last of the others
};

/// Ranks that come last to nearly all calls of a kind. A call right behind another starts as that one ends, so that who
/// is last to it says nothing: kinds and sizes are looked at apart.
std::vector<Finding> late_to_calls(const FindingContext& c) {
    const CollectiveMatching& matching = c.inputs.collectives;
    const auto& calls = c.inputs.stragglers.calls;
    using Sort = std::tuple<std::uint32_t, CollectiveKind, std::int64_t>; // group, kind, elements
    std::map<std::pair<std::uint32_t, Sort>, LateCalls> of_rank;
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        const MatchedCall& matched = matching.matched[calls[i].call];
        const CommCall& call = matching.call(matched.members.front());
        const Sort sort{matched.group, matched.kind, call.args == nullptr ? kUnknown : call.args->in_elements};
        for (const auto& member : matched.members)
            ++of_rank[{member.first, sort}].calls;
        if (calls[i].lag > 0) {
            LateCalls& late = of_rank[{calls[i].last_rank, sort}];
            late.last.emplace_back(calls[i].lag, i);
            late.alone.push_back(calls[i].apart);
        }
    }
    std::map<std::uint32_t, std::pair<double, Finding>> worst; // by rank: of the most lag in all
    for (auto& [key, late] : of_rank) {
        const auto& [rank, sort] = key;
        if (static_cast<std::int64_t>(late.calls) < kLeastCalls ||
            static_cast<double>(late.last.size()) < kNearlyAll * static_cast<double>(late.calls))
            continue;
        std::ranges::sort(late.last);
        const double median = static_cast<double>(late.last[late.last.size() / 2].first);
        // Ranks that come late together wait for something that they share.
        if (static_cast<double>(upper_median(late.alone)) < static_cast<double>(kLeastLag))
            continue;
        double sum = 0;
        for (const auto& [lag, call] : late.last)
            sum += static_cast<double>(lag);
        if (const auto known = worst.find(rank); known != worst.end() && known->second.first >= sum)
            continue;
        const CommGroup& group = matching.groups[std::get<0>(sort)];
        Finding finding;
        finding.code = FindingCode::straggler;
        finding.cause = FindingCause::unexplained;
        finding.ranks = {c.rank_number(rank)};
        finding.group = group.label();
        finding.title = "Rank %1 arrives last at %2 of %3 %4 calls of %5, %6 late on median; what it does between its "
                        "calls is not recorded."_text(c.rank_number(rank), late.last.size(), late.calls,
                                                      std::string(collective_kind_word(std::get<1>(sort))),
                                                      group_words(finding.group), time_words(median));
        finding.facts = {{FactName::calls_arrived_last_at, static_cast<double>(late.last.size()), {}},
                         {FactName::calls_of_group, static_cast<double>(late.calls), {}},
                         {FactName::median_lag_us, median / 1000, {}}};
        for (const auto& member : matching.matched[calls[late.last.back().second].call].members)
            if (member.first == rank) {
                const CommCall& call = matching.call(member);
                finding.events.push_back({rank, call.event, call.range});
            }
        finding.confidence = kHappened;
        worst.insert_or_assign(rank, std::pair(sum, std::move(finding)));
    }
    std::vector<Finding> found;
    for (auto& [rank, finding] : worst)
        found.push_back(std::move(finding.second));
    return found;
}

/// What a log of collectives tells: the speed of links. What the GPUs do between the calls is not in it, so that
/// nothing else is judged, and nothing has a cost.
Findings of_calls_alone(FindingContext& c) {
    Findings result;
    result.judged.links = judge(c, {}).links;
    result.judged.not_judged = {"Only collectives are recorded: why a rank is late, and whether the GPUs wait for the "
                                "host, cannot be told."_text()};
    std::vector<Finding> found;
    if (recorded(c.inputs.run).times)
        find_clock_misfit(c, found);
    const bool misfit = !found.empty();
    if (recorded(c.inputs.run).times)
        find_faults(c, found);
    else // a replay would tell nothing: what the calls take is known, and not when
        for (const Candidate& candidate : slow_link_candidates(c))
            found.push_back(candidate.describe());
    for (Finding& finding : found) {
        if (finding.code != FindingCode::slow_link && finding.code != FindingCode::clock_misfit)
            continue;
        finding.title += '.';
        finding.cost = 0;
        finding.inherent = false;
        result.list.push_back(std::move(finding));
    }
    if (recorded(c.inputs.run).times && !misfit) // else nobody knows who came when
        std::ranges::move(late_to_calls(c), std::back_inserter(result.list));
    result.healthy = result.judged.links && result.list.empty();
    if (!result.list.empty()) {
        result.head = 0;
        result.summary = result.list.front().title;
        result.summary += ' ';
        result.headline = short_words(c.inputs.run, result.list.front());
        result.headline += ' ';
    }
    const Message unjudged = "Only collectives are recorded: ranks and the host cannot be judged."_text();
    result.summary += unjudged;
    result.headline += unjudged;
    return result;
}

} // namespace

const Finding* why_late(const Findings& findings, int rank) {
    const auto tells = [&](const Finding& finding) {
        return explains_late_rank(finding) && std::ranges::find(finding.ranks, rank) != finding.ranks.end();
    };
    const auto found = std::ranges::find_if(findings.list, tells);
    return found == findings.list.end() ? nullptr : &*found;
}

std::string FindingFact::word() const {
    std::string whole(fact_word(name));
    return of.empty() ? whole : whole + '_' + of;
}

Findings find_findings(const FindingInputs& inputs) {
    count_work("find_findings");
    const StepGraph& graph = inputs.step_graph;
    Findings result;
    if (!has_gpu_work(graph)) {
        result.healthy = false;
        result.headline = result.summary =
            "There is no GPU work in the selection: ranks, links and the host cannot be judged."_text();
        result.judged.not_judged = {result.summary};
        return result;
    }
    FindingContext context{.inputs = inputs,
                           .graph = graph,
                           .replays = Replays(graph, &inputs.beside, &inputs.shared_links),
                           .replays_as_computed = Replays(graph, nullptr, &inputs.shared_links),
                           .experts = inputs.experts,
                           .peers = inputs.peers,
                           .communication = inputs.communication};
    context.step_time = result.step_time = mean_step_time(graph, graph.start, graph.times);
    context.steps = step_count(graph);
    context.numbers = step_numbers(graph);
    context.joined = joined_ranks(graph);
    context.jump = find_clock_jump(inputs.collectives);
    if (calls_alone(context))
        return of_calls_alone(context);
    if (inputs.run.source == TraceSource::operations) { // of which the step graph knows no dependencies
        const OperationGraph operations = operation_graph_of(inputs);
        find_in_operations(context, operations, result.list);
        find_slower_steps(context, result.list);
        result.judged = judge_operations(operations);
    } else {
        find_faults(context, result.list);
        if (!inputs.threads_in_parallel)
            find_host_faults(context, result.list);
        explain_late_rank(context, result.list);
        result.origins = origins_by_faults(context);
        name_victims(context, result.origins, result.list);
        find_the_rest(context, result.list);
        join_pauses(result.list);
        find_idle(context, result.list);
        result.judged = judge(context, result.list);
    }
    const double host = host_step_time(inputs.run, graph);
    const Message step = what_is_looked_at(context);
    // A call of which members are not traced, or not known, keeps its time, though it may be a wait for the rank at
    // fault.
    constexpr double kHardlyAny = 0.02; // of the time of communication
    const bool waits_unseen =
        graph.without_partners > kHardlyAny || (std::cmp_less(inputs.run.ranks.size(), inputs.run.world_size) &&
                                                std::ranges::any_of(inputs.communication, &CommunicationNode::lone));
    for (Finding& finding : result.list) {
        hold_to_bound(context, finding);
        // What seems to be communication, or a bubble, may be a wait for a rank that nobody recorded.
        if (waits_unseen &&
            (finding.code == FindingCode::exposed_communication || finding.code == FindingCode::pipeline_bubble))
            finding.at_most = true;
    }
    // One step does not show that what others hide in it comes again without them, nor that a rank which takes a little
    // longer in it does so in others: steps of healthy ranks on one real GPU differ by up to 1.7 %.
    constexpr double kLeastOfOneStep = 0.02;
    std::erase_if(
        result.list,
        [&](const Finding& f) {
            const bool once = graph.profiler_steps && context.steps < 2 && !f.inherent;
            return (f.at_most && context.share(f.cost) < kLeastFault) || (once && f.hidden) ||
                   (once && f.code == FindingCode::straggler && context.share(f.cost) < kLeastOfOneStep);
        });
    const bool any_fault = std::ranges::any_of(result.list, [](const Finding& f) { return !f.inherent; });
    for (Finding& finding : result.list) {
        finding.share = context.share(finding.cost);
        if (finding.cost > 0) {
            const Message cost = finding.cost_words =
                cost_words(context, finding, finding.code == FindingCode::straggler && waits_unseen,
                           step_of(context, finding, step));
            finding.title += finding.hidden ? ". Other findings hide it. Cost once they are dealt with: %1."_text(cost)
                             : !finding.once_mended ? ". Cost: %1."_text(cost)
                             : any_fault            ? ". Cost once the faults are fixed: %1."_text(cost)
                                                    : ". Cost once the other findings are dealt with: %1."_text(cost);
        } else {
            finding.title += '.';
        }
        finding.cost_of_affected = std::max(finding.cost, cost_of_each(context, finding));
        finding.title += wait_left_words(context, finding);
        finding.title += shared_gpu_words(context, finding);
        if (finding.confidence > 0 && finding.confidence < kMayBeChance)
            finding.title += " It may be chance: few of the steps show it."_text();
        result.healthy = result.healthy && !finding.is_costly_fault() && finding.code != FindingCode::clock_misfit;
    }
    // By what it costs a step that has it, where it costs 1 % on the mean of all steps.
    std::ranges::stable_sort(result.list, {}, [&](const Finding& finding) {
        const double cost = finding.share < kUnhealthy ? finding.cost : finding.cost_of_affected;
        return std::tuple(finding.code != FindingCode::clock_misfit, finding.hidden, -cost);
    });
    // What makes bubbles is told before what is left of them.
    const auto bubble = std::ranges::find(result.list, FindingCode::pipeline_bubble, &Finding::code);
    const auto uneven = std::ranges::find(result.list, FindingCode::uneven_stages, &Finding::code);
    if (bubble != result.list.end() && uneven != result.list.end() && bubble < uneven)
        std::rotate(bubble, uneven, std::next(uneven));
    result.healthy = result.healthy && (result.judged.ranks || result.judged.links || result.judged.host);
    const bool limits_logged = std::ranges::any_of(inputs.run.ranks, [](const auto& rank) { // facts tell of them
        return !hardware_samples(*rank, HardwareQuantity::limited_by_power).empty();
    });
    if (result.healthy && result.judged.ranks && !limits_logged)
        result.judged.not_judged.push_back("Ranks are compared with each other: what slows all GPUs alike, such as a "
                                           "limit of their power, does not show that way."_text());
    // What counts as a fault of 1 % may include others than those, whose joint cost is not known.
    const bool only_these = std::ranges::all_of(result.list, [](const Finding& f) {
        if (f.code == FindingCode::expert_imbalance)
            return !f.inherent; // it is told as well, and is no fault
        return !f.is_costly_fault() || (f.code == FindingCode::straggler && f.cause != FindingCause::unexplained) ||
               f.code == FindingCode::slow_link;
    });
    double together = context.told.size() > 1 && only_these ? context.step_time - told_time(context) : 0;
    // Of ranks that calls do not join, a mean says less.
    if (std::ranges::any_of(result.list, [&](const Finding& f) { return f.is_costly_fault() && f.cost > together; }))
        together = 0;
    const RanksDiffer differ = result.healthy && result.judged.ranks && inputs.run.ranks.size() > 1
                                   ? ranks_differ(inputs, result.list, step)
                                   : RanksDiffer();
    result.healthy = result.healthy && differ.sentence.empty();
    const Finding* const head = head_of(result.list, together);
    if (head != nullptr)
        result.head = static_cast<std::size_t>(head - result.list.data());
    const auto summary_of = [&](Message told) {
        Message text = summary_words(inputs.run, result, head, std::move(told), together, differ, step);
        text += slow_first_launch_words(inputs.run, graph);
        // Where the GPU is behind the host, what metric iter_time calls a step is only the host's part of it.
        if (host_runs_ahead(host, context.step_time))
            text += " On the host a step takes %1 (iter_time)."_text(time_words(host));
        return text;
    };
    result.summary = summary_of(head != nullptr ? head->title : Message());
    result.headline = summary_of(head != nullptr ? short_words(inputs.run, *head) : Message());
    return result;
}

} // namespace rankscope
