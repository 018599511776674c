// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/facts/idle_bound.h"

#include <algorithm>

namespace rankscope {
namespace {

double unused_ns(const StepFill& fill) { return fill.idle_ns() + fill[StepShare::bubble]; }

double idle_bound(const Facts& facts, const std::vector<int>& ranks) {
    if (ranks.empty() || facts.ranks.size() == 1)
        return unused_ns(facts.fill) + facts.fill[StepShare::waiting];
    double most = 0;
    for (const int rank : ranks)
        if (const RankFacts* own = facts.of_rank(rank))
            most = std::max({most, unused_ns(own->fill), own->late_alone_ns});
    return ranks.size() == 1 ? most : std::max(most, unused_ns(facts.fill) + facts.fill[StepShare::waiting]);
}

} // namespace

double most_that_hosts_cost_ns(const Facts& facts, const std::vector<int>& ranks, double step_ns) {
    return std::max(0.0, step_ns - facts.fill.step_ns) + idle_bound(facts, ranks);
}

} // namespace rankscope
