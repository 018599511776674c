// SPDX-License-Identifier: GPL-3.0-or-later
// Slow groups are joined by cause: those inside a larger group first, then by network card, then by members.
#include "core/analysis/findings/link_causes.h"

#include <algorithm>
#include <set>
#include <utility>

namespace rankscope {
namespace {

/// Of all calls that are compared, slow or not.
struct ComparedGroups {
    explicit ComparedGroups(const std::map<SameCalls, CallsByGroup>& calls) {
        for (const auto& [key, by_group] : calls) {
            for (const auto& [group, own] : by_group) {
                all_calls[group] += static_cast<double>(own.size());
                way[group] = key.way;
                if (by_group.size() > 1)
                    dimension[group] = key.dimension;
            }
        }
    }
    [[nodiscard]] ParallelDimension dimension_of(std::uint32_t group) const {
        const auto known = dimension.find(group);
        return known == dimension.end() ? ParallelDimension::unknown : known->second;
    }
    std::map<std::uint32_t, ParallelDimension> dimension; ///< of the groups that are compared
    std::map<std::uint32_t, Way> way;
    std::map<std::uint32_t, double> all_calls; ///< of each group
};
using SlowByGroup = std::map<std::uint32_t, SlowLink>;
using GroupsByRank = std::map<int, std::vector<std::uint32_t>>;

/// Where all messages between members of a group are slow, as in a pipeline, and those of another group of its
/// dimension are not, it is the group that is slow. dimension: of the groups that are compared. cards: also where one
/// rank has part in all of them.
void join_within_groups(const std::vector<CommGroup>& groups,
                        const std::map<std::uint32_t, ParallelDimension>& dimension, bool cards, SlowByGroup& slow,
                        std::vector<SlowLink>& result) {
    std::map<std::vector<int>, std::vector<std::uint32_t>> members; // of groups of three and more: messages in them
    for (const auto& [group, of_group] : dimension)
        if (groups[group].within.size() > 2)
            members[groups[group].within].push_back(group);
    const auto is_slow = [&](std::uint32_t group) { return slow.contains(group); };
    std::vector<const std::vector<std::uint32_t>*> joined;
    for (const auto& [within, messages] : members) {
        const bool another_is_well = std::ranges::any_of(
            dimension,
            [&](const auto& other) {
                return other.second == dimension.at(messages.front()) && groups[other.first].within != within &&
                       !is_slow(other.first);
            });
        const bool one_card = std::ranges::any_of(within, [&](int rank) {
            return std::ranges::all_of(messages, [&](std::uint32_t message) {
                return std::ranges::find(groups[message].ranks, rank) != groups[message].ranks.end();
            });
        });
        if (another_is_well && (cards || !one_card) && std::ranges::all_of(messages, is_slow))
            joined.push_back(&messages);
    }
    for (const auto* messages : joined) {
        SlowLink link;
        link.within = groups[messages->front()].within;
        for (const std::uint32_t group : *messages)
            join_links(link, std::move(slow.extract(group).mapped()));
        result.push_back(std::move(link));
    }
}

/// Only what is slow alike has one cause: beside a slow link others of its dimension are a little slower too, and any
/// group has a call now and then that takes long.
GroupsByRank slow_alike(const std::vector<CommGroup>& groups, const ComparedGroups& compared, const SlowByGroup& slow) {
    GroupsByRank by_rank;
    std::map<std::pair<int, ParallelDimension>, double> slowest;
    std::map<int, double> most_calls; // by rank, of the shares of a group's calls that are slow
    const auto slow_share = [&](std::uint32_t group, const SlowLink& link) {
        return static_cast<double>(link.calls) / compared.all_calls.at(group);
    };
    for (const auto& [group, link] : slow)
        for (const int rank : groups[group].ranks) {
            double& most = slowest[{rank, compared.dimension_of(group)}];
            most = std::max(most, link.ratio);
            most_calls[rank] = std::max(most_calls[rank], slow_share(group, link));
        }
    for (const auto& [group, link] : slow)
        for (const int rank : groups[group].ranks)
            if (link.ratio - 1 >= (slowest[{rank, compared.dimension_of(group)}] - 1) / 2 &&
                slow_share(group, link) >= most_calls[rank] / 2)
                by_rank[rank].push_back(group);
    return by_rank;
}

/// All its groups of the same dimension and way are slow, two at least, and it has two partners or more.
bool is_slow_card(const std::vector<CommGroup>& groups, const ComparedGroups& compared, const SlowByGroup& slow,
                  const GroupsByRank::value_type& entry) {
    const auto& [rank, its] = entry;
    std::set<int> partners;
    for (const std::uint32_t group : its)
        partners.insert(groups[group].ranks.begin(), groups[group].ranks.end());
    // Other dimensions may take other ways, and so may calls inside the machine: through NVLink, say.
    const bool any_fast = std::ranges::any_of(compared.dimension, [&](const auto& one) {
        const auto& [group, of_group] = one;
        return !slow.contains(group) && std::ranges::find(groups[group].ranks, rank) != groups[group].ranks.end() &&
               std::ranges::any_of(its, [&](std::uint32_t g) {
                   return compared.dimension_of(g) == of_group && compared.way.at(g) == compared.way.at(group);
               });
    });
    return its.size() > 1 && partners.size() > 2 && !any_fast;
}

/// The rank with most of the slow groups, if its card explains them; nullptr: none does, or two as well.
const GroupsByRank::value_type* slowest_card(const std::vector<CommGroup>& groups, const ComparedGroups& compared,
                                             const SlowByGroup& slow, const GroupsByRank& by_rank) {
    const auto is_card = [&](const auto& entry) { return is_slow_card(groups, compared, slow, entry); };
    const GroupsByRank::value_type* best = nullptr;
    for (const auto& entry : by_rank)
        if (is_card(entry) && (best == nullptr || entry.second.size() > best->second.size()))
            best = &entry;
    // The card of one rank explains it only where no other rank explains as much.
    const bool alone = best != nullptr && std::ranges::count_if(by_rank, [&](const auto& entry) {
                                              return is_card(entry) && entry.second.size() == best->second.size();
                                          }) == 1;
    return alone ? best : nullptr;
}

} // namespace

std::vector<SlowLink> join_by_cause(const FindingContext& c, std::map<std::uint32_t, SlowLink> slow,
                                    const std::map<SameCalls, CallsByGroup>& calls) {
    const auto& groups = c.inputs.collectives.groups;
    const ComparedGroups compared(calls);
    std::vector<SlowLink> result;
    join_within_groups(groups, compared.dimension, false, slow, result);
    while (true) {
        const GroupsByRank by_rank = slow_alike(groups, compared, slow);
        const auto* best = slowest_card(groups, compared, slow, by_rank);
        if (best == nullptr)
            break;
        SlowLink card;
        card.card = best->first;
        for (const std::uint32_t group : best->second)
            join_links(card, std::move(slow.extract(group).mapped()));
        result.push_back(std::move(card));
    }
    join_within_groups(groups, compared.dimension, true, slow, result);
    std::map<std::set<int>, SlowLink> by_members;
    for (auto& [group, link] : slow)
        join_links(by_members[{groups[group].ranks.begin(), groups[group].ranks.end()}], std::move(link));
    for (auto& [members, link] : by_members)
        result.push_back(std::move(link));
    return result;
}

} // namespace rankscope
