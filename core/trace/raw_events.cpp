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

// One chunk first, for a small file has no more; then eight at once, whose columns fill large pages.
void RawEvents::add_chunk() {
    if (unused_ == 0) {
        const std::size_t count = blocks_.empty() ? 1 : 8;
        blocks_.push_back(std::make_unique<Block>(count * kChunk));
        unused_ = count;
    }
    Block& block = *blocks_.back();
    ++block.chunks;
    chunks_.push_back(std::make_unique<Chunk>(block, block.start.size() - unused_ * kChunk));
    --unused_;
}

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
    for (; begin < end; begin += kChunk) {
        Block& block = *chunk(begin).block;
        if (--block.chunks > 0)
            continue;
        block.start = {};
        block.duration = {};
        block.track = {};
    }
}

void RawEvents::clear() {
    chunks_.clear();
    blocks_.clear();
    unused_ = 0;
    size_ = 0;
    wide_bytes_ = 0;
}

} // namespace rankscope
