// SPDX-License-Identifier: GPL-3.0-or-later
// A log of collectives, which says nothing of what lies between them.

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/finding_summary.h"
#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/trace/recorded.h"

namespace rankscope {

namespace {

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
        const auto& middle = late.last[late.last.size() / 2];
        const auto median = static_cast<double>(middle.first);
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

} // namespace

bool calls_alone(const FindingContext& c) {
    const auto of_ranks = std::span(c.graph.kind).first(c.graph.first_node.back());
    return !recorded(c.inputs.run).gpu_work ||
           (c.inputs.run.source != TraceSource::operations && !launches_recorded(c.graph) &&
            std::ranges::none_of(of_ranks, is_local_gpu_work));
}

/// What a log of collectives tells: the speed of links. What the GPUs do between the calls is not in it, so that
/// nothing else is judged, and nothing has a cost.
Findings of_calls_alone(const FindingContext& c, RepairedRun& repaired) {
    Findings result;
    result.judged.links = judge(c, {}).links;
    result.judged.not_judged = {"Only collectives are recorded: why a rank is late, and whether the GPUs wait for the "
                                "host, cannot be told."_text()};
    std::vector<Finding> found;
    if (recorded(c.inputs.run).times)
        find_clock_misfit(c, found);
    const bool misfit = !found.empty();
    if (recorded(c.inputs.run).times)
        find_faults(c, repaired, found);
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
        result.headline = short_words(c.inputs.run, result.list.front(), false);
        result.headline += ' ';
    }
    const Message unjudged = "Only collectives are recorded: ranks and the host cannot be judged."_text();
    if (result.head)
        result.beside_head = unjudged;
    result.summary += unjudged;
    result.headline += unjudged;
    return result;
}

} // namespace rankscope
