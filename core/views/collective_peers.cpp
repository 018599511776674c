// SPDX-License-Identifier: GPL-3.0-or-later
// The same collective call on all ranks that ran it.
#include "core/views/collective_peers.h"

#include <algorithm>

namespace rankscope {
namespace {

CollectivePeers peers_of(const RunAnalysis& analysis, const CollectiveTiming& call) {
    CollectivePeers result{call.complete, {}};
    for (const TimedMember& member : call.members)
        result.peers.push_back({analysis.run().ranks[member.rank]->rank, analysis.collectives().call(member).event,
                                member.range.begin - analysis.run().span.begin, member.range.length(),
                                member.range.begin - call.start, false});
    std::ranges::sort(result.peers, {}, &CollectivePeer::rank);
    // max_element gives the first of equals, the lowest rank.
    std::ranges::max_element(result.peers, {}, &CollectivePeer::start)->last = true;
    return result;
}

} // namespace

std::optional<CollectivePeers> collective_peers(const RunAnalysis& analysis, int rank, EventIndex event) {
    const auto& ranks = analysis.run().ranks;
    const auto owner = std::ranges::find_if(ranks, [&](const auto& trace) { return trace->rank == rank; });
    if (owner == ranks.end())
        return {};
    const auto rank_index = static_cast<std::uint32_t>(owner - ranks.begin());
    const CollectiveMatching& matching = analysis.collectives();
    const auto& calls = matching.calls[rank_index];
    const auto own = std::ranges::find(calls, event, &CommCall::event);
    if (own == calls.end())
        return {};
    const std::pair member(rank_index, static_cast<std::uint32_t>(own - calls.begin()));
    const auto matched = std::ranges::find_if(matching.matched, [&](const MatchedCall& call) {
        return std::ranges::find(call.members, member) != call.members.end();
    });
    if (matched == matching.matched.end())
        return {};
    return peers_of(analysis, analysis.call_table().all[static_cast<std::size_t>(matched - matching.matched.begin())]);
}

} // namespace rankscope
