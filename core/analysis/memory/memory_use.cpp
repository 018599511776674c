// SPDX-License-Identifier: GPL-3.0-or-later
// Allocator peaks and transfer totals of a rank.
#include "core/analysis/memory/memory_use.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "core/analysis/selection/selected_time.h"
#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

using Blocks = NumberMap<std::uint64_t, std::int64_t>;

void list_live(DeviceMemory& memory, const Blocks& blocks) {
    std::map<std::int64_t, std::int64_t> by_size;
    for (const auto& [address, bytes] : blocks) {
        ++by_size[bytes];
        memory.live_bytes += bytes;
    }
    for (const auto& [bytes, count] : by_size)
        memory.live.push_back({bytes, count});
    std::stable_sort(memory.live.begin(), memory.live.end(),
                     [](const LiveBlocks& a, const LiveBlocks& b) { return a.bytes * a.count > b.bytes * b.count; });
}

/// What was live is replayed up to the peak, which is known only after a first pass.
DeviceMemory device_memory(std::span<const MemorySample> points) {
    DeviceMemory memory;
    memory.device_type = points.front().device_type;
    memory.device = points.front().device;
    memory.samples = static_cast<std::int64_t>(points.size());
    memory.allocated_first = points.front().allocated;
    std::size_t peak = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const MemorySample& sample = points[i];
        memory.reserved_peak = std::max(memory.reserved_peak, sample.reserved);
        if (sample.allocated > memory.allocated_peak) {
            memory.allocated_peak = sample.allocated;
            peak = i;
        }
    }
    memory.peak_time = points[peak].time;
    if (memory.allocated_peak == kUnknown)
        return memory;
    Blocks blocks;
    for (std::size_t i = 0; i <= peak; ++i) {
        const MemorySample& sample = points[i];
        if (sample.address == 0 || sample.bytes == kUnknown)
            continue;
        if (sample.bytes > 0)
            blocks[sample.address] = sample.bytes;
        else
            blocks.erase(sample.address);
    }
    list_live(memory, blocks);
    return memory;
}

} // namespace

double TransferTotal::gb_s() const {
    return bytes > 0 && time_with_bytes > 0 ? static_cast<double>(bytes) / static_cast<double>(time_with_bytes)
                                            : std::numeric_limits<double>::quiet_NaN();
}

MemoryUse analyse_memory(const Run& run, const RankTrace& rank, const Selection& selection,
                         std::span<const GpuSlice> work) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<MemorySample>> devices;
    for (const MemorySample& sample : rank.memory_samples)
        if (is_selected(run, rank, selection, sample.time))
            devices[{sample.device_type, sample.device}].push_back(sample);
    MemoryUse result;
    for (const auto& [key, points] : devices)
        result.devices.push_back(device_memory(points));
    std::array<TransferTotal, kTransferKindCount> totals{};
    for (const GpuSlice& slice : work) {
        if (slice.kernel_class != KernelClass::memory_copy && slice.kernel_class != KernelClass::memory_set)
            continue;
        const EventIndex event = slice.event;
        TransferTotal& total =
            totals[static_cast<std::size_t>(transfer_kind(rank.events.kind[event], rank.event_name(event)))];
        const TimeNs duration = rank.events.duration[event];
        ++total.count;
        total.time += duration;
        const auto transfer = std::ranges::lower_bound(rank.memory_transfers, event, {}, &MemoryTransfer::event);
        if (transfer == rank.memory_transfers.end() || transfer->event != event || transfer->bytes == kUnknown) {
            ++total.without_bytes;
        } else {
            total.bytes += transfer->bytes;
            total.time_with_bytes += duration;
        }
    }
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (totals[i].count > 0) {
            totals[i].kind = static_cast<TransferKind>(i);
            result.transfers.push_back(totals[i]);
        }
    }
    return result;
}

} // namespace rankscope
