// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/segment_history.h"

#include <algorithm>
#include <iterator>

namespace rankscope {

SegmentHistory::SegmentHistory(std::vector<std::uint64_t> addresses) : addresses_(std::move(addresses)) {
    std::ranges::sort(addresses_);
    const auto repeated = std::ranges::unique(addresses_);
    addresses_.erase(repeated.begin(), repeated.end());
    active_.assign(addresses_.size(), -1);
    sums_.resize(addresses_.size() + 1);
}

std::size_t SegmentHistory::place_of(std::uint64_t address) const {
    const auto at = std::ranges::lower_bound(addresses_, address);
    return at != addresses_.end() && *at == address ? static_cast<std::size_t>(at - addresses_.begin())
                                                    : addresses_.size();
}

void SegmentHistory::count(std::size_t place, std::int64_t bytes, std::int64_t blocks) {
    for (std::size_t i = place + 1; i < sums_.size(); i += i & (~i + 1)) {
        sums_[i].active_bytes += bytes;
        sums_[i].active_blocks += blocks;
    }
}

SegmentHistory::Segment SegmentHistory::active_before(std::uint64_t address) const {
    Segment sum;
    const auto places = static_cast<std::size_t>(std::ranges::lower_bound(addresses_, address) - addresses_.begin());
    for (std::size_t i = places; i > 0; i -= i & (~i + 1)) {
        sum.active_bytes += sums_[i].active_bytes;
        sum.active_blocks += sums_[i].active_blocks;
    }
    return sum;
}

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
    const std::uint64_t end = std::max(address, address + static_cast<std::uint64_t>(bytes)); // may be beyond 64 bits
    const Segment before = active_before(address), all = active_before(end);
    return {bytes, stream, all.active_bytes - before.active_bytes, all.active_blocks - before.active_blocks};
}

void SegmentHistory::add_active(std::uint64_t address, std::int64_t bytes) {
    const auto at = segment_at(address);
    const std::size_t place = place_of(address);
    if (at == segments_.end() || place == active_.size() || active_[place] >= 0) {
        ++unexplained_;
        return;
    }
    active_[place] = bytes;
    count(place, bytes, 1);
    fragmented_ -= at->second.fragmented();
    at->second.active_bytes += bytes;
    ++at->second.active_blocks;
    fragmented_ += at->second.fragmented();
}

void SegmentHistory::remove_active(std::uint64_t address) {
    const auto at = segment_at(address);
    const std::size_t place = place_of(address);
    if (at == segments_.end() || place == active_.size() || active_[place] < 0) {
        ++unexplained_;
        return;
    }
    fragmented_ -= at->second.fragmented();
    at->second.active_bytes -= active_[place];
    --at->second.active_blocks;
    fragmented_ += at->second.fragmented();
    count(place, -active_[place], -1);
    active_[place] = -1;
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
