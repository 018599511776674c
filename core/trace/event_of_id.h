// SPDX-License-Identifier: GPL-3.0-or-later
// Which event carries an id (correlation, External id), found and filled by many threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>

#include "core/base/seeded_hash.h"
#include "core/trace/event_table.h"
#include "core/trace/page_array.h"

namespace rankscope {

/// Ids that occur; negative ones are none.
struct IdRange {
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    std::int64_t highest = -1;
    std::size_t count = 0;

    void add(std::int64_t id) {
        if (id < 0)
            return;
        lowest = std::min(lowest, id);
        highest = std::max(highest, id);
        ++count;
    }
    void add(const IdRange& other) {
        lowest = std::min(lowest, other.lowest);
        highest = std::max(highest, other.highest);
        count += other.count;
    }
};

/// Mostly an id is a place in a table: recorders number one after the other, though CUPTI leaves gaps. Ids that lie far
/// apart have a hash table that is never full. No thread waits for another, and what is found does not depend on which
/// came first.
class EventOfId {
public:
    explicit EventOfId(const IdRange& ids)
        : first_(ids.lowest), places_(ids.count == 0 ? 0 : static_cast<std::uint64_t>(ids.highest - ids.lowest) + 1),
          is_sparse_(places_ > kMostPlacesAnEvent * ids.count), table_(is_sparse_ ? 0 : places_),
          slots_(is_sparse_ ? std::bit_ceil(ids.count + ids.count / 2 + 1) : 0) {}

    /// Of several events with one id the last counts. id: one of the range, or none. later(a, b): whether a comes after
    /// b; of two events one does.
    template <typename Later>
    void offer(std::int64_t id, EventIndex event, Later later) {
        if (id < 0)
            return;
        const std::atomic_ref<EventIndex> shared(is_sparse_ ? slot_of(id) : table_[place_of(id)]);
        EventIndex known = shared.load(std::memory_order_relaxed);
        while ((known == 0 || later(event, known - 1)) &&
               !shared.compare_exchange_weak(known, event + 1, std::memory_order_relaxed)) {
        }
    }
    /// When all are offered. kNoEvent: no event has it; a table holds 0 for that.
    [[nodiscard]] EventIndex find(std::int64_t id) const {
        if (!is_sparse_)
            return id >= first_ && place_of(id) < places_ ? table_[place_of(id)] - 1 : kNoEvent;
        std::size_t at = first_slot(id);
        while (slots_[at].key != 0 && slots_[at].key != key_of(id))
            at = next_slot(at);
        return slots_[at].event - 1;
    }

private:
    static constexpr std::size_t kMostPlacesAnEvent = 8;
    struct Slot {
        std::uint64_t key; ///< id + 1; 0: free
        EventIndex event;  ///< event + 1; 0: none
    };

    [[nodiscard]] std::uint64_t place_of(std::int64_t id) const { return static_cast<std::uint64_t>(id - first_); }
    static std::uint64_t key_of(std::int64_t id) { return static_cast<std::uint64_t>(id) + 1; }
    [[nodiscard]] std::size_t first_slot(std::int64_t id) const { return seeded_hash(id) & (slots_.size() - 1); }
    [[nodiscard]] std::size_t next_slot(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
    EventIndex& slot_of(std::int64_t id) {
        for (std::size_t at = first_slot(id);; at = next_slot(at)) {
            const std::atomic_ref<std::uint64_t> key(slots_[at].key);
            std::uint64_t known = 0;
            if (key.compare_exchange_strong(known, key_of(id), std::memory_order_relaxed) || known == key_of(id))
                return slots_[at].event;
        }
    }

    std::int64_t first_;
    std::uint64_t places_;
    bool is_sparse_;
    PageArray<EventIndex> table_; ///< event + 1; 0: none
    PageArray<Slot> slots_;
};

} // namespace rankscope
