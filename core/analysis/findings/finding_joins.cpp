// SPDX-License-Identifier: GPL-3.0-or-later
// Findings that belong together: a straggler and those who wait for it, pauses of one rank in the same steps.

#include <algorithm>
#include <map>
#include <span>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

void name_victims(const FindingContext& c, std::span<const WaitOrigin> origins, std::vector<Finding>& found) {
    std::map<int, std::map<int, double>> passed_on; // origin, victim: what each other rank waits for it, ns
    for (std::size_t t = 0; t < origins.size(); ++t) {
        const WaitOrigin& origin = origins[t];
        const auto members = c.graph.edges_of(c.graph.first_node.back() + static_cast<std::uint32_t>(t)).size();
        if (origin.rank != kNoNode && origin.rank != origin.last && members > 1)
            passed_on[c.rank_number(origin.rank)][c.rank_number(origin.last)] +=
                static_cast<double>(origin.waited) / static_cast<double>(members - 1);
    }
    for (Finding& finding : found) {
        if (finding.code != FindingCode::straggler)
            continue;
        std::map<int, double> victims;
        for (const int rank : finding.ranks)
            for (const auto& [victim, wait] : passed_on[rank])
                victims[victim] += wait;
        double most = 0;
        for (const auto& [victim, wait] : victims) {
            if (std::ranges::find(finding.ranks, victim) != finding.ranks.end() ||
                c.share(wait / static_cast<double>(c.steps)) < kUnhealthy)
                continue;
            finding.victims.push_back(victim);
            most = std::max(most, wait);
        }
        if (finding.victims.empty())
            continue;
        finding.facts.push_back({FactName::passed_on_us_per_step, most / 1000 / static_cast<double>(c.steps), {}});
    }
}

void join_pauses(std::vector<Finding>& found) {
    const auto is_extra = [](const Finding& f) {
        return f.code == FindingCode::straggler && f.cause == FindingCause::more_kernels;
    };
    const auto is_wait = [](const Finding& f) {
        return f.code == FindingCode::straggler && f.cause == FindingCause::synchronisation;
    };
    const auto is_pause = [](const Finding& f) { return f.code == FindingCode::host_pauses; };
    const auto in_same_steps = [](const Finding& a, const Finding& b) {
        return a.first_iteration && a.first_iteration == b.first_iteration && a.last_iteration == b.last_iteration;
    };
    for (auto pause = found.begin(); pause != found.end(); ++pause) {
        const auto other = std::ranges::find_if(found, [&](const Finding& f) {
            const bool fits = is_pause(*pause) ? is_extra(f) || is_wait(f) : is_wait(*pause) && is_extra(f);
            return fits && !f.hidden && !pause->hidden && !f.ranks.empty() && f.ranks == pause->ranks &&
                   f.inherent == pause->inherent && in_same_steps(f, *pause);
        });
        if (other == found.end())
            continue;
        const bool keep = pause->cost >= other->cost;
        Finding& kept = keep ? *pause : *other;
        const Finding& joined = keep ? *other : *pause;
        kept.title += joined.only_copies ? ", where it also makes more copies than its peers"_text()
                      : is_extra(joined) ? ", where it also runs more kernels than its peers"_text()
                      : is_wait(joined)  ? ", where its host also waits for the GPU"_text()
                                         : ", where its host also pauses"_text();
        kept.facts.push_back({FactName::joined_cost_us_per_step, joined.cost / 1000, {}});
        for (const FindingFact& fact : joined.facts) // that it is the late rank: why_late()
            if (fact.name == FactName::wait_caused_us_per_other_rank || fact.name == FactName::arrives_last_at ||
                fact.name == FactName::of_calls)
                kept.facts.push_back(fact);
        kept.cost += joined.cost;
        found.erase(keep ? other : pause);
        return join_pauses(found);
    }
}

} // namespace rankscope
