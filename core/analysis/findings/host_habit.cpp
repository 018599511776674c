// SPDX-License-Identifier: GPL-3.0-or-later
// Which costs are habits: what all ranks do alike, in all steps or in every so many.
#include "core/analysis/findings/host_habit.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <span>
#include <vector>

namespace rankscope {
namespace {

constexpr double kHabit = 0.02;      ///< of a step: what a loader that takes the same in all steps may cost
constexpr double kAlikePause = 0.75; ///< of the longest pause: as long as that

/// The ranges that the program names itself, but steps.
std::vector<EventIndex> own_ranges(const RankTrace& rank) {
    std::vector<EventIndex> ranges;
    for (EventIndex e = rank.events.gpu_count; e < rank.events.size(); ++e)
        if (rank.events.kind[e] == EventKind::annotation && !rank.event_name(e).starts_with("ProfilerStep"))
            ranges.push_back(e);
    return ranges;
}

/// One of the ranges and the host's time before and in the node are mostly the same time.
bool is_one_of(const FindingContext& c, std::uint32_t node, std::span<const EventIndex> ranges) {
    const TimeRange host = host_range(c, node);
    const EventTable& events = c.inputs.run.ranks[c.graph.rank[node]]->events;
    return std::ranges::any_of(ranges, [&](EventIndex e) {
        const TimeNs shared = std::min(host.end, events.end(e)) - std::max(host.begin, events.start[e]);
        return 2 * shared > host.length() && 2 * shared > events.duration[e];
    });
}

/// Two steps or more, equally far apart but not next to each other, and the recording has no step at that distance that
/// is left out. The first step may be: pauses_by_node() tells none there.
bool every_so_many(const FindingContext& c, const std::set<std::int64_t>& steps) {
    if (steps.size() < 2)
        return false;
    const std::int64_t apart = *std::next(steps.begin()) - *steps.begin();
    for (auto step = steps.begin(); std::next(step) != steps.end(); ++step)
        if (*std::next(step) - *step != apart)
            return false;
    const auto [first, last] =
        std::ranges::minmax(c.graph.steps | std::views::transform([](const GraphStep& step) { return step.number; }));
    return apart > 1 && *steps.begin() - apart <= first && *steps.rbegin() + apart > last;
}

} // namespace

bool is_habit(const FindingContext& c, const HostFault& fault, double cost) {
    if (fault.no_fault)
        return true;
    if (fault.code == FindingCode::data_loading)
        return fault.host.onset.steps.empty() && c.share(cost) < kHabit;
    const bool waits = fault.code == FindingCode::synchronisation && !fault.host.onset.steps.empty();
    if ((fault.code != FindingCode::host_pauses && !waits) || c.inputs.run.ranks.size() < 2 || !c.graph.profiler_steps)
        return false;
    std::map<std::int64_t, std::set<std::uint32_t>> ranks;   // by number of the step
    std::map<std::uint32_t, std::vector<EventIndex>> ranges; // by rank
    const auto [shortest, longest] = std::ranges::minmax(fault.host.times);
    const bool alike = waits || static_cast<double>(shortest) >= kAlikePause * static_cast<double>(longest);
    for (const std::uint32_t n : fault.host.nodes) {
        const std::uint32_t rank = c.graph.rank[n];
        const auto is_named = [&] {
            const auto [own, added] = ranges.try_emplace(rank);
            if (added)
                own->second = own_ranges(*c.inputs.run.ranks[rank]);
            return is_one_of(c, n, own->second);
        };
        if (const GraphStep* step = c.graph.step_of(n); step != nullptr && (alike || is_named()))
            ranks[step->number].insert(rank);
    }
    std::set<std::int64_t> steps;
    for (const auto& [number, with] : ranks) {
        if (with.size() < c.inputs.run.ranks.size())
            return false;
        steps.insert(number);
    }
    return every_so_many(c, steps);
}

} // namespace rankscope
