// SPDX-License-Identifier: GPL-3.0-or-later
// Which event carries an id (correlation, External id), found and filled by many threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>

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

/// Recorders number one after the other, so ids are places in a table; where they lie far apart a map behind a lock
/// does.
class EventOfId {
public:
    explicit EventOfId(const IdRange& ids)
        : first_(ids.lowest), places_(ids.count == 0 ? 0 : static_cast<std::uint64_t>(ids.highest - ids.lowest) + 1),
          is_sparse_(places_ > kMostPlacesAnEvent * ids.count), table_(is_sparse_ ? 0 : places_) {}

    /// Of several events with one id the last counts. id: one of the range, or none. later(a, b): whether a comes after
    /// b; of two events one does.
    template <typename Later>
    void offer(std::int64_t id, EventIndex event, Later later) {
        if (id < 0)
            return;
        if (is_sparse_) {
            const std::lock_guard lock(mutex_);
            if (const auto [known, added] = sparse_.try_emplace(id, event); !added && later(event, known->second))
                known->second = event;
            return;
        }
        const std::atomic_ref<EventIndex> shared(table_[static_cast<std::uint64_t>(id - first_)]);
        EventIndex known = shared.load(std::memory_order_relaxed);
        while ((known == 0 || later(event, known - 1)) &&
               !shared.compare_exchange_weak(known, event + 1, std::memory_order_relaxed)) {
        }
    }
    /// When all are offered. kNoEvent: no event has it.
    [[nodiscard]] EventIndex find(std::int64_t id) const {
        if (const auto known = sparse_.find(id); known != sparse_.end())
            return known->second;
        const bool has_place = !is_sparse_ && id >= first_ && static_cast<std::uint64_t>(id - first_) < places_;
        return has_place ? table_[static_cast<std::uint64_t>(id - first_)] - 1 : kNoEvent; // kNoEvent for 0
    }

private:
    static constexpr std::size_t kMostPlacesAnEvent = 8;

    std::int64_t first_;
    std::uint64_t places_;
    bool is_sparse_;
    PageArray<EventIndex> table_; ///< event + 1; 0: none
    NumberMap<std::int64_t, EventIndex> sparse_;
    std::mutex mutex_;
};

} // namespace rankscope
