// SPDX-License-Identifier: GPL-3.0-or-later
// gpu_timeline by interval algebra over the classes of GPU work.
#include "core/analysis/gpu/gpu_timeline.h"

#include <algorithm>
#include <cassert>

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

GpuTimeline gpu_timeline(std::span<const GpuSlice> work) {
    GpuTimeline t;
    if (work.empty())
        return t;
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

} // namespace rankscope
