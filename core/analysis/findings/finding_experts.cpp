// SPDX-License-Identifier: GPL-3.0-or-later
// Experts that get more tokens than others, so that the other ranks of their group wait.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "core/analysis/findings/finding_parts.h"
#include "core/base/statistics.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

struct UnevenGroup {
    std::vector<const ExpertRound*> rounds;
    std::map<std::uint32_t, std::size_t> times_busiest; ///< per rank
    TimeNs saved = 0;                                   ///< what even tokens take off the busiest member

    /// The rank that is the busiest in most rounds, or far busier in some than any other ever is; kNoNode: now one and
    /// now another.
    [[nodiscard]] std::uint32_t hot() const;
};

std::uint32_t UnevenGroup::hot() const {
    constexpr double kFar = 1.1;
    constexpr std::size_t kRoundsThatTell = 8;
    const auto busiest = std::ranges::max_element(times_busiest, {}, [](const auto& one) { return one.second; });
    if (2 * busiest->second > rounds.size())
        return busiest->first;
    std::map<std::uint32_t, double> highest; // of each rank
    for (const ExpertRound* round : rounds)
        for (std::size_t m = 0; m < round->ranks.size(); ++m)
            highest[round->ranks[m]] = std::max(highest[round->ranks[m]], round->load[m]);
    const auto rank = std::ranges::max_element(highest, {}, [](const auto& one) { return one.second; })->first;
    double of_others = 0;
    for (const auto& [other, load_of_it] : highest)
        of_others = other == rank ? of_others : std::max(of_others, load_of_it);
    std::size_t far = 0;
    for (const ExpertRound* round : rounds)
        for (std::size_t m = 0; m < round->ranks.size(); ++m)
            far += round->ranks[m] == rank && round->load[m] >= kFar * of_others ? 1 : 0;
    return far >= kRoundsThatTell ? rank : kNoNode;
}

/// Tokens of a round that go to the rank / tokens that go to the others. 0: none does, or all do.
double odds_of(const ExpertRound& round, std::uint32_t rank) {
    const auto member = static_cast<std::size_t>(std::ranges::find(round.ranks, rank) - round.ranks.begin());
    const auto count = static_cast<double>(round.load.size());
    const double load = member == round.ranks.size() ? 0 : round.load[member];
    return load < count ? load / (count - load) : 0;
}

/// One rank is at fault: its odds_of() are divided by the factor. Rounds go on to differ as they did.
void cool_down(const FindingContext& c, const ExpertRound& round, std::uint32_t hot, double factor, GraphTimes& times) {
    const double odds = odds_of(round, hot);
    if (odds <= 0 || factor <= 1)
        return;
    const double of_hot = (1 + odds) / (factor + odds); // tokens after, by tokens before
    const double of_others = factor * of_hot;
    double most = 0;
    for (std::size_t m = 0; m < round.load.size(); ++m)
        most = std::max(most, round.load[m] * (round.ranks[m] == hot ? of_hot : of_others));
    for (const std::uint32_t n : {round.dispatch, round.combine})
        times.duration[n] = round.transfer_time(times.duration[n], most);
    for (const std::uint32_t n : round.work)
        times.duration[n] =
            std::llround(static_cast<double>(times.duration[n]) * (c.graph.rank[n] == hot ? of_hot : of_others));
}

std::map<std::uint32_t, UnevenGroup> uneven_groups(const FindingContext& c) {
    std::map<std::uint32_t, UnevenGroup> groups;
    for (const ExpertRound& round : c.experts.rounds) {
        UnevenGroup& group = groups[round.group];
        group.rounds.push_back(&round);
        const auto busiest = std::ranges::max_element(round.load) - round.load.begin();
        const std::uint32_t rank = round.ranks[static_cast<std::size_t>(busiest)];
        ++group.times_busiest[rank];
        const auto save = [&](std::uint32_t n) {
            group.saved +=
                static_cast<TimeNs>(static_cast<double>(c.graph.times.duration[n]) * (1 - c.experts.even[n]));
        };
        save(round.dispatch);
        save(round.combine);
        for (const std::uint32_t n : round.work)
            if (c.graph.rank[n] == rank)
                save(n);
    }
    return groups;
}

/// Whose kernels a sentence about the group tells of in a round.
std::uint32_t told_rank(const ExpertRound& round, std::uint32_t hot) {
    return hot != kNoNode
               ? hot
               : round.ranks[static_cast<std::size_t>(std::ranges::max_element(round.load) - round.load.begin())];
}

/// In which steps the rank's experts have more to do; empty: in all of them.
Onset onset_of_rank(const FindingContext& c, const UnevenGroup& group, std::uint32_t hot) {
    std::map<std::int64_t, double> by_step;
    for (const ExpertRound* round : group.rounds)
        for (const std::uint32_t n : round->work)
            if (const GraphStep* step = c.graph.rank[n] == hot ? c.graph.step_of(n) : nullptr)
                by_step[step->number] += static_cast<double>(c.graph.times.duration[n]) * (1 - c.experts.even[n]);
    return onset_of(c, by_step);
}

/// nullptr outside of all.
const GraphStep* step_of(const FindingContext& c, const ExpertRound& round) {
    return c.graph.step_of(c.graph.edges_of(round.dispatch).front().from);
}

std::vector<const ExpertRound*> rounds_in(const FindingContext& c, const UnevenGroup& group, const Onset& onset) {
    if (!in_some_steps(c, onset))
        return group.rounds;
    std::vector<const ExpertRound*> rounds;
    for (const ExpertRound* round : group.rounds) {
        const GraphStep* const step = step_of(c, *round);
        if (step != nullptr && onset.steps.contains(step->number))
            rounds.push_back(round);
    }
    return rounds;
}

/// How many times as often a token goes to this rank as to another one, by round. Rounds at the same place of their
/// steps are of one layer: each has their median.
std::map<const ExpertRound*, double> times_as_often(const FindingContext& c,
                                                    const std::vector<const ExpertRound*>& rounds, std::uint32_t rank) {
    std::map<const GraphStep*, std::size_t> next;
    std::map<std::size_t, std::vector<const ExpertRound*>> places;
    for (const ExpertRound* round : rounds)
        places[next[step_of(c, *round)]++].push_back(round);
    std::map<const ExpertRound*, double> factors;
    for (const auto& [place, alike] : places) {
        std::vector<double> of_steps;
        for (const ExpertRound* round : alike)
            of_steps.push_back(odds_of(*round, rank) * static_cast<double>(round->load.size() - 1));
        const double factor = middle_median(std::move(of_steps));
        for (const ExpertRound* round : alike)
            factors[round] = factor;
    }
    return factors;
}

/// What is said of a step is that of the steps in which the rank is busy.
Finding describe(const FindingContext& c, std::uint32_t index, const UnevenGroup& group) {
    const CommGroup& named = c.inputs.collectives.groups[index];
    const std::uint32_t hot = group.hot();
    const bool one_rank = hot != kNoNode;
    Finding finding;
    finding.code = FindingCode::expert_imbalance;
    finding.group = named.label();
    finding.ranks = one_rank ? std::vector<int>{c.rank_number(hot)} : named.ranks;
    finding.inherent = !one_rank; // tokens scatter, and no rank is at fault
    const Onset onset = one_rank ? onset_of_rank(c, group, hot) : Onset{};
    const bool some = in_some_steps(c, onset);
    const std::set<std::int64_t> onset_steps = some ? onset.steps : std::set<std::int64_t>{};
    const double steps = static_cast<double>(some ? onset.steps.size() : c.steps);
    std::vector<std::pair<TimeNs, std::uint32_t>> longest;
    TimeNs time = 0;
    double even = 0;
    double load = 0;
    double rounds = 0;
    double busiest = 0; // rounds in which that rank is
    for (const ExpertRound* round : rounds_in(c, group, onset)) {
        const std::uint32_t rank = told_rank(*round, hot);
        const auto member = std::ranges::find(round->ranks, rank) - round->ranks.begin();
        const double own = round->load[static_cast<std::size_t>(member)];
        load += own;
        busiest += own >= round->busiest() ? 1 : 0;
        ++rounds;
        for (const std::uint32_t n : round->work) {
            if (c.graph.rank[n] != rank)
                continue;
            longest.emplace_back(c.graph.times.duration[n], n);
            time += c.graph.times.duration[n];
            even += static_cast<double>(c.graph.times.duration[n]) * c.experts.even[n];
        }
    }
    std::sort(longest.begin(), longest.end(), std::greater<>());
    for (const auto& [duration, node] : std::span(longest).first(std::min<std::size_t>(4, longest.size())))
        finding.events.push_back(c.event(node));
    finding.events.push_back(c.event(group.rounds.front()->dispatch));
    load /= std::max(1.0, rounds);
    const std::string times_mean = fmt::format("{:.2f}", load);
    finding.title = one_rank ? "The experts of rank %1 get %2× the mean tokens of %3"_text(
                                   c.rank_number(hot), times_mean, group_words(finding.group))
                             : "Tokens fall unevenly on the experts of %1: the busiest rank, not always the same, gets "
                               "%2× the mean"_text(group_words(finding.group), times_mean);
    if (time > 0) {
        const Message taken = per_step_words(c, static_cast<double>(time) / steps, onset_steps);
        const std::string if_even = time_words(even / steps);
        finding.title += one_rank ? "; their kernels take %1 instead of %2, and the others wait"_text(taken, if_even)
                                  : "; its kernels take %1 instead of %2, and the others wait"_text(taken, if_even);
    }
    finding.facts = {{FactName::busiest_over_mean, load, {}},
                     {FactName::rounds, rounds, {}},
                     {FactName::rounds_busiest, busiest, {}},
                     {FactName::expert_us_per_step, static_cast<double>(time) / 1000 / steps, {}},
                     {FactName::expert_us_per_step_if_even, even / 1000 / steps, {}}};
    if (one_rank) {
        set_onset(c, onset, finding);
        finding.title += since_words(c, onset.steps);
    }
    finding.confidence =
        one_rank ? confidence_of(static_cast<std::size_t>(busiest), static_cast<std::size_t>(rounds)) : 0.8;
    return finding;
}

} // namespace

std::vector<Candidate> expert_candidates(const FindingContext& c) {
    std::vector<Candidate> candidates;
    for (auto& [index, found] : uneven_groups(c)) {
        const double size = static_cast<double>(found.saved) / static_cast<double>(c.steps);
        if (c.share(size) < kLeastFault)
            continue;
        const auto group = std::make_shared<const UnevenGroup>(std::move(found));
        const std::uint32_t hot = group->hot();
        std::map<const ExpertRound*, double> factors; // of the rounds in which that rank is busy
        if (hot != kNoNode)
            factors = times_as_often(c, rounds_in(c, *group, onset_of_rank(c, *group, hot)), hot);
        const auto remove = [&c, group, hot, factors = std::move(factors)](GraphTimes& times) {
            if (hot != kNoNode) {
                for (const auto& [round, factor] : factors)
                    cool_down(c, *round, hot, factor, times);
                return;
            }
            const auto scale = [&](std::uint32_t n) {
                times.duration[n] = std::llround(static_cast<double>(times.duration[n]) * c.experts.even[n]);
            };
            for (const ExpertRound* round : group->rounds) {
                scale(round->dispatch);
                scale(round->combine);
                std::ranges::for_each(round->work, scale);
            }
        };
        candidates.push_back({size, remove, [&c, index = index, group] { return describe(c, index, *group); }});
    }
    return candidates;
}

} // namespace rankscope
