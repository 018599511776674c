// SPDX-License-Identifier: GPL-3.0-or-later
// Experts that get more tokens than others, so that the other ranks of their group wait.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {
namespace {

struct UnevenGroup {
    std::vector<const ExpertRound*> rounds;
    std::map<std::uint32_t, std::size_t> times_busiest; ///< per rank
    std::map<std::uint32_t, double> load;               ///< per rank: sum over rounds
    double most = 0;                                    ///< sum over rounds of the busiest member's load
    TimeNs saved = 0;                                   ///< what even tokens take off the busiest member
};

std::map<std::uint32_t, UnevenGroup> uneven_groups(const FindingContext& c) {
    std::map<std::uint32_t, UnevenGroup> groups;
    for (const ExpertRound& round : c.experts.rounds) {
        UnevenGroup& group = groups[round.group];
        group.rounds.push_back(&round);
        const auto busiest = std::ranges::max_element(round.load) - round.load.begin();
        const std::uint32_t rank = round.ranks[static_cast<std::size_t>(busiest)];
        ++group.times_busiest[rank];
        group.most += round.load[static_cast<std::size_t>(busiest)];
        for (std::size_t m = 0; m < round.ranks.size(); ++m)
            group.load[round.ranks[m]] += round.load[m];
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

Finding describe(const FindingContext& c, std::uint32_t index, const UnevenGroup& group) {
    const CommGroup& named = c.inputs.collectives.groups[index];
    const auto rounds = static_cast<double>(group.rounds.size());
    const auto busiest = std::ranges::max_element(group.times_busiest, {}, [](const auto& one) { return one.second; });
    const bool always_it = 2 * busiest->second > group.rounds.size();
    Finding finding;
    finding.code = "expert_imbalance";
    finding.group = named.description.empty() ? named.name : named.description;
    finding.ranks = always_it ? std::vector<int>{c.rank_number(busiest->first)} : named.ranks;
    std::vector<std::pair<TimeNs, std::uint32_t>> longest;
    TimeNs time = 0;
    double even = 0;
    std::map<std::int64_t, double> by_step; // what the busiest member takes longer
    for (const ExpertRound* round : group.rounds) {
        for (const std::uint32_t n : round->work) {
            if (!always_it || c.graph.rank[n] == busiest->first) {
                longest.emplace_back(c.graph.times.duration[n], n);
                time += c.graph.times.duration[n];
                even += static_cast<double>(c.graph.times.duration[n]) * c.experts.even[n];
                if (const GraphStep* step = c.step_of(n))
                    by_step[step->number] += static_cast<double>(c.graph.times.duration[n]) * (1 - c.experts.even[n]);
            }
        }
    }
    std::sort(longest.begin(), longest.end(), std::greater<>());
    for (const auto& [duration, node] : std::span(longest).first(std::min<std::size_t>(4, longest.size())))
        finding.events.push_back(c.event(node));
    finding.events.push_back(c.event(group.rounds.front()->dispatch));
    const double load = always_it ? group.load.at(busiest->first) / rounds : group.most / rounds;
    const std::string times_mean = fmt::format("{:.2f}", load);
    finding.title = always_it
                        ? "The experts of rank %1 get %2× the mean tokens of %3"_text(c.rank_number(busiest->first),
                                                                                      times_mean, finding.group)
                        : "Tokens fall unevenly on the experts of %1: the busiest rank, not always the same, gets "
                          "%2× the mean"_text(finding.group, times_mean);
    if (time > 0)
        finding.title += "; their kernels take %1 a step instead of %2, and the others wait"_text(
            time_words(static_cast<double>(time) / static_cast<double>(c.steps)),
            time_words(even / static_cast<double>(c.steps)));
    finding.facts = {{"busiest_over_mean", load, {}},
                     {"rounds", rounds, {}},
                     {"rounds_busiest", static_cast<double>(busiest->second), {}},
                     {"expert_us_per_step", static_cast<double>(time) / 1000 / static_cast<double>(c.steps), {}},
                     {"expert_us_per_step_if_even", even / 1000 / static_cast<double>(c.steps), {}}};
    if (always_it) {
        const Onset onset = onset_of(c, by_step);
        set_onset(c, onset, finding);
        finding.title += since_words(c, onset.steps);
    }
    finding.confidence = always_it ? confidence_of(busiest->second, group.rounds.size()) : 0.8;
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
        const auto remove = [&c, group](GraphTimes& times) {
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
