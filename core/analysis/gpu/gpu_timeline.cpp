// SPDX-License-Identifier: GPL-3.0-or-later
// gpu_timeline by interval algebra over the classes of GPU work.
#include "core/analysis/gpu/gpu_timeline.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <vector>

namespace rankscope {
namespace {

constexpr TimeNs kMicroIdle = 10'000;

/// Idle gaps under 10 us. An event without length is no time, but it does part a gap in two.
TimeNs micro_idle(std::span<const GpuSlice> work) {
    TimeNs total = 0;
    TimeNs busy_until = work.front().range.begin;
    for (const GpuSlice& slice : work) {
        const TimeNs gap = slice.range.begin - busy_until;
        total += gap > 0 && gap < kMicroIdle ? gap : 0;
        busy_until = std::max(busy_until, slice.range.end);
    }
    return total;
}

} // namespace

ClassIntervals class_intervals(std::span<const GpuSlice> work) {
    std::vector<TimeRange> compute;
    std::vector<TimeRange> communication;
    std::vector<TimeRange> memory_copy;
    for (const GpuSlice& slice : work) {
        switch (slice.kernel_class) {
        case KernelClass::compute:
        case KernelClass::memory_set: compute.push_back(slice.range); break;
        case KernelClass::communication: communication.push_back(slice.range); break;
        case KernelClass::memory_copy: memory_copy.push_back(slice.range); break;
        }
    }
    return {merge(std::move(compute)), merge(std::move(communication)), merge(std::move(memory_copy))};
}

namespace {

GpuTimeline timeline_of_stretch(std::span<const GpuSlice> work) {
    GpuTimeline t;
    TimeRange window = work.front().range;
    for (const GpuSlice& slice : work) {
        window.begin = std::min(window.begin, slice.range.begin);
        window.end = std::max(window.end, slice.range.end);
    }
    const auto [compute, communication, memory_copy] = class_intervals(work);
    const IntervalSet busy = unite(unite(compute, communication), memory_copy);
    t.total = window.length();
    t.busy = measure(busy);
    t.computation = measure(compute);
    t.total_comm = measure(communication);
    t.exposed_comm = measure(subtract(communication, compute));
    t.overlap = measure(intersect(compute, communication));
    t.total_memcpy = measure(memory_copy);
    t.exposed_memcpy = measure(subtract(subtract(memory_copy, compute), communication));
    t.idle = t.total - t.busy;
    t.micro_idle = micro_idle(work);
    assert(t.computation + t.exposed_comm + t.exposed_memcpy + t.idle == t.total);
    assert(t.overlap + t.exposed_comm == t.total_comm);
    return t;
}

void add(GpuTimeline& to, const GpuTimeline& t) {
    for (const auto field :
         {&GpuTimeline::total, &GpuTimeline::busy, &GpuTimeline::computation, &GpuTimeline::total_comm,
          &GpuTimeline::exposed_comm, &GpuTimeline::overlap, &GpuTimeline::total_memcpy, &GpuTimeline::exposed_memcpy,
          &GpuTimeline::idle, &GpuTimeline::micro_idle})
        to.*field += t.*field;
}

} // namespace

GpuTimeline gpu_timeline(std::span<const GpuSlice> work) {
    if (work.empty())
        return {};
    const auto parted = [](const GpuSlice& a, const GpuSlice& b) { return a.stretch != b.stretch; };
    if (std::ranges::adjacent_find(work, parted) == work.end())
        return timeline_of_stretch(work);
    std::map<std::uint32_t, std::vector<GpuSlice>> stretches;
    for (const GpuSlice& slice : work)
        stretches[slice.stretch].push_back(slice);
    GpuTimeline sum;
    for (const auto& [stretch, slices] : stretches)
        add(sum, timeline_of_stretch(slices));
    return sum;
}

} // namespace rankscope
