// SPDX-License-Identifier: GPL-3.0-or-later
// How much shorter a step would be if the hosts took no time, and what they do while GPUs wait for them.
//   Example: a step of 100 ms takes 70 ms in the replay without the hosts' time: cost 30 ms. If no wait for a GPU is
//   recorded and the busiest GPU is idle for 20 ms, the cost is 20 ms.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/held_to_facts.h"
#include "core/analysis/findings/host_engine_pauses.h"
#include "core/analysis/findings/host_named.h"
#include "core/analysis/findings/host_synchronisation.h"
#include "core/base/text.h"
#include "core/trace/python_stacks.h"

namespace rankscope {
namespace {

/// In the repaired run, ns per step: the time in which the busiest rank runs nothing on its GPU; what its collectives
/// wait for others counts as such.
double idle_of_busiest(const FindingContext& c) {
    const GraphTimes& times = c.repaired.times();
    const std::vector<TimeNs> start = c.repaired.changed() ? replay(c.graph, c.repaired.times()) : c.graph.start;
    TimeNs most = 0;
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r) {
        std::vector<TimeRange> busy;
        for (std::uint32_t n = c.graph.first_gpu_node[r]; n < c.graph.first_node[r + 1]; ++n) {
            if (c.graph.profiler_steps && c.graph.step[n] == kNoNode)
                continue;
            const std::uint32_t own = c.graph.transfer_of[n] == kNoNode ? n : c.graph.transfer_of[n];
            busy.push_back({start[own], start[own] + times.duration[own]});
        }
        most = std::max(most, measure(merge(std::move(busy))));
    }
    return c.repaired.step_ns() - static_cast<double>(most) / static_cast<double>(c.steps);
}

/// Most of what is recorded of the host while GPUs wait is inside one thing, and more is recorded than not.
bool is_mostly_inside(const FindingContext& c, const HostNamed& host) {
    const StepFill& fill = c.inputs.facts.fill;
    return !host.mostly_launches() && fill[StepShare::unrecorded] <= fill[StepShare::host] && !host.name.empty() &&
           2 * host.named >= host.other;
}

/// Launches are blamed only where the host makes one after the other. What is recorded of the host, facts say.
Message host_bound_words(const FindingContext& c, const HostNamed& host, double cost) {
    constexpr std::size_t kActivityWidth = 80;
    const StepFill& fill = c.inputs.facts.fill;
    if (host.mostly_launches())
        return "The GPU waits for the host: %1 would be saved if launching cost no time"_text(share_words(c, cost));
    if (fill[StepShare::unrecorded] > fill[StepShare::host])
        return "The GPU waits for the host: %1 would be saved if it took no time; what it does then is mostly not "
               "recorded"_text(share_words(c, cost));
    constexpr TimeNs kLittle = 10; // a name of less than a tenth of the time says nothing of it
    if (host.name.empty() || kLittle * host.named < host.other)
        return "The GPU waits for the host: %1 would be saved if it took no time"_text(share_words(c, cost));
    const std::string name = shortened(host.name, kActivityWidth);
    return is_mostly_inside(c, host)
               ? "The GPU waits for the host, which is mostly inside %1: %2 would be saved if it took no time"_text(
                     name, share_words(c, cost))
               : "The GPU waits for the host, which does many things then, the longest inside %1: %2 would be saved if "
                 "it took no time"_text(name, share_words(c, cost));
}

/// Whether steps of the rank are known: a device that only copies beside the others has none. All, where none has any.
std::vector<bool> ranks_with_steps(const FindingContext& c) {
    std::vector<bool> with(c.inputs.run.ranks.size());
    const auto& windows = c.inputs.steps.windows;
    for (std::size_t r = 0; r < windows.size(); ++r)
        with[r] = !windows[r].empty();
    if (std::ranges::find(with, true) == with.end())
        with.assign(with.size(), true);
    return with;
}

/// What their hosts do keeps GPUs waiting also once the faults that are told are gone. All ranks, where none is
/// without. Indices.
std::vector<std::uint32_t> ranks_without_faults(const FindingContext& c) {
    std::vector<std::uint32_t> ranks;
    const std::vector<bool> with_steps = ranks_with_steps(c);
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r) {
        if (!with_steps[r])
            continue;
        const auto concerns = [&](const ToldFault& told) {
            return std::ranges::find(told.ranks, c.rank_number(r)) != told.ranks.end();
        };
        if (std::ranges::none_of(c.repaired.told(), concerns) &&
            std::ranges::none_of(c.repaired.told_of_hosts(), concerns))
            ranks.push_back(r);
    }
    if (ranks.empty())
        for (std::uint32_t r = 0; r < with_steps.size(); ++r)
            if (with_steps[r])
                ranks.push_back(r);
    return ranks;
}

/// What the host costs beyond the time in which its own GPU is idle: ranks wait for others whose hosts are late. Empty
/// where that is next to nothing.
Message waits_for_hosts_words(const FindingContext& c, double cost) {
    const StepFill& fill = c.inputs.facts.fill;
    // Without steps, facts count from the first GPU work on, and costs from its launch on.
    const double beyond = cost - fill.idle_ns() - std::max(0.0, c.step_time - fill.step_ns);
    return beyond < kNearlyAlike * cost
               ? Message()
               : "; at least %1 of that is waiting for ranks whose hosts are late"_text(time_words(beyond));
}

} // namespace

void find_host_bound(const FindingContext& c, std::vector<Finding>& found) {
    if (!launches_recorded(c.graph))
        return; // a TPU, an operation timeline: nothing is known of a host
    const EnginePauses pauses = pauses_between_steps(c);
    const auto without_pauses = [&](GraphTimes& times) {
        for (const auto& [edge, usual] : pauses.edges)
            times.lag[edge] = std::min(times.lag[edge], usual);
    };
    const double paused = pauses.edges.empty() ? 0 : std::max(0.0, c.repaired.saved_ns(without_pauses));
    if (c.share(paused) >= kLeastInherent)
        found.push_back(describe_engine_pauses(c, pauses, paused));
    // A host that is never seen to wait for its GPU may do so in a way that is not recorded, and the replay takes it
    // for one that works. Then it saves no more than the time in which the busiest GPU does nothing.
    const double saved = c.repaired.saved_ns([&](GraphTimes& times) {
        without_pauses(times);
        scale_host(c.graph, 0, false, times);
    }) - paused;
    const double cost = c.share(saved) < kLeastInherent || waits_recorded(c.graph)
                            ? saved
                            : std::min(saved, idle_of_busiest(c) - paused);
    if (c.share(cost) < kLeastInherent)
        return;
    TimeNs waited = 0;
    std::pair<TimeNs, std::uint32_t> longest{0, 0};
    const auto& idle = c.inputs.idle_causes;
    for (const auto& rank : idle)
        for (const StreamIdle& stream : rank)
            waited += stream.causes[static_cast<std::size_t>(IdleCause::host_wait)].time;
    Finding finding;
    finding.code = FindingCode::host_bound;
    finding.inherent = true;
    const std::vector<bool> with_steps = ranks_with_steps(c);
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (c.graph.kind[n] == NodeKind::launch && with_steps[c.graph.rank[n]] &&
            (!c.graph.profiler_steps || c.graph.step[n] != kNoNode)) {
            const TimeNs time = host_time(c.graph, n);
            if (time > longest.first)
                longest = {time, n};
        }
    }
    const HostNamed host = name_host_time(c, ranks_without_faults(c));
    finding.facts = {{FactName::host_wait_us_all_streams, static_cast<double>(waited) / 1000, {}},
                     {FactName::longest_before_a_launch_us, static_cast<double>(longest.first) / 1000, {}}};
    if (is_mostly_inside(c, host))
        finding.facts.push_back({FactName::host_is_in, 0, host.name});
    if (!host.mostly_launches() && host.longest.event != kNoEvent)
        finding.events.push_back(host.longest);
    if (longest.first > 0)
        finding.events.push_back(c.event(longest.second));
    finding.cost = cost;
    finding.confidence = 0.8;
    hold_to_bound(c, finding); // which the sentence is about
    finding.title = host_bound_words(c, host, finding.cost);
    finding.title += waits_for_hosts_words(c, finding.cost);
    if (python_stacks_recorded(c.inputs.run))
        finding.title += "; Python stacks were recorded, which slows the host"_text();
    found.push_back(std::move(finding));
}

} // namespace rankscope
