// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gpu/host_collectives.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace rankscope {

bool is_host_collective(EventKind kind, std::string_view name) {
    if (kind == EventKind::cpu_op || kind == EventKind::annotation)
        return name.starts_with("gloo:");
    return kind == EventKind::other && name.starts_with("xccl::");
}

std::vector<HostCollectives> host_collectives(const RankTrace& rank) {
    const EventTable& events = rank.events;
    std::map<std::pair<NameId, EventKind>, HostCollectives> by_kind;
    std::vector<std::optional<bool>> may_be(rank.names->size()); // by name
    for (EventIndex e = events.gpu_count; e < events.size(); ++e) {
        std::optional<bool>& known = may_be[events.name[e]];
        if (!known)
            known = rank.event_name(e).starts_with("gloo:") || rank.event_name(e).starts_with("xccl::");
        if (!*known || !is_host_collective(events.kind[e], rank.event_name(e)))
            continue;
        HostCollectives& sum = by_kind[{events.name[e], events.kind[e]}];
        sum.name = events.name[e];
        sum.kind = events.kind[e];
        ++sum.calls;
        sum.time += events.duration[e];
    }
    std::map<NameId, HostCollectives> by_name;
    for (const auto& [key, sum] : by_kind)
        if (HostCollectives& most = by_name[key.first]; sum.calls > most.calls)
            most = sum;
    std::vector<HostCollectives> result;
    for (const auto& [name, sum] : by_name)
        result.push_back(sum);
    std::ranges::stable_sort(result, std::greater<>(), &HostCollectives::time);
    return result;
}

std::vector<EventIndex> host_collective_calls(const RankTrace& rank) {
    const EventTable& events = rank.events;
    std::vector<EventIndex> calls;
    const std::vector<HostCollectives> collectives = host_collectives(rank);
    if (collectives.empty())
        return calls;
    std::vector<std::optional<EventKind>> kind(rank.names->size()); // by name
    for (const HostCollectives& of : collectives)
        kind[of.name] = of.kind;
    for (EventIndex e = events.gpu_count; e < events.size(); ++e)
        if (kind[events.name[e]] == events.kind[e])
            calls.push_back(e);
    std::ranges::stable_sort(calls, {}, [&](EventIndex e) { return events.start[e]; });
    return calls;
}

} // namespace rankscope
