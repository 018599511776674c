// SPDX-License-Identifier: GPL-3.0-or-later
// Host points and GPU work of one rank, as its trace has them.
#include "core/analysis/graph/rank_graph.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "core/analysis/graph/launch_latency.h"
#include "core/analysis/graph/launch_order.h"
#include "core/analysis/graph/launch_queue.h"
#include "core/trace/flat_map.h"

namespace rankscope {
namespace {

NodeKind node_of(HostWork work) {
    switch (work) {
    case HostWork::step_begin: return NodeKind::step_begin;
    case HostWork::step_end: return NodeKind::step_end;
    case HostWork::launch: return NodeKind::launch;
    case HostWork::wait_device:
    case HostWork::wait_stream: return NodeKind::wait_begin;
    case HostWork::data_loading: return NodeKind::data_loading;
    case HostWork::garbage_collection: return NodeKind::garbage_collection;
    case HostWork::allocation: break;
    }
    return NodeKind::allocation;
}

TimeRange graph_range(const RankTrace& rank, std::span<const GpuSlice> work, const std::vector<ProfilerStep>& steps) {
    TimeRange range{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    if (!steps.empty())
        range = {steps.front().range.begin, steps.back().range.end};
    for (const GpuSlice& slice : work) {
        const EventIndex call = rank.events.link[slice.event];
        range.begin = std::min(range.begin, call == kNoEvent ? slice.range.begin : rank.events.start[call]);
        range.end = std::max(range.end, slice.range.end);
    }
    return range.end < range.begin ? TimeRange{} : TimeRange{range.begin, range.end + 1};
}

/// A copy that its own call waits for: cudaMemcpyAsync from pageable memory.
bool blocks(const RankTrace& rank, EventIndex call) {
    const EventIndex work = rank.events.link[call];
    return rank.events.kind[work] == EventKind::memcpy && rank.events.end(work) <= rank.events.end(call) &&
           rank.event_name(work).find("Pageable") != std::string_view::npos;
}

void split_waits(const RankTrace& rank, std::vector<HostPoint> points, RankGraph& graph) {
    std::vector<std::pair<HostPoint, NodeKind>> split;
    split.reserve(points.size() * 5 / 4);
    for (HostPoint& point : points) {
        const bool waits = point.work == HostWork::wait_device || point.work == HostWork::wait_stream ||
                           (point.work == HostWork::launch && blocks(rank, point.event));
        const TimeNs end = point.end;
        if (waits)
            point.end = point.start;
        split.emplace_back(point, node_of(point.work));
        if (waits) {
            point.start = point.end = end;
            split.emplace_back(point, NodeKind::wait_end);
        }
    }
    std::stable_sort(split.begin(), split.end(),
                     [](const auto& a, const auto& b) { return a.first.start < b.first.start; });
    graph.host.reserve(split.size());
    graph.host_kind.reserve(split.size());
    for (const auto& [point, kind] : split) {
        graph.host.push_back(point);
        graph.host_kind.push_back(kind);
    }
}

std::uint32_t step_at_time(const std::vector<ProfilerStep>& steps, TimeNs time) {
    const auto after = std::upper_bound(steps.begin(), steps.end(), time,
                                        [](TimeNs t, const ProfilerStep& step) { return t < step.range.begin; });
    return after == steps.begin() || (after - 1)->range.end <= time
               ? kNoNode
               : static_cast<std::uint32_t>(after - steps.begin() - 1);
}

void collect_work(const RankTrace& rank, std::span<const GpuSlice> work, const std::vector<ProfilerStep>& steps,
                  RankClock clock, RankGraph& graph) {
    const EventTable& events = rank.events;
    FlatMap launch_of(graph.host.size());
    for (std::uint32_t h = 0; h < graph.host.size(); ++h)
        if (graph.host_kind[h] == NodeKind::launch)
            launch_of[graph.host[h].event] = h;
    const WorkSteps work_steps(rank);
    graph.streams.resize(rank.lanes.size());
    graph.work.reserve(work.size());
    for (const GpuSlice& slice : work) {
        const EventIndex call = events.link[slice.event];
        const auto lane = static_cast<std::uint32_t>(&rank.lane_of(slice.event) - rank.lanes.data());
        GraphWork node;
        node.event = slice.event;
        node.start = clock.aligned(events.start[slice.event]);
        node.end = clock.aligned(events.end(slice.event));
        node.lane = lane;
        node.launch = call == kNoEvent ? kNoNode : launch_of.find(call);
        node.previous = graph.streams[lane].empty() ? kNoNode : graph.streams[lane].back();
        node.earlier = work_steps.came_before(slice.event);
        node.step = node.earlier ? kNoNode : step_at_time(steps, work_steps.time_of(slice.event));
        node.kernel_class = slice.kernel_class;
        const CollectiveArgs* args =
            slice.kernel_class == KernelClass::communication ? rank.collective_of(slice.event) : nullptr;
        node.sends = args != nullptr && rank.names->view(args->collective) == "send";
        node.receives = args != nullptr && rank.names->view(args->collective) == "recv";
        graph.streams[lane].push_back(static_cast<std::uint32_t>(graph.work.size()));
        graph.work.push_back(node);
    }
}

} // namespace

std::uint32_t last_ended(const RankGraph& graph, std::size_t stream, TimeNs time) {
    const std::vector<std::uint32_t>& work = graph.streams[stream];
    // Ends ascend with starts, but for the rare overlap inside a stream.
    const auto after = std::upper_bound(work.begin(), work.end(), time,
                                        [&](TimeNs t, std::uint32_t w) { return t < graph.work[w].end; });
    return after == work.begin() ? kNoNode : *(after - 1);
}

TimeNs let_by_launch(const RankGraph& graph, const GraphWork& work, TimeNs latency) {
    const HostPoint& call = graph.host[work.launch];
    const bool copies = work.kernel_class == KernelClass::memory_copy || work.kernel_class == KernelClass::memory_set;
    return std::max(call.start + latency, copies ? call.start : std::min(call.end, work.start));
}

RankGraph build_rank_graph(const RankTrace& rank, std::span<const GpuSlice> work,
                           const std::vector<ProfilerStep>& steps, RankClock clock) {
    RankGraph graph;
    const TimeRange range = graph_range(rank, work, steps);
    std::vector<HostPoint> points = host_points(rank, steps, range);
    split_waits(rank, std::move(points), graph);
    for (HostPoint& point : graph.host) {
        point.start = clock.aligned(point.start);
        point.end = clock.aligned(point.end);
    }
    collect_work(rank, work, steps, clock, graph);
    measure_gpu_early(graph);
    find_queue_waits(graph);
    order_launches(graph);
    measure_latencies(graph);
    return graph;
}

} // namespace rankscope
