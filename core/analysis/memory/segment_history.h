// SPDX-License-Identifier: GPL-3.0-or-later
// Segments of the allocator, followed from the snapshot back to the start of the recording.
#pragma once
#include <cstdint>
#include <map>

#include "core/trace/memory_snapshot.h"

namespace rankscope {

/// Starts with what the snapshot holds. undo() takes events in reverse.
class SegmentHistory {
public:
    void add_segment(const SnapshotSegment& segment) {
        add_range(segment.address, segment.bytes, segment.stream, false);
    }
    /// What the program has allocated at the end.
    void add_active(std::uint64_t address, std::int64_t bytes);
    void undo(const SnapshotEvent& event);

    [[nodiscard]] std::int64_t reserved() const { return reserved_; }
    /// In segments that hold active bytes, those that are not.
    [[nodiscard]] std::int64_t fragmented() const { return fragmented_; }
    /// Events that did not fit.
    [[nodiscard]] std::int64_t unexplained() const { return unexplained_; }

private:
    struct Segment {
        std::int64_t bytes = 0;
        std::int64_t stream = 0;
        std::int64_t active_bytes = 0;
        std::int64_t active_blocks = 0;
        [[nodiscard]] std::int64_t fragmented() const { return active_blocks > 0 ? bytes - active_bytes : 0; }
    };
    using Segments = std::map<std::uint64_t, Segment>;

    [[nodiscard]] Segments::iterator segment_at(std::uint64_t address);
    void add_range(std::uint64_t address, std::int64_t bytes, std::int64_t stream, bool merge);
    void remove_range(std::uint64_t address, std::int64_t bytes);
    void remove_active(std::uint64_t address);
    void insert(std::uint64_t address, Segment segment);
    void erase(Segments::iterator at);
    [[nodiscard]] Segment part(std::uint64_t address, std::int64_t bytes, std::int64_t stream) const;

    Segments segments_;
    std::map<std::uint64_t, std::int64_t> active_; ///< bytes by address
    std::int64_t reserved_ = 0;
    std::int64_t fragmented_ = 0;
    std::int64_t unexplained_ = 0;
};

} // namespace rankscope
