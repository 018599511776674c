// SPDX-License-Identifier: GPL-3.0-or-later
// The host's line of work.
#include "core/analysis/gpu/host_points.h"

#include <algorithm>

#include <tbb/parallel_sort.h>

#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"
#include "core/trace/device_waits.h"

namespace rankscope {
namespace {

bool is_data_loading(std::string_view name) {
    return contains(name, "DataLoader") || contains(name, "dataloader") || contains(name, "data_loading");
}

bool is_collection(std::string_view name) {
    return name == "Python GC" || name == "gc" || contains(name, "gc.collect") || contains(name, "gc_collect");
}

bool is_allocation(std::string_view name) {
    static constexpr std::string_view kNames[] = {"cudaMalloc", "cudaFree", "hipMalloc", "hipFree", "cuMem", "hipMem"};
    if (!starts_with_any(name, kNames))
        return false;
    const bool copies = contains(name, "cpy") || contains(name, "set") || contains(name, "Set");
    const bool asks = contains(name, "GetInfo") || contains(name, "Get");
    return !copies && !asks;
}

/// Calls that block until some of it has: of runtimes, and what JAX's profiles show of them.
bool waits_for_some(std::string_view name) {
    return contains(name, "Synchronize") || name == "urEventWait" || name == "event_wait" || name == "cudaMemcpy" ||
           name == "hipMemcpy" || name == "hipMemcpyWithStream";
}
bool waits_in_framework(std::string_view name) {
    return contains(name, "block_until_ready") || contains(name, "Buffer::Await");
}

/// What events of a name are to the host, and whether they launch kernels, on whatever GPU.
struct Role {
    HostRole on_host;
    bool launches = false;
};

/// Equal times: a step ends before the next starts, and starts before anything in it.
int order_of(HostWork work) { return work == HostWork::step_end ? 0 : work == HostWork::step_begin ? 1 : 2; }

} // namespace

HostRole host_role(EventKind kind, std::string_view name) {
    switch (kind) {
    case EventKind::runtime:
    case EventKind::driver:
        if (waits_for_device(name))
            return {true, HostWork::wait_device};
        if (waits_for_some(name))
            return {true, HostWork::wait_stream};
        return {is_allocation(name), HostWork::allocation};
    case EventKind::annotation:
        if (is_data_loading(name))
            return {true, HostWork::data_loading};
        [[fallthrough]];
    case EventKind::python:
    case EventKind::cpu_op:
    case EventKind::other:
        if (waits_in_framework(name))
            return {true, HostWork::wait_stream};
        return {is_collection(name), HostWork::garbage_collection};
    default: return {};
    }
}

std::vector<HostPoint> host_points(const RankTrace& rank, const std::vector<ProfilerStep>& steps, TimeRange range) {
    const EventTable& events = rank.events;
    std::vector<HostPoint> points;
    for (std::uint32_t s = 0; s < steps.size(); ++s) {
        points.push_back({steps[s].range.begin, steps[s].range.begin, steps[s].event, HostWork::step_begin, s});
        points.push_back({steps[s].range.end, steps[s].range.end, steps[s].event, HostWork::step_end, s});
    }
    // Names repeat by the hundred thousand: each is read once for each kind it has.
    NumberMap<std::uint64_t, Role> roles;
    NameId last_name = 0;
    EventKind last_kind = EventKind::kernel;
    Role role;
    std::vector<HostPoint> of_other_gpus;
    bool any_launched = false;
    for (const Lane& lane : rank.lanes) {
        if (lane.kind != LaneKind::cpu_thread && lane.kind != LaneKind::other)
            continue;
        std::vector<HostPoint> own;
        bool launches = false;
        bool launches_elsewhere = false;
        for (EventIndex e = lane.begin; e < lane.end; ++e) {
            const EventKind kind = events.kind[e];
            if (kind == EventKind::span || kind == EventKind::overhead || !range.contains(events.start[e]))
                continue;
            if (kind != last_kind || events.name[e] != last_name) {
                last_kind = kind;
                last_name = events.name[e];
                const std::uint64_t key = std::uint64_t{last_name} << 8 | static_cast<std::uint64_t>(kind);
                const auto [known, added] = roles.try_emplace(key);
                if (added) {
                    const std::string_view name = rank.names->view(last_name);
                    known->second = {host_role(kind, name), is_launch_call(kind) && contains(name, "LaunchKernel")};
                }
                role = known->second;
            }
            const bool launched = is_launch_call(kind) && events.link[e] < events.gpu_count;
            launches |= launched;
            launches_elsewhere |= role.launches && !launched;
            if (role.on_host.counts)
                own.push_back({events.start[e], events.end(e), e, role.on_host.work, 0});
            else if (launched)
                own.push_back({events.start[e], events.end(e), e, HostWork::launch, 0});
        }
        any_launched |= launches;
        std::vector<HostPoint>& to = launches_elsewhere && !launches ? of_other_gpus : points;
        to.insert(to.end(), own.begin(), own.end());
    }
    if (!any_launched)
        points.insert(points.end(), of_other_gpus.begin(), of_other_gpus.end());
    tbb::parallel_sort(points.begin(), points.end(), [](const HostPoint& a, const HostPoint& b) {
        return a.start != b.start                     ? a.start < b.start
               : order_of(a.work) != order_of(b.work) ? order_of(a.work) < order_of(b.work)
                                                      : a.event < b.event;
    });
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        if (points[i].work >= HostWork::data_loading)
            points[i].end = std::clamp(points[i + 1].start, points[i].start, points[i].end);
    return points;
}

} // namespace rankscope
