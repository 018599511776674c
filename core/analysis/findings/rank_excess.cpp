// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank takes longer than its peers, by cause and step.
#include "core/analysis/findings/rank_excess.h"

#include <algorithm>
#include <functional>

#include <tbb/parallel_for.h>

#include "core/analysis/graph/beside.h"

namespace rankscope {

void keep_largest(std::vector<std::pair<TimeNs, std::uint32_t>>& largest, TimeNs time, std::uint32_t node) {
    if (largest.size() < kEventsShown || time > largest.back().first) {
        largest.insert(std::upper_bound(largest.begin(), largest.end(), std::pair{time, node}, std::greater<>()),
                       {time, node});
        largest.resize(std::min(largest.size(), kEventsShown));
    }
}

Excesses sum_excesses(const FindingContext& c, std::span<const float> shares) {
    Excesses excesses;
    RankExcess none;
    none.by_step.resize(std::max<std::size_t>(1, c.numbers().size()));
    none.nodes.resize(none.by_step.size());
    for (auto& by_rank : excesses)
        by_rank.resize(c.inputs.run.ranks.size(), none);
    tbb::parallel_for(std::size_t{0}, c.inputs.run.ranks.size(), [&](std::size_t rank) {
        const auto add = [&](std::uint32_t n, OwnCause cause, TimeNs time) {
            if (time == 0)
                return;
            RankExcess& sum = excesses[static_cast<std::size_t>(cause)][rank];
            sum.total += time;
            sum.on_gpu += is_gpu_node(c.graph.kind[n]) ? time : 0;
            if (const std::size_t step = c.numbers().empty() ? 0 : c.places.of_node[n]; step != kNoNode) {
                sum.by_step[step] += time;
                sum.nodes[step] += time > 0 ? 1 : 0;
            }
            keep_largest(sum.largest, time, n);
        };
        for (std::uint32_t n = c.graph.first_node[rank]; n < c.graph.first_node[rank + 1]; ++n) {
            const OwnExcess own = own_excess(c.graph, c.peers, n);
            if (own.cause != OwnCause::slower_kernels || beside_by_share(shares[n]) != Beside::partly)
                add(n, own.cause, own.time);
            add(n, OwnCause::host_bound, excess_before(c.graph, c.peers, n));
        }
    });
    return excesses;
}

std::vector<std::pair<TimeNs, std::uint32_t>> largest_in(const FindingContext& c, std::uint32_t rank, OwnCause cause,
                                                         const std::set<std::int64_t>& only_in) {
    std::vector<std::pair<TimeNs, std::uint32_t>> largest;
    for (std::uint32_t n = c.graph.first_node[rank]; n < c.graph.first_node[rank + 1]; ++n) {
        if (!c.is_in(only_in, n))
            continue;
        const OwnExcess own = own_excess(c.graph, c.peers, n);
        const TimeNs time = (own.cause == cause ? own.time : 0) +
                            (cause == OwnCause::host_bound ? excess_before(c.graph, c.peers, n) : 0);
        if (time > 0)
            keep_largest(largest, time, n);
    }
    return largest;
}

} // namespace rankscope
