// SPDX-License-Identifier: GPL-3.0-or-later
// In which steps calls are slow: beside what is usual for them, by steps whose level is raised, or by single steps.
#include "core/analysis/findings/link_slow_steps.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/basics/change_points.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/link_usual.h"

namespace rankscope {
namespace {

CallsByStep by_step(const std::vector<LinkCall>& calls) {
    CallsByStep steps;
    for (const LinkCall& call : calls)
        steps[call.step].push_back(call);
    return steps;
}

/// Steps that are a little slow beside far slower ones are so for another reason, as for what runs beside their calls.
/// Returns from which median on a step counts, ns; 0: from any on. Far slower steps tell if they are two or more, and a
/// quarter of all. medians: of the steps' calls.
double least_of_slowest(const std::vector<double>& medians, double usual) {
    constexpr double kFar = 4; ///< times as much longer than usual
    const double least = usual + (std::ranges::max(medians) - usual) / kFar;
    const auto count =
        static_cast<std::size_t>(std::ranges::count_if(medians, [&](double own) { return own >= least; }));
    return count >= 2 && 4 * count >= medians.size() ? least : 0;
}

/// In which steps the group's calls take longer than usual. only: no others than these.
std::optional<SlowLink> slow_steps(const FindingContext& c, const SameCalls& key, const CallsByStep& steps,
                                   const UsualOfCalls& usual, const std::set<std::int64_t>* only = nullptr) {
    if (usual.time <= 0)
        return {};
    SlowLink found;
    double slowest = 0;
    std::vector<double> medians;
    for (const auto& [step, calls] : steps)
        medians.push_back(median_time(calls));
    // Where its level changes inside the run, no single step that noise moves across the limit blurs since when.
    const auto level = raised_level(medians);
    const bool changes =
        level && !level->gradual && level->usual < kSlowLink * usual.time && level->raised >= kSlowLink * usual.time;
    if (changes)
        found.chance = level->chance;
    const double least = least_of_slowest(medians, usual.time);
    std::size_t next = 0;
    for (const auto& [step, calls] : steps) {
        const std::size_t place = next++;
        const double own = medians[place];
        const double noise = kClearErrors * usual.deviation / std::sqrt(static_cast<double>(calls.size()));
        const bool is_slow = only != nullptr ? only->contains(step) && own > usual.time
                             : changes       ? place >= level->first && place <= level->last && own > usual.time
                                             : own >= std::max(least, usual.time * std::max(kSlowLink, 1 + noise));
        if (!is_slow)
            continue;
        found.steps.insert(step);
        slowest = std::max(slowest, own);
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const LinkCall& call = calls[i];
            const bool by_place = !usual.of_place.empty() && call.time > 0;
            found.time += call.time - (by_place ? usual.of_place[i] : usual.time);
            found.longest.emplace_back(c.graph.times.duration[call.node], call.node);
            found.factor[call.node] = by_place ? usual.of_place[i] / call.time : usual.time / own;
            ++found.calls;
        }
    }
    // A first step that is slow alone is warm-up, which is told as such.
    const bool warm_up = steps.size() > 1 && found.steps.size() == 1 && *found.steps.begin() == steps.begin()->first;
    if (found.steps.empty() || warm_up)
        return {};
    found.against = usual.against;
    found.ratio = slowest / usual.time;
    found.busbw = gigabytes_a_second(key, slowest);
    found.usual_busbw = gigabytes_a_second(key, usual.time);
    return found;
}

/// Slow for one reason: noise may move a step across the limit for one group and not for another.
bool are_same_steps(const std::set<std::int64_t>& a, const std::set<std::int64_t>& b) {
    std::vector<std::int64_t> both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return 2 * both.size() >= a.size() + b.size() - both.size();
}

/// Several groups are of one dimension, or of one layout where none is known.
bool lie_alike(const FindingContext& c, const SameCalls& key, const CallsByGroup& groups) {
    const auto layout = [&](const auto& entry) {
        return group_layout(key.dimension, c.inputs.collectives.groups[entry.first]);
    };
    return groups.size() > 1 && std::ranges::all_of(groups, [&](const auto& entry) {
               return layout(entry) == layout(*groups.begin()) &&
                      (key.dimension != ParallelDimension::unknown ||
                       !c.inputs.collectives.groups[entry.first].point_to_point);
           });
}

/// All groups are slow in the same steps, so that none stands out: each beside its own other steps; the steps are those
/// of most groups. Empty otherwise.
std::map<std::uint32_t, SlowLink> slow_together(const FindingContext& c, const SameCalls& key,
                                                const CallsByGroup& groups) {
    std::map<std::uint32_t, SlowLink> slow;
    for (const auto& [group, calls] : groups) {
        const CallsByStep steps = by_step(calls);
        auto own = lie_alike(c, key, groups) ? slow_steps(c, key, steps, usual_of_steps(steps)) : std::nullopt;
        const bool alike = own && own->steps.size() < steps.size() &&
                           (slow.empty() || are_same_steps(slow.begin()->second.steps, own->steps));
        if (!alike)
            return {};
        slow[group] = std::move(*own);
    }
    std::map<std::int64_t, std::size_t> groups_of_step;
    for (const auto& [group, link] : slow)
        for (const std::int64_t step : link.steps)
            ++groups_of_step[step];
    std::set<std::int64_t> common;
    for (const auto& [step, count] : groups_of_step)
        if (2 * count > slow.size())
            common.insert(step);
    for (auto& [group, link] : slow) {
        if (link.steps == common)
            continue;
        const CallsByStep steps = by_step(groups.at(group));
        auto own = slow_steps(c, key, steps, usual_of_steps(steps), &common);
        if (!own)
            return {};
        link = std::move(*own);
        link.chance.reset();
    }
    return slow;
}

/// Calls of one group that are slow, of those that should take equally long.
struct SlowCalls {
    const SameCalls& key;
    CallsByStep steps;
    UsualOfCalls usual;
    SlowLink link;
};
using SlowCallsByGroup = std::map<std::uint32_t, std::vector<SlowCalls>>;

void add_slow_steps(const FindingContext& c, const SameCalls& key, const CallsByGroup& groups, SlowCallsByGroup& slow,
                    std::map<GroupLayout, SlowLink>& dimensions) {
    if (auto together = slow_together(c, key, groups); !together.empty()) {
        const CommGroup& first = c.inputs.collectives.groups[groups.begin()->first];
        SlowLink& dimension = dimensions[group_layout(key.dimension, first)];
        dimension.dimension = key.dimension;
        for (auto& [group, link] : together) {
            link.groups = {group};
            join_links(dimension, std::move(link));
        }
        return;
    }
    const TimesOfGroups times(groups);
    for (const auto& [group, calls] : groups) {
        CallsByStep steps = by_step(calls);
        UsualOfCalls usual = usual_time(times, group, steps);
        if (auto link = slow_steps(c, key, steps, usual))
            slow[group].push_back({key, std::move(steps), std::move(usual), std::move(*link)});
    }
}

/// The calls of each group together. Those that are slow in mostly the same steps as the calls that lose most are slow
/// in just these steps: it is one link.
std::map<std::uint32_t, SlowLink> join_calls(const FindingContext& c, SlowCallsByGroup slow) {
    std::map<std::uint32_t, SlowLink> joined;
    for (auto& [group, calls] : slow) {
        const auto most = std::ranges::max_element(calls, {}, [](const SlowCalls& each) { return each.link.time; });
        for (SlowCalls& each : calls) {
            if (each.link.steps == most->link.steps || !are_same_steps(each.link.steps, most->link.steps))
                continue;
            if (auto again = slow_steps(c, each.key, each.steps, each.usual, &most->link.steps)) {
                each.link = std::move(*again);
                each.link.chance = most->link.chance;
            }
        }
        for (SlowCalls& each : calls) {
            each.link.groups = {group};
            join_links(joined[group], std::move(each.link));
        }
    }
    return joined;
}

} // namespace

SlowGroups slow_groups(const FindingContext& c, const std::map<SameCalls, CallsByGroup>& calls) {
    SlowCallsByGroup slow;
    SlowGroups found;
    for (const auto& [key, groups] : calls)
        add_slow_steps(c, key, groups, slow, found.dimensions);
    found.by_group = join_calls(c, std::move(slow));
    for (auto& [layout, link] : found.dimensions) {
        std::set<std::uint32_t> all;
        for (const auto& [key, groups] : calls)
            for (const auto& [group, own] : groups)
                if (group_layout(key.dimension, c.inputs.collectives.groups[group]) == layout)
                    all.insert(group);
        link.of_groups = all.size();
    }
    return found;
}

} // namespace rankscope
