// SPDX-License-Identifier: GPL-3.0-or-later
// How late a rank comes to calls.
#include "core/analysis/findings/rank_lateness.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

void add_call_event(const FindingContext& c, const Lateness& late, std::uint32_t rank, Finding& finding) {
    const CallLag& call = c.inputs.stragglers.calls[late.call];
    const CollectiveMatching& matching = c.inputs.collectives;
    for (const auto& member : matching.matched[call.call].members) {
        if (member.first == rank) {
            const CommCall& own = matching.call(member);
            // What the others waited for lies before this call: the lag is shown with it.
            finding.events.push_back({rank, own.event, own.range, call.lag});
        }
    }
}

} // namespace

void add_lateness(const FindingContext& c, const Lateness& late, std::uint32_t rank, Finding& finding) {
    finding.group = late.group;
    finding.facts.push_back({FactName::calls_arrived_last_at, static_cast<double>(late.last), {}});
    finding.facts.push_back({FactName::calls_of_group, static_cast<double>(late.calls), {}});
    finding.facts.push_back({FactName::median_lag_us, late.median_lag / 1000, {}});
    if (late.call != kNoNode)
        add_call_event(c, late, rank, finding);
}

bool last_by_chance(const Lateness& late) {
    const auto members = static_cast<double>(std::max<std::size_t>(2, late.members));
    return static_cast<double>(late.last) < times_last_by_chance(static_cast<double>(late.calls), members);
}

Lateness lateness_of(const FindingContext& c, std::uint32_t rank) {
    struct Group {
        std::int64_t calls = 0;
        std::vector<TimeNs> lags;
        std::uint32_t worst = kNoNode;
    };
    const CollectiveMatching& matching = c.inputs.collectives;
    const StragglerAnalysis& stragglers = c.inputs.stragglers;
    std::map<std::uint32_t, Group> groups;
    for (std::uint32_t i = 0; i < stragglers.calls.size(); ++i) {
        const CallLag& call = stragglers.calls[i];
        const MatchedCall& matched = matching.matched[call.call];
        if (!std::ranges::any_of(matched.members, [&](const auto& m) { return m.first == rank; }))
            continue;
        Group& group = groups[matched.group];
        ++group.calls;
        if (call.last_rank == rank && call.lag > 0) {
            group.lags.push_back(call.lag);
            if (group.worst == kNoNode || call.lag > stragglers.calls[group.worst].lag)
                group.worst = i;
        }
    }
    Lateness result;
    double most = 0;
    for (auto& [index, group] : groups) {
        double sum = 0;
        for (const TimeNs lag : group.lags)
            sum += static_cast<double>(lag);
        if (sum <= most)
            continue;
        most = sum;
        const CommGroup& named = matching.groups[index];
        const auto median = static_cast<double>(middle_median(group.lags));
        const std::size_t members = matching.matched[stragglers.calls[group.worst].call].members.size();
        result = {named.label(), group.worst, group.calls, static_cast<std::int64_t>(group.lags.size()),
                  median,        members};
    }
    return result;
}

std::vector<double> waits_caused(const FindingContext& c, std::span<const TimeNs> start, std::uint32_t but_group) {
    std::vector<double> caused(c.inputs.run.ranks.size());
    const CollectiveMatching& matching = c.inputs.collectives;
    for (std::uint32_t t = 0; t < c.graph.matched.size(); ++t) {
        const std::uint32_t group = matching.matched[c.graph.matched[t]].group;
        if (matching.groups[group].point_to_point || group == but_group)
            continue;
        std::uint32_t last = kNoNode;
        double sum = 0;
        const auto arrivals = c.graph.edges_of(c.graph.first_node.back() + t);
        for (const GraphEdge& edge : arrivals)
            last = last == kNoNode || start[edge.from] > start[last] ? edge.from : last;
        for (const GraphEdge& edge : arrivals)
            sum += static_cast<double>(start[last] - start[edge.from]);
        if (last != kNoNode)
            caused[c.graph.rank[last]] += sum;
    }
    return caused;
}

Candidate unexplained_lateness(const FindingContext& c, std::uint32_t rank, const Message& why) {
    const auto remove = [&c, rank](GraphTimes& times) { drop_waits_for_rank(c.graph, rank, times); };
    const auto describe = [&c, rank, why] {
        Finding finding;
        finding.code = FindingCode::straggler;
        finding.cause = FindingCause::unexplained;
        finding.ranks = {c.rank_number(rank)};
        const Lateness late = lateness_of(c, rank);
        finding.title = late.last == 0 ? "The other ranks wait for rank %1; %2"_text(c.rank_number(rank), why)
                                       : "Rank %1 arrives last at %2 of %3 calls of %4, %5 late on median; %6"_text(
                                             c.rank_number(rank), late.last, late.calls, group_words(late.group),
                                             time_words(late.median_lag), why);
        add_lateness(c, late, rank, finding);
        finding.confidence = late.calls > 0 ? kHappened : 0.5;
        return finding;
    };
    return {0, remove, describe};
}

} // namespace rankscope
