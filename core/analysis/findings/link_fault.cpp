// SPDX-License-Identifier: GPL-3.0-or-later
// Slow links that have one cause are joined, and taken out of the times.
#include "core/analysis/findings/link_fault.h"

#include <cmath>

namespace rankscope {

void join_links(SlowLink& into, SlowLink&& link) {
    into.groups.merge(link.groups);
    if (link.ratio > into.ratio) {
        into.against = link.against;
        into.ratio = link.ratio;
        into.busbw = link.busbw;
        into.usual_busbw = link.usual_busbw;
    }
    into.calls += link.calls;
    into.time += link.time;
    into.chance = into.steps.empty() || into.steps == link.steps ? link.chance : std::nullopt;
    into.steps.merge(link.steps);
    into.factor.merge(link.factor);
    into.longest.insert(into.longest.end(), link.longest.begin(), link.longest.end());
}

void speed_up(const SlowLink& link, GraphTimes& times) {
    for (const auto& [node, factor] : link.factor)
        times.duration[node] = std::llround(static_cast<double>(times.duration[node]) * factor);
}

std::set<int> ranks_of_link(const FindingContext& c, const SlowLink& link) {
    std::set<int> ranks;
    for (const std::uint32_t group : link.groups)
        ranks.insert(c.inputs.collectives.groups[group].ranks.begin(), c.inputs.collectives.groups[group].ranks.end());
    return ranks;
}

} // namespace rankscope
