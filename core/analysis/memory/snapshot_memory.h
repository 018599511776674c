// SPDX-License-Identifier: GPL-3.0-or-later
// What memory snapshots tell, by the rules of PyTorch's memory_viz (torch/cuda/_memory_viz.py, torch/utils/viz/
// MemoryViz.js): active bytes are those that the program requested and that are not given back; reserved bytes are
// those of the segments. Sizes are bytes.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/trace/memory_snapshot.h"
#include "core/trace/run.h"

namespace rankscope {

/// Blocks of one state.
struct StateBytes {
    std::int64_t blocks = 0;
    std::int64_t bytes = 0;
    std::int64_t requested = 0;
};

/// Segments and blocks when the snapshot was taken. reserved = active requested + rounding + free, as memory_viz has
/// it: free are all blocks that are not active.
struct SegmentBytes {
    std::int64_t segments = 0;
    std::int64_t reserved = 0;
    std::array<StateBytes, kBlockStates> states;
    std::int64_t rounding = 0;        ///< active blocks less what was requested of them
    std::int64_t fragmented = 0;      ///< inactive, in segments that hold another block: empty_cache() frees none of it
    std::int64_t unused_segments = 0; ///< inactive, in segments that hold nothing else
    [[nodiscard]] const StateBytes& state(BlockState of) const { return states[static_cast<std::size_t>(of)]; }
};

struct PoolBytes {
    std::int64_t first = 0; ///< of segment_pool_id; 0, 0: the default pool
    std::int64_t second = 0;
    bool is_large = false;
    SegmentBytes bytes;
};

/// What the program allocated once. An allocation that was made before the recording has no start.
struct SnapshotAllocation {
    static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
    std::uint64_t address = 0;
    std::int64_t bytes = 0; ///< requested
    SnapshotStack stack = kNoStack;
    NameId category = 0;
    std::uint32_t from = 0;       ///< live after the event of this index
    std::uint32_t until = kNever; ///< and until this one
    bool before = false;          ///< made before the recording: from is 0, and counts from the start
};

/// After an event of the trace.
struct SnapshotPoint {
    std::uint32_t event = 0; ///< index in the device's events
    TimeNs time = 0;
    std::int64_t active = 0;
    std::int64_t reserved = 0;
    std::int64_t fragmented = 0; ///< reserved bytes without active ones, in segments that have some
};

struct SnapshotOutOfMemory {
    TimeNs time = 0;
    std::int64_t asked = 0;
    std::int64_t device_free = 0;
    std::int64_t active = 0;
    std::int64_t reserved = 0;
    SnapshotStack stack = kNoStack;
    std::optional<std::size_t> after = {}; ///< the last point before it; nothing: the start
};

/// What was live at the peak, of one place in the program.
struct LiveAtPeak {
    std::string frame;    ///< "train.py:12 step"; empty: no stack was recorded
    std::string caller;   ///< the next frame of the user's program around it; empty: none
    std::string category; ///< "PARAMETER"; empty: not recorded
    std::int64_t bytes = 0;
    std::int64_t blocks = 0;
    std::int64_t largest = 0;
    std::int64_t before = 0; ///< of these bytes: allocated before the recording
};

/// One device of one rank's snapshot.
struct DeviceSnapshot {
    std::size_t rank = 0; ///< index in Run::ranks
    std::int32_t device = 0;
    SegmentBytes total;
    std::vector<PoolBytes> pools; ///< by id, small before large
    std::vector<SnapshotAllocation> allocations;
    std::vector<SnapshotPoint> points; ///< by time; empty without events
    std::int64_t active_at_start = 0;  ///< before all events, as the next two
    std::int64_t reserved_at_start = 0;
    std::int64_t fragmented_at_start = 0;
    std::int64_t active_peak = 0; ///< also without events: what is active then
    std::int64_t reserved_peak = 0;
    std::int64_t fragmented_peak = 0;
    std::optional<std::size_t> peak;      ///< the first point with the most active; nothing: before all events, or none
    std::vector<LiveAtPeak> live_at_peak; ///< most bytes first
    std::vector<SnapshotOutOfMemory> out_of_memory;
    std::int64_t unexplained = 0; ///< events that do not fit the segments: of a history that lacks some
};

/// What a rank has live at its peak that its peers do not.
struct PeakDifference {
    std::string frame;
    std::int64_t bytes = 0;
    std::int64_t peers_median = 0;
};

/// Which rank was first out of memory; without such an event, which reserved most.
struct FirstOut {
    std::size_t device = 0; ///< index in SnapshotMemory::devices
    std::optional<SnapshotOutOfMemory> event;
    std::int64_t peers = 0;             ///< ranks that it is compared with
    std::int64_t peers_active_peak = 0; ///< median
    std::int64_t peers_reserved_peak = 0;
    std::vector<PeakDifference> differences; ///< largest first; those of at least 1 % of its peak
};

struct SnapshotMemory {
    std::vector<DeviceSnapshot> devices; ///< by rank, then number
    std::optional<FirstOut> first_out;
};

SnapshotMemory analyse_snapshots(const Run& run);

/// Of one moment, as for the peak. after: the last point that counts; nothing: the start.
std::vector<LiveAtPeak> live_allocations(const MemorySnapshot& snapshot, const StringTable& names,
                                         const DeviceSnapshot& of, std::optional<std::size_t> after);

/// "train.py:12 step": the innermost frame of the user's program; else the node of the backward pass
/// ("MeanBackward0"), the innermost frame of Python, or that of C++ that memory_viz shows.
std::string innermost_user_frame(const MemorySnapshot& snapshot, const StringTable& names, SnapshotStack stack);

/// The events of a device; empty without.
std::span<const SnapshotEvent> events_of(const MemorySnapshot& snapshot, std::int32_t device);

} // namespace rankscope
