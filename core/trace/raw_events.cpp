// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/raw_events.h"

namespace rankscope {

void RawEvents::Ids::set_wide(std::size_t i, std::int64_t id, std::atomic<std::size_t>& memory) {
    widened_.call([&] {
        wide_ = PageArray<std::int64_t>(kChunk);
        memory += kChunk * sizeof(std::int64_t);
    });
    wide_[i] = id;
}

void RawEvents::add_chunk() { chunks_.push_back(std::make_unique<Chunk>()); }

std::vector<RawEvents::Room> RawEvents::add_room(std::size_t count) {
    std::vector<Room> rooms;
    while (count > 0) {
        const std::size_t at = size_ % kChunk;
        if (at == 0)
            add_chunk();
        Room& room = rooms.emplace_back();
        room.chunk_ = chunks_.back().get();
        room.first_ = at;
        room.size_ = std::min(count, kChunk - at);
        room.memory_ = &wide_bytes_;
        size_ += room.size_;
        count -= room.size_;
    }
    return rooms;
}

void RawEvents::drop_times_and_tracks(std::size_t begin, std::size_t end) {
    while (begin < end) {
        const Chunk& of = chunk(begin);
        const std::size_t first = begin % kChunk;
        const std::size_t last = std::min(kChunk, first + (end - begin));
        of.start.give_back(first, last);
        of.duration.give_back(first, last);
        of.track.give_back(first, last);
        begin += last - first;
    }
}

void RawEvents::clear() {
    chunks_.clear();
    size_ = 0;
    wide_bytes_ = 0;
}

} // namespace rankscope
