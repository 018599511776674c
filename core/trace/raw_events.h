// SPDX-License-Identifier: GPL-3.0-or-later
// The events of a rank as they are read, until they are sorted: a column a field, in chunks that are never copied. 37
// bytes an event, and each column can be given back as soon as it was used.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/once.h"
#include "core/trace/collective.h"
#include "core/trace/event_table.h"
#include "core/trace/page_array.h"

namespace rankscope {

using TrackId = std::uint32_t;

/// One complete event as read. correlation and external_id: kUnknown when absent.
struct RawEvent {
    TimeNs start = 0;
    TimeNs duration = 0;
    std::int64_t correlation = kUnknown;
    std::int64_t external_id = kUnknown;
    NameId name = 0;
    TrackId track = 0;
    std::uint32_t ordinal = 0;
    EventKind kind = EventKind::other;
};

/// Append-only; events keep their place.
class RawEvents {
public:
    static constexpr std::size_t kChunk = std::size_t{1} << 16;
    static constexpr std::size_t kEventBytes = 2 * sizeof(TimeNs) + 5 * sizeof(std::uint32_t) + sizeof(EventKind);

    /// Ids mostly fit into 32 bits; those of a chunk in which one does not have a second column.
    class Ids {
    public:
        explicit Ids(std::uint32_t* narrow) : narrow_(narrow) {}
        void set(std::size_t i, std::int64_t id, std::atomic<std::size_t>& memory) {
            const bool fits = id >= kUnknown && id < kWide - 1;
            narrow_[i] = fits ? static_cast<std::uint32_t>(id + 1) : kWide;
            if (!fits)
                set_wide(i, id, memory);
        }
        [[nodiscard]] std::int64_t operator[](std::size_t i) const {
            return narrow_[i] == kWide ? wide_[i] : std::int64_t{narrow_[i]} - 1;
        }

    private:
        static constexpr std::uint32_t kWide = 0xFFFFFFFF;
        void set_wide(std::size_t i, std::int64_t id, std::atomic<std::size_t>& memory);

        std::uint32_t* narrow_ = nullptr; ///< the id + 1, or kWide
        Once widened_;
        PageArray<std::int64_t> wide_;
    };

    /// The columns of several chunks one behind the other, so that large pages fit.
    struct Block {
        explicit Block(std::size_t events)
            : start(events), duration(events), name(events), track(events), ordinal(events), correlation(events),
              external_id(events), kind(events) {}
        PageArray<TimeNs> start, duration;
        PageArray<NameId> name;
        PageArray<TrackId> track;
        PageArray<std::uint32_t> ordinal, correlation, external_id;
        PageArray<EventKind> kind;
        std::atomic<int> chunks = 0; ///< those whose times and tracks are still needed
    };

    struct Chunk {
        /// From that event of the block.
        Chunk(Block& in, std::size_t first)
            : block(&in), start(in.start.begin() + first), duration(in.duration.begin() + first),
              name(in.name.begin() + first), track(in.track.begin() + first), ordinal(in.ordinal.begin() + first),
              kind(in.kind.begin() + first), correlation(in.correlation.begin() + first),
              external_id(in.external_id.begin() + first) {}
        void set(std::size_t i, const RawEvent& event, std::atomic<std::size_t>& memory) {
            start[i] = event.start;
            duration[i] = event.duration;
            name[i] = event.name;
            track[i] = event.track;
            ordinal[i] = event.ordinal;
            kind[i] = event.kind;
            correlation.set(i, event.correlation, memory);
            external_id.set(i, event.external_id, memory);
        }
        Block* block;
        TimeNs *start, *duration;
        NameId* name;
        TrackId* track;
        std::uint32_t* ordinal;
        EventKind* kind;
        Ids correlation, external_id;
    };

    /// Room for consecutive events.
    class Room {
    public:
        [[nodiscard]] std::size_t size() const { return size_; }
        /// On any thread, each place once.
        void set(std::size_t i, const RawEvent& event) const { chunk_->set(first_ + i, event, *memory_); }

    private:
        friend RawEvents;
        Chunk* chunk_ = nullptr;
        std::size_t first_ = 0;
        std::size_t size_ = 0;
        std::atomic<std::size_t>* memory_ = nullptr;
    };

    RawEvents() = default;
    void push_back(const RawEvent& event) {
        if (size_ % kChunk == 0)
            add_chunk();
        chunks_.back()->set(size_ % kChunk, event, wide_bytes_);
        ++size_;
    }
    /// Room for so many events in order, to be written by whoever asked for it.
    [[nodiscard]] std::vector<Room> add_room(std::size_t count);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] RawEvent operator[](std::size_t i) const {
        return {start(i), duration(i), correlation(i), external_id(i), name(i), track(i), ordinal(i), kind(i)};
    }
    template <typename T>
    [[nodiscard]] T value(T* Chunk::*column, std::size_t i) const {
        return (chunk(i).*column)[i % kChunk];
    }
    [[nodiscard]] TimeNs start(std::size_t i) const { return chunk(i).start[i % kChunk]; }
    [[nodiscard]] TimeNs duration(std::size_t i) const { return chunk(i).duration[i % kChunk]; }
    [[nodiscard]] NameId name(std::size_t i) const { return chunk(i).name[i % kChunk]; }
    [[nodiscard]] TrackId track(std::size_t i) const { return chunk(i).track[i % kChunk]; }
    [[nodiscard]] std::uint32_t ordinal(std::size_t i) const { return chunk(i).ordinal[i % kChunk]; }
    [[nodiscard]] EventKind kind(std::size_t i) const { return chunk(i).kind[i % kChunk]; }
    [[nodiscard]] std::int64_t correlation(std::size_t i) const { return chunk(i).correlation[i % kChunk]; }
    [[nodiscard]] std::int64_t external_id(std::size_t i) const { return chunk(i).external_id[i % kChunk]; }

    /// Calls visit(i, chunk, place in the chunk) for the events [begin, end) in order.
    template <typename Visit>
    void for_each(std::size_t begin, std::size_t end, Visit visit) const {
        while (begin < end) {
            const Chunk& of = chunk(begin);
            const std::size_t first = begin % kChunk;
            const std::size_t last = std::min(kChunk, first + (end - begin));
            for (std::size_t k = first; k < last; ++k)
                visit(begin + (k - first), of, k);
            begin += last - first;
        }
    }

    /// Leaves out the events for which drop(event) holds; the others keep their order.
    template <typename Drop>
    void erase_if(Drop drop) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < size_; ++i)
            if (const RawEvent event = (*this)[i]; !drop(event)) {
                chunks_[kept / kChunk]->set(kept % kChunk, event, wide_bytes_);
                ++kept;
            }
        size_ = kept;
        for (; chunks_.size() * kChunk >= kept + kChunk; chunks_.pop_back())
            --chunks_.back()->block->chunks;
    }
    /// Of the events [begin, end), whole chunks, on any thread: when, and on which track, is not needed any more.
    void drop_times_and_tracks(std::size_t begin, std::size_t end);
    /// Of all events: that column is not needed any more.
    template <typename T>
    void drop(PageArray<T> Block::*column) {
        for (const auto& block : blocks_)
            (*block).*column = {};
    }
    void clear();

    [[nodiscard]] std::size_t memory_bytes() const { return size_ * kEventBytes + wide_bytes_; }

private:
    void add_chunk();
    [[nodiscard]] const Chunk& chunk(std::size_t i) const { return *chunks_[i / kChunk]; }

    std::vector<std::unique_ptr<Block>> blocks_;
    std::size_t unused_ = 0; ///< chunks of the last block that are not started
    std::vector<std::unique_ptr<Chunk>> chunks_;
    std::size_t size_ = 0;
    std::atomic<std::size_t> wide_bytes_ = 0;
};

} // namespace rankscope
