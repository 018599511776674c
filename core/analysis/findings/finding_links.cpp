// SPDX-License-Identifier: GPL-3.0-or-later
// Links that are slow: in all steps or in some, of one group, of one network card, or of all members of the only group.
//   Example: a link costs 3 ms a step. Its ranks may start the first recorded step up to 4.5 ms late because of it.
#include <memory>
#include <set>
#include <utility>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/link_calls.h"
#include "core/analysis/findings/link_causes.h"
#include "core/analysis/findings/link_fault.h"
#include "core/analysis/findings/link_network.h"
#include "core/analysis/findings/link_slow_steps.h"
#include "core/analysis/findings/link_words.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// Which ranks start the first recorded step late because the link was slow before it: members of its groups, where it
/// is slow in that step, by no more than a step adds.
std::vector<std::uint32_t> late_for_link(const FindingContext& c, const SlowLink& link, double per_step) {
    std::vector<std::uint32_t> late;
    if (!c.graph.profiler_steps || c.numbers().empty() || !link.steps.contains(c.numbers().front()))
        return late;
    const std::set<int> members = ranks_of_link(c, link);
    for (const GraphStep& step : c.graph.steps) {
        const std::uint32_t begin = step.begin;
        if (begin == kNoNode || step.number != c.numbers().front() || !members.contains(c.rank_number(step.rank)))
            continue;
        const OwnExcess own = own_excess(c.graph, c.peers, begin);
        if (own.cause == OwnCause::late_start && own.time > 0 &&
            static_cast<double>(own.time) <= kLateByAStep * per_step)
            late.push_back(step.rank);
    }
    return late;
}

/// In the steps in which the calls are slow, all their ranks compute longer as well, by half as much or more: their
/// GPUs are slow then, as when they are throttled, and with them what the kernels of communication move.
bool gpus_are_slow_too(const FindingContext& c, const SlowLink& link) {
    if (link.against != SlowLink::Against::own_steps)
        return false;
    const std::set<int> members = ranks_of_link(c, link);
    std::vector<std::vector<double>> slow(c.inputs.run.ranks.size()); // computation of a step, ns
    std::vector<std::vector<double>> others(slow.size());
    std::vector<std::size_t> place(slow.size());
    for (const GraphStep& step : c.graph.steps)
        (link.steps.contains(step.number) ? slow : others)[step.rank].push_back(
            c.inputs.computation_by_step[step.rank][place[step.rank]++]);
    const double least = 1 + (link.ratio - 1) / 2;
    for (std::uint32_t r = 0; r < slow.size(); ++r)
        if (members.contains(c.rank_number(r)) &&
            (slow[r].empty() || others[r].empty() || middle_median(slow[r]) < least * middle_median(others[r])))
            return false;
    return !members.empty();
}

} // namespace

std::vector<Candidate> slow_link_candidates(const FindingContext& c) {
    if (c.jump)
        return {};
    const auto calls = comparable_calls(c);
    SlowGroups slow = slow_groups(c, calls);
    std::vector<SlowLink> links = join_by_cause(c, std::move(slow.by_group), calls);
    for (auto& [layout, link] : slow.dimensions)
        links.push_back(std::move(link));
    add_below_hardware(c, calls, links);
    std::vector<Candidate> candidates;
    for (SlowLink& link : links) {
        const double size = link.time / static_cast<double>(c.steps);
        if (c.share(size) < kLeastFault || gpus_are_slow_too(c, link))
            continue;
        const auto shared = std::make_shared<SlowLink>(std::move(link));
        const std::vector<std::uint32_t> late_ranks = late_for_link(c, *shared, size);
        std::vector<bool> late(c.inputs.run.ranks.size());
        for (const std::uint32_t rank : late_ranks)
            late[rank] = true;
        candidates.push_back({size,
                              [&c, shared, late](GraphTimes& times) {
                                  speed_up(*shared, times);
                                  remove_excess(c.graph, c.peers, OwnCause::late_start, late, times);
                              },
                              [&c, shared] { return describe_link(c, *shared); }, late_ranks});
    }
    return candidates;
}

} // namespace rankscope
