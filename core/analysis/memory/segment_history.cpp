// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/segment_history.h"

#include <iterator>

namespace rankscope {

SegmentHistory::Segments::iterator SegmentHistory::segment_at(std::uint64_t address) {
    auto after = segments_.upper_bound(address);
    if (after == segments_.begin())
        return segments_.end();
    const auto at = std::prev(after);
    return address - at->first < static_cast<std::uint64_t>(at->second.bytes) ? at : segments_.end();
}

void SegmentHistory::insert(std::uint64_t address, Segment segment) {
    if (segment.bytes <= 0)
        return;
    if (!segments_.emplace(address, segment).second) {
        ++unexplained_;
        return;
    }
    reserved_ += segment.bytes;
    fragmented_ += segment.fragmented();
}

void SegmentHistory::erase(Segments::iterator at) {
    reserved_ -= at->second.bytes;
    fragmented_ -= at->second.fragmented();
    segments_.erase(at);
}

/// A range of memory with the active bytes in it.
SegmentHistory::Segment SegmentHistory::part(std::uint64_t address, std::int64_t bytes, std::int64_t stream) const {
    Segment segment{bytes, stream, 0, 0};
    const std::uint64_t end = address + static_cast<std::uint64_t>(bytes);
    for (auto block = active_.lower_bound(address); block != active_.end() && block->first < end; ++block) {
        segment.active_bytes += block->second;
        ++segment.active_blocks;
    }
    return segment;
}

void SegmentHistory::add_active(std::uint64_t address, std::int64_t bytes) {
    const auto at = segment_at(address);
    if (at == segments_.end() || !active_.emplace(address, bytes).second) {
        ++unexplained_;
        return;
    }
    fragmented_ -= at->second.fragmented();
    at->second.active_bytes += bytes;
    ++at->second.active_blocks;
    fragmented_ += at->second.fragmented();
}

void SegmentHistory::remove_active(std::uint64_t address) {
    const auto block = active_.find(address);
    const auto at = segment_at(address);
    if (block == active_.end() || at == segments_.end()) {
        ++unexplained_;
        return;
    }
    fragmented_ -= at->second.fragmented();
    at->second.active_bytes -= block->second;
    --at->second.active_blocks;
    fragmented_ += at->second.fragmented();
    active_.erase(block);
}

/// merge: with its neighbours of the same stream, as expandable segments grow.
void SegmentHistory::add_range(std::uint64_t address, std::int64_t bytes, std::int64_t stream, bool merge) {
    std::uint64_t begin = address;
    Segment whole = part(address, bytes, stream);
    const auto take_over = [&](Segments::iterator neighbour) {
        whole.bytes += neighbour->second.bytes;
        whole.active_bytes += neighbour->second.active_bytes;
        whole.active_blocks += neighbour->second.active_blocks;
        erase(neighbour);
    };
    if (merge) {
        const auto next = segments_.find(address + static_cast<std::uint64_t>(bytes));
        if (next != segments_.end() && next->second.stream == stream)
            take_over(next);
        const auto before = begin == 0 ? segments_.end() : segment_at(begin - 1);
        if (before != segments_.end() && before->second.stream == stream &&
            before->first + static_cast<std::uint64_t>(before->second.bytes) == begin) {
            begin = before->first;
            take_over(before);
        }
    }
    insert(begin, whole);
}

void SegmentHistory::remove_range(std::uint64_t address, std::int64_t bytes) {
    const auto at = segment_at(address);
    const auto before = at == segments_.end() ? 0 : static_cast<std::int64_t>(address - at->first);
    if (at == segments_.end() || before + bytes > at->second.bytes) {
        ++unexplained_;
        return;
    }
    const auto [begin, whole] = *at;
    erase(at);
    const std::uint64_t end = address + static_cast<std::uint64_t>(bytes);
    const Segment left = part(begin, before, whole.stream);
    const Segment removed = part(address, bytes, whole.stream);
    Segment right{whole.bytes - before - bytes, whole.stream, 0, 0};
    right.active_bytes = whole.active_bytes - left.active_bytes - removed.active_bytes;
    right.active_blocks = whole.active_blocks - left.active_blocks - removed.active_blocks;
    insert(begin, left);
    insert(end, right);
}

void SegmentHistory::undo(const SnapshotEvent& event) {
    switch (event.action) {
    case MemoryAction::alloc: return remove_active(event.address);
    case MemoryAction::free_completed: return add_active(event.address, event.bytes);
    case MemoryAction::segment_free: return add_range(event.address, event.bytes, event.stream, false);
    case MemoryAction::segment_unmap: return add_range(event.address, event.bytes, event.stream, true);
    case MemoryAction::segment_alloc:
    case MemoryAction::segment_map: return remove_range(event.address, event.bytes);
    default: return;
    }
}

} // namespace rankscope
