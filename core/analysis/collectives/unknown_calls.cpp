// SPDX-License-Identifier: GPL-3.0-or-later
// A group that is guessed from a stream may be several: its calls, as matched in order, then do not end together.
//   Four ranks reduce on stream 7, ranks 0 and 1 with each other, 2 and 3 with each other: the "calls" of all four end
//   1 ms apart, by another difference each time. They become calls of one rank each.
#include "core/analysis/collectives/unknown_calls.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "core/analysis/collectives/communicators.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// By how much a member of a call ends after its first one, as recorded, and what of that is noise.
std::pair<TimeNs, TimeNs> end_difference(const CollectiveMatching& matching, const MatchedCall& call,
                                         const std::pair<std::uint32_t, std::uint32_t>& member) {
    constexpr TimeNs kNoise = 50'000;
    constexpr TimeNs kOfLength = 10; // one in so many parts of what the call itself takes: of its last member's time
    const TimeRange first = matching.call(call.members.front()).range;
    const TimeRange other = matching.call(member).range;
    return {other.end - first.end, std::max(kNoise, std::min(first.length(), other.length()) / kOfLength)};
}

/// A group that is guessed from a stream may be several: pairs that reduce side by side, messages to unlike neighbours.
/// Calls that are matched wrongly do not end together. One late rank shifts only the ends of its own group. How far
/// two clocks differ changes little from call to call.
std::set<CollectiveKind> kinds_that_end_apart(const CollectiveMatching& matching,
                                              const std::vector<MatchedCall>& calls) {
    constexpr std::size_t kFewChanges = 4;
    using Pair = std::tuple<CollectiveKind, std::uint32_t, std::uint32_t>;
    std::map<Pair, TimeNs> last;                 // difference of the call before
    std::map<Pair, std::vector<TimeNs>> changes; // what is above the noise
    for (const MatchedCall& call : calls)
        for (const auto& member : std::span(call.members).subspan(1)) {
            const auto [difference, noise] = end_difference(matching, call, member);
            const Pair pair{call.kind, call.members.front().first, member.first};
            const auto [before, first] = last.try_emplace(pair, difference);
            if (!first)
                changes[pair].push_back(std::abs(difference - std::exchange(before->second, difference)) - noise);
        }
    std::set<CollectiveKind> apart;
    std::map<CollectiveKind, std::vector<TimeNs>> of_kinds;
    for (const auto& [pair, of_pair] : changes) {
        if (of_pair.size() >= kFewChanges && nearest_rank_percentile(of_pair, 0.75) > 0)
            apart.insert(std::get<0>(pair));
        std::vector<TimeNs>& of_kind = of_kinds[std::get<0>(pair)];
        of_kind.insert(of_kind.end(), of_pair.begin(), of_pair.end());
    }
    for (auto& [kind, of_kind] : of_kinds)
        if (upper_median(std::move(of_kind)) > 0)
            apart.insert(kind);
    return apart;
}

/// Those of which most members end at another time than the first one: it is not known whether clocks differ or calls.
std::set<CollectiveKind> kinds_that_end_at_unlike_times(const CollectiveMatching& matching,
                                                        const std::vector<MatchedCall>& calls) {
    std::map<CollectiveKind, std::vector<TimeNs>> beyond_noise;
    for (const MatchedCall& call : calls)
        for (const auto& member : std::span(call.members).subspan(1)) {
            const auto [difference, noise] = end_difference(matching, call, member);
            beyond_noise[call.kind].push_back(std::abs(difference) - noise);
        }
    std::set<CollectiveKind> unlike;
    for (auto& [kind, of_kind] : beyond_noise)
        if (upper_median(std::move(of_kind)) > 0)
            unlike.insert(kind);
    return unlike;
}

} // namespace

bool has_messages(const CommGroup& group, const std::vector<MatchedCall>& calls) {
    return !group.recorded && !group.point_to_point && group.ranks.size() > 2 &&
           std::ranges::any_of(
               calls,
               [](const MatchedCall& call) {
                   return call.kind == CollectiveKind::send_recv && call.members.size() == 1;
               });
}

void part_unknown_calls(const CollectiveMatching& matching, const CommGroup& group, bool unlike_stages,
                        std::vector<MatchedCall>& calls) {
    std::set<CollectiveKind> apart;
    if (!group.recorded) {
        apart = kinds_that_end_apart(matching, calls);
        if (unlike_stages)
            apart.merge(kinds_that_end_at_unlike_times(matching, calls));
    }
    const auto is_unknown = [&](CollectiveKind kind) {
        const bool ends_together = synchronises(kind) || kind == CollectiveKind::send_recv;
        return lacks_its_peer(group, kind) || (ends_together && apart.contains(kind));
    };
    std::vector<MatchedCall> parted;
    for (MatchedCall& call : calls) {
        if (is_unknown(call.kind))
            for (const auto& member : call.members)
                parted.push_back({call.group, call.kind, false, {member}});
        else
            parted.push_back(std::move(call));
    }
    calls = std::move(parted);
}

} // namespace rankscope
