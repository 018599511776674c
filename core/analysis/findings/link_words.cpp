// SPDX-License-Identifier: GPL-3.0-or-later
// The finding about a slow link: its title, facts and events, and which ranks come late to other groups because of it.
//   Example: after slow calls with rank 0, rank 1 comes 3 ms late to calls with rank 2 in each step; were the slow
//   calls as fast as usual, it would not: rank 2 waits 3 ms a step for rank 1.
#include "core/analysis/findings/link_words.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/collectives/network_limits.h"
#include "core/trace/recorded.h"

namespace rankscope {
namespace {

std::string members_words(const std::vector<int>& ranks) {
    constexpr std::size_t kNamed = 8;
    return fmt::format("{}{}", fmt::join(std::span(ranks).first(std::min(ranks.size(), kNamed)), ", "),
                       ranks.size() > kNamed ? ", ..." : "");
}

/// The slow calls are previous ones to the calls of other groups: their ranks come late to those, and others wait
/// there.
void add_late_elsewhere(const FindingContext& c, const SlowLink& slow, Finding& finding) {
    if (slow.groups.size() != 1 || !rankscope::recorded(c.inputs.run).times)
        return; // of several links, who came late for which is not told
    const std::uint32_t group = *slow.groups.begin();
    GraphTimes times = c.graph.times;
    speed_up(slow, times);
    const auto recorded = waits_caused(c, c.graph.start, group);
    const auto repaired = waits_caused(c, replay(c.graph, times), group);
    std::vector<std::pair<double, int>> waited; // for a member, by each of those that it meets elsewhere, a step
    for (std::uint32_t r = 0; r < recorded.size(); ++r) {
        if (std::ranges::find(finding.ranks, c.rank_number(r)) == finding.ranks.end())
            continue;
        std::set<int> others;
        for (std::uint32_t g = 0; g < c.inputs.collectives.groups.size(); ++g) {
            const CommGroup& met = c.inputs.collectives.groups[g];
            if (g != group && !met.point_to_point && std::ranges::find(met.ranks, c.rank_number(r)) != met.ranks.end())
                others.insert(met.ranks.begin(), met.ranks.end());
        }
        if (others.size() > 1)
            waited.emplace_back((recorded[r] - repaired[r]) / static_cast<double>(c.steps * (others.size() - 1)),
                                c.rank_number(r));
    }
    std::ranges::stable_sort(waited, std::ranges::greater(), [](const auto& one) { return one.first; });
    const double more = waited.empty() ? 0 : waited.front().first;
    if (c.share(more) >= kLeastFault) {
        std::vector<int> late;
        for (const auto& [time, rank] : waited)
            if (time >= kTogether * more)
                late.push_back(rank);
        std::ranges::sort(late);
        finding.cause = FindingCause::slow_previous_collective;
        finding.title +=
            plural(late.size(),
                   "; after them its ranks come late to other groups' calls, where each of the others waits %1 a step "
                   "for rank %2"_one,
                   "; after them its ranks come late to other groups' calls, where each of the others waits up to %1 a "
                   "step for ranks %2"_many)(time_words(more), rank_numbers(late));
        finding.facts.push_back({FactName::late_after_it_rank, static_cast<double>(waited.front().second), {}});
        finding.facts.push_back({FactName::waits_elsewhere_us_per_rank_and_step, more / 1000, {}});
    }
}

/// Of a rank whose groups are all slow.
Message title_of_card(const FindingContext& c, const SlowLink& slow, const Message& when, const Message& speeds) {
    std::set<int> partners = ranks_of_link(c, slow);
    partners.erase(*slow.card);
    const bool between = std::ranges::all_of(slow.groups, [&](std::uint32_t group) {
        return c.inputs.machines.way(c.inputs.collectives.groups[group].ranks) == Way::between;
    });
    return plural(partners.size(),
                  "Communication of rank %1 takes up to %2× as long as the same calls of other ranks%3%4. All calls of "
                  "this kind that rank %1 makes are slow, with rank %5: %6 is likely"_one,
                  "Communication of rank %1 takes up to %2× as long as the same calls of other ranks%3%4. All calls of "
                  "this kind that rank %1 makes are slow, with ranks %5: %6 is likely"_many)(
        *slow.card, fmt::format("{:.2f}", slow.ratio), when, speeds, rank_numbers({partners.begin(), partners.end()}),
        between ? "its network card or cable"_text() : "its own link"_text());
}

/// Of a dimension its word; of groups that lie alike how many and an example.
Message layout_words(const FindingContext& c, const SlowLink& slow) {
    if (*slow.dimension != ParallelDimension::unknown)
        return Message(std::string(parallel_dimension_word(*slow.dimension)));
    const CommGroup& first = c.inputs.collectives.groups[*slow.groups.begin()];
    return "%1 groups of %2 ranks each (ranks %3 and so on)"_text(slow.groups.size(), first.ranks.size(),
                                                                  members_words(first.ranks));
}

/// In how many of the groups of its dimension.
Message in_groups_words(const SlowLink& slow) {
    if (*slow.dimension == ParallelDimension::unknown)
        return {};
    const std::size_t groups = slow.groups.size();
    if (slow.against == SlowLink::Against::hardware && slow.measured < groups)
        return ", in %1 of its %2 groups (the calls of the others always run beside calls of the same ranks)"_text(
            slow.measured, groups);
    return groups < slow.of_groups ? ", in %1 of its %2 groups"_text(groups, slow.of_groups)
                                   : ", in all its groups (%1)"_text(groups);
}

/// Of a dimension whose groups are all slow.
Message title_of_dimension(const FindingContext& c, const SlowLink& slow, const Message& when, const Message& speeds) {
    const Message dimension = layout_words(c, slow);
    const Message groups = in_groups_words(slow);
    if (slow.against == SlowLink::Against::own_steps)
        return "Communication of %1 takes up to %2× as long%3 as in the other steps%4%5"_text(
            dimension, fmt::format("{:.2f}", slow.ratio), when, groups, speeds);
    const std::string busbw = fmt::format("{:.3g}", slow.busbw);
    const std::string usual = fmt::format("{:.3g}", slow.usual_busbw);
    return slow.beside_another
               ? "Communication of %1 reaches %2 GB/s between machines at its largest messages%3; another dimension "
                 "reaches %4"_text(dimension, busbw, groups, usual)
               : "Communication of %1 reaches %2 GB/s between machines at its largest messages%3; the network of %4 "
                 "machines usually carries %5"_text(dimension, busbw, groups,
                                                    std::string(usual_network(c.inputs.run)->machine), usual);
}

Message title_of(const FindingContext& c, const SlowLink& slow, const Finding& finding) {
    const auto& groups = c.inputs.collectives.groups;
    const CommGroup& first = groups[*slow.groups.begin()];
    const Message name = group_words(first.label());
    const std::string busbw = fmt::format("{:.3g}", slow.busbw);
    const std::string usual = fmt::format("{:.3g}", slow.usual_busbw);
    const Message speeds = slow.busbw <= 0 ? Message() : ": %1 instead of %2 GB/s"_text(busbw, usual);
    const Message when = onset_words(c, slow.steps);
    if (slow.card)
        return title_of_card(c, slow, when, speeds);
    if (slow.dimension)
        return title_of_dimension(c, slow, when, speeds);
    const std::string members = members_words(finding.ranks);
    const std::string ratio = fmt::format("{:.2f}", slow.ratio);
    switch (slow.against) {
    case SlowLink::Against::other_groups:
        return "Communication of %1 (ranks %2) takes up to %3× as long as the same calls of the other groups%4%5"_text(
            name, members, ratio, when, speeds);
    case SlowLink::Against::own_steps:
        return "Communication of %1 (ranks %2) takes up to %3× as long%4 as in the other steps%5"_text(
            name, members, ratio, when, speeds);
    case SlowLink::Against::hardware: break;
    }
    return "Communication of %1 (ranks %2) reaches %3 GB/s at its largest messages; the network of %4 machines usually "
           "carries %5. No other group of this run tells whether that is usual here"_text(
               name, members, busbw, std::string(usual_network(c.inputs.run)->machine), usual);
}

} // namespace

Finding describe_link(const FindingContext& c, SlowLink& slow) {
    const auto& groups = c.inputs.collectives.groups;
    const CommGroup& first = groups[*slow.groups.begin()];
    Finding finding;
    finding.code = FindingCode::slow_link;
    finding.ranks = slow.card ? std::vector<int>{*slow.card} : slow.within.empty() ? first.ranks : slow.within;
    if (slow.dimension) {
        const std::set<int> ranks = ranks_of_link(c, slow);
        finding.ranks.assign(ranks.begin(), ranks.end());
        if (std::cmp_equal(ranks.size(), c.inputs.run.ranks.size()))
            finding.ranks.clear(); // all
    }
    if (slow.card)
        finding.cause = FindingCause::slow_card;
    else if (slow.against == SlowLink::Against::hardware)
        finding.cause = FindingCause::below_hardware;
    const bool layout = slow.dimension == ParallelDimension::unknown; // which has no name
    finding.group = layout           ? ""
                    : slow.dimension ? std::string(parallel_dimension_word(*slow.dimension))
                                     : first.label();
    finding.title = title_of(c, slow, finding);
    if (slow.busbw > 0) {
        finding.facts.push_back({FactName::busbw_gb_s, slow.busbw, {}});
        finding.facts.push_back(
            {slow.against == SlowLink::Against::hardware ? FactName::network_gb_s : FactName::peer_busbw_gb_s,
             slow.usual_busbw,
             {}});
    }
    finding.facts.push_back({FactName::ratio, slow.ratio, {}});
    finding.facts.push_back({FactName::calls, static_cast<double>(slow.calls), {}});
    set_onset(c, {slow.steps, slow.chance}, finding);
    std::sort(slow.longest.begin(), slow.longest.end(), std::greater<>());
    for (std::size_t i = 0; i < std::min(kEventsShown, slow.longest.size()); ++i)
        finding.events.push_back(c.event(slow.longest[i].second));
    finding.confidence =
        slow.against == SlowLink::Against::hardware
            ? 0.5
            : confidence_of(static_cast<std::size_t>(slow.calls), static_cast<std::size_t>(slow.calls));
    add_late_elsewhere(c, slow, finding);
    return finding;
}

} // namespace rankscope
