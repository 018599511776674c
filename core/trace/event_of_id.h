// SPDX-License-Identifier: GPL-3.0-or-later
// Which event carries an id (correlation, External id), found and filled by many threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "core/trace/event_table.h"

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

/// Recorders number one after the other, so ids are places in a table; where they lie far apart a map behind a lock does.
class EventOfId {
public:
    explicit EventOfId(const IdRange& ids)
        : first_(ids.lowest), places_(ids.count == 0 ? 0 : static_cast<std::uint64_t>(ids.highest - ids.lowest) + 1),
          is_sparse_(places_ > kMostPlacesAnEvent * ids.count) {
        if (!is_sparse_)
            table_ = std::make_unique<std::atomic<std::uint64_t>[]>(places_);
    }

    /// Of several events with one id that of the highest order counts, the last of those. id: one of the range, or none.
    void offer(std::int64_t id, std::uint32_t order, EventIndex event) {
        if (id < 0)
            return;
        const std::uint64_t entry = (std::uint64_t{order} << 32) + event + 1;
        if (is_sparse_) {
            const std::lock_guard lock(mutex_);
            std::uint64_t& known = sparse_[id];
            known = std::max(known, entry);
            return;
        }
        std::atomic<std::uint64_t>& known = table_[static_cast<std::uint64_t>(id - first_)];
        std::uint64_t before = known.load(std::memory_order_relaxed);
        while (before < entry && !known.compare_exchange_weak(before, entry, std::memory_order_relaxed)) {
        }
    }
    /// When all are offered. kNoEvent: no event has it.
    [[nodiscard]] EventIndex find(std::int64_t id) const {
        std::uint64_t entry = 0;
        if (const auto known = sparse_.find(id); known != sparse_.end())
            entry = known->second;
        else if (!is_sparse_ && id >= first_ && static_cast<std::uint64_t>(id - first_) < places_)
            entry = table_[static_cast<std::uint64_t>(id - first_)].load(std::memory_order_relaxed);
        return static_cast<EventIndex>(entry) - 1; // kNoEvent for 0
    }

private:
    static constexpr std::size_t kMostPlacesAnEvent = 8;

    std::int64_t first_;
    std::uint64_t places_;
    bool is_sparse_;
    std::unique_ptr<std::atomic<std::uint64_t>[]> table_; ///< order and event + 1; 0: none
    std::unordered_map<std::int64_t, std::uint64_t> sparse_;
    std::mutex mutex_;
};

} // namespace rankscope
