// SPDX-License-Identifier: GPL-3.0-or-later
// What the allocator of each device held over time, and which operators made what was live at one moment.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/run_analysis.h"

namespace rankscope {

struct MemoryPoint {
    TimeNs time = 0;                   ///< absolute, the rank's own
    std::int64_t allocated = kUnknown; ///< bytes from here on, as recorded
    std::int64_t reserved = kUnknown;
};

/// One device as one rank recorded it, inside the selection.
struct MemoryCurve {
    std::size_t rank = 0;         ///< index in Run::ranks
    std::int32_t device_type = 0; ///< as in MemorySample
    std::int32_t device = -1;
    std::vector<MemoryPoint> points; ///< by time; only samples that say how much is allocated; never empty
    std::size_t peak = 0;            ///< the first point with the most allocated
    /// Of a memory snapshot: index in RunAnalysis::snapshot_memory().devices. Its first point is the start.
    std::optional<std::size_t> snapshot;
};
/// By rank, then GPUs before the CPU, then number; those of memory snapshots follow, by rank, of the whole recording.
std::vector<MemoryCurve> memory_curves(const RunAnalysis& analysis);

/// Blocks that one operator made and nobody has freed.
struct LiveBlocksOf {
    NameId maker =
        0; ///< innermost operator around the allocation that does more than allocate; of "" when there is none
    NameId inside = 0;                  ///< outermost operator around that one; may be the same
    EventIndex largest_call = kNoEvent; ///< the maker's call around the largest block
    std::int64_t count = 0;
    std::int64_t bytes = 0;
    std::int64_t largest = 0; ///< bytes of one block
};

/// Everything recorded up to the moment counts, also before the selection.
struct LiveMemory {
    TimeNs time = 0;
    std::int64_t allocated = kUnknown; ///< recorded total
    std::int64_t traced = 0;           ///< bytes of the blocks below
    bool addresses = false;            ///< false: the samples do not tell which block is freed, and nothing is listed
    std::vector<LiveBlocksOf> blocks;  ///< most bytes first, ties by name
    /// Made before the recording started; kUnknown without a total.
    [[nodiscard]] std::int64_t from_before() const {
        return allocated == kUnknown ? kUnknown : std::max<std::int64_t>(0, allocated - traced);
    }
};
LiveMemory live_memory(const RankTrace& rank, std::int32_t device_type, std::int32_t device, TimeNs time);
/// The same of any curve. Of a snapshot maker is the innermost frame of the user's program, and inside the category, or
/// without any the next frame around it.
LiveMemory live_memory(const RunAnalysis& analysis, const MemoryCurve& curve, TimeNs time);
/// Of a snapshot's curve: bytes at that time that are reserved and not allocated, beside blocks that are.
std::int64_t fragmented_bytes(const RunAnalysis& analysis, const MemoryCurve& curve, TimeNs time);

} // namespace rankscope
