// SPDX-License-Identifier: GPL-3.0-or-later
// Aligns a rank's waits with those of the rank of its class that has the middle number of them.
#include "core/analysis/usual/wait_places.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace rankscope {
namespace {

/// A call that blocks the host, and what was launched before it.
struct BlockingCall {
    std::uint32_t node = 0;
    NameId after = 0;             ///< the kernel that was launched last
    std::uint32_t occurrence = 0; ///< which of that name in the step
};

/// Which of the reference's waits each of a rank's own is: the longest common sequence, by what was launched before
/// each. Those that the reference does not have come after its own, in their order.
std::vector<std::size_t> align_waits(const std::vector<BlockingCall>& own, const std::vector<BlockingCall>& reference) {
    constexpr std::size_t kMost = 4'000'000; ///< pairs
    std::vector<std::size_t> aligned(own.size());
    std::iota(aligned.begin(), aligned.end(), std::size_t{0});
    if (own.size() * reference.size() > kMost)
        return aligned;
    // As many as possible, those after the same kernel first.
    const auto likeness = [&](std::size_t i, std::size_t j) {
        const bool same = own[i].after == reference[j].after;
        return same && own[i].occurrence == reference[j].occurrence ? 8 : same ? 6 : 1;
    };
    const std::size_t columns = reference.size() + 1;
    std::vector<int> best((own.size() + 1) * columns); // of what comes after both
    for (std::size_t i = own.size(); i-- > 0;)
        for (std::size_t j = reference.size(); j-- > 0;)
            best[i * columns + j] = std::max({best[(i + 1) * columns + j], best[i * columns + j + 1],
                                              best[(i + 1) * columns + j + 1] + likeness(i, j)});
    std::size_t additional = reference.size();
    std::size_t j = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        while (j < reference.size() && best[i * columns + j] == best[i * columns + j + 1])
            ++j;
        const bool matched =
            j < reference.size() && best[i * columns + j] == best[(i + 1) * columns + j + 1] + likeness(i, j);
        aligned[i] = matched ? j++ : additional++;
    }
    return aligned;
}

} // namespace

PlaceMap<std::uint32_t, std::size_t> places_of_unequal_waits(const Run& run, const StepGraph& graph,
                                                             const PeerClasses& classes,
                                                             std::span<const std::uint32_t> members,
                                                             std::span<const std::uint32_t> nodes) {
    using WaitsByRank = std::map<std::uint32_t, std::vector<BlockingCall>>;
    using Same = std::pair<std::uint32_t, std::pair<NameId, NodeKind>>; // class, name and kind
    std::map<Same, WaitsByRank> waits;
    PlaceMap<NameId, std::uint32_t> launched;
    NameId after = 0;
    std::uint32_t last_rank = kNoNode;
    for (const std::uint32_t n : nodes) {
        const std::uint32_t rank = graph.rank[n];
        if (std::exchange(last_rank, rank) != rank) {
            launched.clear();
            after = 0;
        }
        const EventTable& events = run.ranks[rank]->events;
        const NodeKind kind = graph.kind[n];
        if (kind == NodeKind::launch && events.kind[events.link[graph.event[n]]] == EventKind::kernel) {
            after = events.name[events.link[graph.event[n]]];
            ++launched[after];
        } else if (kind == NodeKind::wait_begin || kind == NodeKind::wait_end) {
            const std::pair same(events.name[graph.event[n]], kind);
            waits[{classes.peer_class[rank], same}][rank].push_back({n, after, launched[after]});
        }
    }
    PlaceMap<std::uint32_t, std::size_t> result;
    for (const auto& [place, by_rank] : waits) {
        std::vector<std::pair<std::size_t, std::uint32_t>> counts; // of the ranks that have any
        for (const auto& [rank, own] : by_rank)
            counts.emplace_back(own.size(), rank);
        std::ranges::sort(counts);
        const std::size_t without = members[place.first] - counts.size();
        const std::size_t middle = (members[place.first] - 1) / 2;
        if (middle < without || (without == 0 && counts.front().first == counts.back().first))
            continue;
        const std::vector<BlockingCall>& reference = by_rank.at(counts[middle - without].second);
        for (const auto& [rank, own] : by_rank) {
            const std::vector<std::size_t> aligned = align_waits(own, reference);
            for (std::size_t i = 0; i < own.size(); ++i)
                result[own[i].node] = aligned[i];
        }
    }
    return result;
}

} // namespace rankscope
