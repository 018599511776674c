// SPDX-License-Identifier: GPL-3.0-or-later
// Stages by configuration or annotations, else by who talks to whom.
#include "core/analysis/usual/peer_stages.h"

#include <algorithm>
#include <numeric>

#include "core/base/work_count.h"

namespace rankscope {
namespace {

/// Every rank's number becomes the lowest of those it is connected with.
std::vector<int> connected_ranks(const CollectiveMatching& matching, std::size_t ranks) {
    std::vector<int> part(ranks);
    std::iota(part.begin(), part.end(), 0);
    std::vector<bool> seen(matching.groups.size());
    for (const MatchedCall& call : matching.matched) {
        if (seen[call.group] || !call.complete || matching.groups[call.group].point_to_point ||
            call.members.size() >= ranks)
            continue;
        seen[call.group] = true;
        for (const auto& member : call.members) {
            const int from = part[member.first];
            const int to = part[call.members.front().first];
            std::ranges::replace(part, std::max(from, to), std::min(from, to));
        }
    }
    return part;
}

} // namespace

std::vector<int> peer_stages(const Run& run, const CollectiveMatching& matching, const PipelineAnalysis& pipeline) {
    count_work("peer_stages");
    const std::vector<int>& known = pipeline.stages;
    if (!known.empty() && std::ranges::all_of(known, [](int stage) { return stage >= 0; }))
        return known;
    std::vector<int> part = connected_ranks(matching, run.ranks.size());
    const auto count = [&](int p) { return static_cast<std::size_t>(std::ranges::count(part, p)); };
    const bool tells = std::ranges::all_of(part, [&](int p) { return count(p) > 1 && count(p) < part.size(); });
    if (tells)
        return part;
    // Where a pipeline runs and stages are not known, no rank is known to do what another does.
    if (pipeline.unavailable.empty())
        std::iota(part.begin(), part.end(), 0);
    else
        std::ranges::fill(part, -1);
    return part;
}

} // namespace rankscope
