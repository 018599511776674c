// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/memory_snapshot.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/text_match.h"

namespace rankscope {

std::string_view block_state_word(BlockState state) {
    static constexpr std::array<std::string_view, kBlockStates> kWords{"active_allocated", "active_pending_free",
                                                                       "inactive"};
    return kWords[static_cast<std::size_t>(state)];
}

std::string_view memory_action_word(MemoryAction action) {
    static constexpr std::array<std::string_view, 10> kWords{
        "alloc", "free_requested", "free_completed", "segment_alloc", "segment_free", "segment_map", "segment_unmap",
        "oom",   "snapshot",       "other"};
    return kWords[static_cast<std::size_t>(action)];
}

std::optional<TimeRange> MemorySnapshot::span() const {
    std::optional<TimeRange> span;
    for (const auto& [device, events] : traces) {
        if (events.empty())
            continue;
        const TimeRange of{events.front().time, events.back().time};
        span = span ? TimeRange{std::min(span->begin, of.begin), std::max(span->end, of.end)} : of;
    }
    return span;
}

std::vector<std::int32_t> MemorySnapshot::devices() const {
    std::set<std::int32_t> found;
    for (const SnapshotSegment& segment : segments)
        found.insert(segment.device);
    for (const auto& [device, events] : traces)
        if (!events.empty())
            found.insert(device);
    return {found.begin(), found.end()};
}

std::size_t MemorySnapshot::memory_bytes() const {
    std::size_t bytes = segments.capacity() * sizeof(SnapshotSegment) + blocks.capacity() * sizeof(SnapshotBlock) +
                        frames.capacity() * sizeof(SnapshotFrame) + stack_frames.capacity() * sizeof(std::uint32_t) +
                        stack_ends.capacity() * sizeof(std::size_t) +
                        annotations.capacity() * sizeof(SnapshotAnnotation);
    for (const auto& [device, events] : traces)
        bytes += events.capacity() * sizeof(SnapshotEvent);
    return bytes;
}

bool is_user_frame(std::string_view file) {
    using namespace std::string_view_literals;
    static constexpr std::array kOthers{"/site-packages/"sv, "/dist-packages/"sv, "/lib/python"sv};
    return file.ends_with(".py") && !contains_any(file, kOthers);
}

} // namespace rankscope
