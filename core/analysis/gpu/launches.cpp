// SPDX-License-Identifier: GPL-3.0-or-later
// Launch statistics and queue lengths of a rank.
#include "core/analysis/gpu/launches.h"

#include <algorithm>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

struct QueueTimes {
    std::vector<TimeNs> launched;
    std::vector<TimeNs> started;
};

/// The first GPU event of every call with a launch in the trace, by lane.
std::vector<QueueTimes> queue_times(const RankTrace& rank, std::span<const GpuSlice> work) {
    const EventTable& events = rank.events;
    std::vector<QueueTimes> lanes(rank.lanes.size());
    for (const GpuSlice& slice : work) {
        const EventIndex call = events.link[slice.event];
        if (call != kNoEvent && events.link[call] == slice.event) {
            QueueTimes& lane = lanes[static_cast<std::size_t>(&rank.lane_of(slice.event) - rank.lanes.data())];
            lane.launched.push_back(events.start[call]);
            lane.started.push_back(events.start[slice.event]);
        }
    }
    return lanes;
}

std::vector<QueuePoint> points_of(QueueTimes times) {
    std::sort(times.launched.begin(), times.launched.end());
    std::sort(times.started.begin(), times.started.end());
    std::vector<QueuePoint> points;
    std::int64_t length = 0;
    auto launch = times.launched.begin();
    auto start = times.started.begin();
    while (launch != times.launched.end() || start != times.started.end()) {
        const bool next_is_launch =
            start == times.started.end() || (launch != times.launched.end() && *launch <= *start);
        const TimeNs time = next_is_launch ? *launch : *start;
        for (; launch != times.launched.end() && *launch == time; ++launch)
            ++length;
        for (; start != times.started.end() && *start == time; ++start)
            --length;
        points.push_back({time, length});
    }
    return points;
}

StreamQueue queue_of(const Lane& lane, QueueTimes times) {
    StreamQueue queue;
    queue.device = lane.device;
    queue.stream = lane.stream;
    queue.launches = static_cast<std::int64_t>(times.launched.size());
    const std::vector<QueuePoint> points = points_of(std::move(times));
    double weighted = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const auto& [time, length] = points[i];
        const TimeNs until_next = points[i + 1].time - time;
        queue.longest = std::max(queue.longest, length);
        queue.empty += length <= 0 ? until_next : 0;
        queue.full += length >= kQueueCapacity ? until_next : 0;
        weighted += static_cast<double>(length) * static_cast<double>(until_next);
    }
    queue.time = points.back().time - points.front().time;
    queue.mean = queue.time > 0 ? weighted / static_cast<double>(queue.time) : 0;
    return queue;
}

} // namespace

TimeNs usual_launch_call(const RankTrace& rank) {
    const EventTable& events = rank.events;
    std::vector<TimeNs> calls;
    for (EventIndex i = 0; i < events.gpu_count; ++i)
        if (events.kind[i] == EventKind::kernel && events.link[i] != kNoEvent)
            calls.push_back(events.duration[events.link[i]]);
    return calls.empty() ? 0 : upper_median(std::move(calls));
}

std::optional<TimeNs> launched_at(const RankTrace& rank, EventIndex work, TimeNs usual_call) {
    const EventTable& events = rank.events;
    const EventIndex call = events.link[work];
    if (call == kNoEvent)
        return std::nullopt;
    return events.kind[work] == EventKind::kernel ? std::max(events.start[call], events.end(call) - usual_call)
                                                  : events.start[call];
}

LaunchAnalysis analyse_launches(const RankTrace& rank, std::span<const GpuSlice> work) {
    const EventTable& events = rank.events;
    LaunchAnalysis result;
    std::vector<TimeNs> delays;
    std::vector<TimeNs> after_calls;
    std::vector<TimeNs> calls;
    std::vector<TimeNs> gpu;
    for (const GpuSlice& slice : work) {
        const EventIndex event = slice.event;
        if (events.kind[event] == EventKind::kernel) {
            ++result.kernels;
            result.kernel_time += events.duration[event];
            for (std::size_t i = 0; i < kShortKernelLimits.size(); ++i) {
                if (events.duration[event] < kShortKernelLimits[i]) {
                    ++result.short_kernels[i].count;
                    result.short_kernels[i].time += events.duration[event];
                }
            }
        }
        const EventIndex call = events.link[event];
        if (call == kNoEvent) {
            ++result.without_launch;
            continue;
        }
        if (events.link[call] != event)
            continue;
        delays.push_back(events.start[event] - events.start[call]);
        after_calls.push_back(std::max<TimeNs>(0, events.start[event] - events.end(call)));
        calls.push_back(events.duration[call]);
        gpu.push_back(events.duration[event]);
    }
    result.delay = distribution_of(std::move(delays));
    result.after_call = distribution_of(std::move(after_calls));
    result.call = distribution_of(std::move(calls));
    result.gpu = distribution_of(std::move(gpu));
    std::vector<QueueTimes> lanes = queue_times(rank, work);
    for (std::size_t i = 0; i < lanes.size(); ++i)
        if (!lanes[i].launched.empty())
            result.queues.push_back(queue_of(rank.lanes[i], std::move(lanes[i])));
    return result;
}

std::vector<QueuePoint> queue_length(const RankTrace& rank, std::span<const GpuSlice> work, std::int64_t device,
                                     std::int64_t stream) {
    std::vector<QueueTimes> lanes = queue_times(rank, work);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const Lane& lane = rank.lanes[i];
        if (lane.kind == LaneKind::gpu_stream && lane.device == device && lane.stream == stream)
            return points_of(std::move(lanes[i]));
    }
    return {};
}

} // namespace rankscope
