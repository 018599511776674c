// SPDX-License-Identifier: GPL-3.0-or-later
// Segments of the allocator, followed from the snapshot back to the start of the recording.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "core/trace/memory_snapshot.h"

namespace rankscope {

/// Starts with what the snapshot holds. undo() takes events in reverse. Each takes the time of a search, however many
/// blocks a segment holds.
class SegmentHistory {
public:
    /// addresses: of all that is allocated at any time, in any order.
    explicit SegmentHistory(std::vector<std::uint64_t> addresses);
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
    /// The place of the address in addresses_; their number where it is none of them.
    [[nodiscard]] std::size_t place_of(std::uint64_t address) const;
    [[nodiscard]] Segment active_before(std::uint64_t address) const;
    void count(std::size_t place, std::int64_t bytes, std::int64_t blocks);

    Segments segments_;
    std::vector<std::uint64_t> addresses_; ///< ascending
    std::vector<std::int64_t> active_;     ///< bytes by place in addresses_; -1: not active
    std::vector<Segment> sums_;            ///< of active blocks, as a binary indexed tree (Fenwick 1994)
    std::int64_t reserved_ = 0;
    std::int64_t fragmented_ = 0;
    std::int64_t unexplained_ = 0;
};

} // namespace rankscope
