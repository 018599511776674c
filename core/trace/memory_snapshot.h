// SPDX-License-Identifier: GPL-3.0-or-later
// What PyTorch's allocator held at one moment, and its last events before: torch.cuda.memory._dump_snapshot(). Sizes
// are bytes. A block is a piece of a segment, which the allocator got from the driver. A block's size is rounded up
// from what the program requested.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/trace/string_table.h"

namespace rankscope {

/// Index in MemorySnapshot::stack_ends.
using SnapshotStack = std::uint32_t;
inline constexpr SnapshotStack kNoStack = 0;

struct SnapshotFrame {
    NameId function = 0;
    NameId file = 0;
    std::int32_t line = 0;
    friend bool operator==(const SnapshotFrame&, const SnapshotFrame&) = default;
};

/// awaiting_free: freed by the program, and still in use by a stream.
enum class BlockState : std::uint8_t { active, awaiting_free, inactive };
inline constexpr std::size_t kBlockStates = 3;
/// As PyTorch calls them: "active_allocated", "active_pending_free", "inactive".
std::string_view block_state_word(BlockState state);

enum class MemoryAction : std::uint8_t {
    alloc,
    free_requested,
    free_completed,
    segment_alloc,
    segment_free,
    segment_map,
    segment_unmap,
    out_of_memory,
    snapshot,
    other
};
/// As PyTorch calls them: "alloc", "free_requested", ..., "oom".
std::string_view memory_action_word(MemoryAction action);

struct SnapshotBlock {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t requested = 0;
    SnapshotStack stack = kNoStack;
    std::uint32_t segment = 0; ///< index
    BlockState state = BlockState::inactive;
};

struct SnapshotSegment {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t stream = 0;
    std::int32_t device = 0;
    std::int64_t pool_first = 0; ///< of segment_pool_id; 0, 0: the default pool
    std::int64_t pool_second = 0;
    bool is_large = false;
    bool is_expandable = false;
    SnapshotStack stack = kNoStack;
    std::uint32_t first_block = 0; ///< in MemorySnapshot::blocks
    std::uint32_t block_count = 0;
};

/// out_of_memory: bytes are what was asked for, and address is what the driver had free.
struct SnapshotEvent {
    TimeNs time = 0;
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t stream = 0;
    SnapshotStack stack = kNoStack;
    NameId category = 0; ///< of memory profiles; id of "" where not recorded
    MemoryAction action = MemoryAction::other;
};

struct SnapshotAnnotation {
    TimeNs time = 0;
    NameId name = 0;
    bool is_start = false;
};

struct MemorySnapshot {
    std::filesystem::path file;
    std::vector<SnapshotSegment> segments;
    std::vector<SnapshotBlock> blocks; ///< by segment
    /// By device: its number, and its events in order of time.
    std::vector<std::pair<std::int32_t, std::vector<SnapshotEvent>>> traces;
    std::vector<SnapshotAnnotation> annotations;
    std::vector<SnapshotFrame> frames;       ///< each once
    std::vector<std::uint32_t> stack_frames; ///< indices in frames, innermost first, stack after stack
    std::vector<std::size_t> stack_ends{0};  ///< of stack i in stack_frames; the first one is empty
    std::map<std::string, std::string> settings;
    std::int64_t malformed = 0; ///< entries that were left out
    TimeNs moved = 0;           ///< added to all times; 0: they are as recorded

    [[nodiscard]] std::span<const std::uint32_t> stack(SnapshotStack of) const {
        return of == kNoStack
                   ? std::span<const std::uint32_t>()
                   : std::span(stack_frames).subspan(stack_ends[of - 1], stack_ends[of] - stack_ends[of - 1]);
    }
    /// First and last event of all devices; nothing without events.
    [[nodiscard]] std::optional<TimeRange> span() const;
    /// Devices with segments or events, ascending.
    [[nodiscard]] std::vector<std::int32_t> devices() const;
    [[nodiscard]] std::size_t memory_bytes() const;
};

/// Whether a frame is of the user's program: of a Python file outside of installed packages and Python's own library.
bool is_user_frame(std::string_view file);

} // namespace rankscope
