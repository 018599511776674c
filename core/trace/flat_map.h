// SPDX-License-Identifier: GPL-3.0-or-later
// Insert-only hash map from 64-bit ids to event indices, for the joins while loading.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "core/base/seeded_hash.h"
#include "core/trace/event_table.h"

namespace rankscope {

/// Keys are non-negative ids; a negative key is never stored. Load factor at most one half.
class FlatMap {
public:
    explicit FlatMap(std::size_t expected) : slots_(std::bit_ceil(expected * 2 + 16)) {}

    /// The stored value, to read or overwrite; kNoEvent when the key is new.
    EventIndex& operator[](std::int64_t key) {
        Slot& slot = slots_[place(key)];
        slot.key = key;
        return slot.value;
    }
    [[nodiscard]] EventIndex find(std::int64_t key) const { return key < 0 ? kNoEvent : slots_[place(key)].value; }

private:
    struct Slot {
        std::int64_t key = -1;
        EventIndex value = kNoEvent;
    };
    [[nodiscard]] std::size_t place(std::int64_t key) const {
        std::size_t at = seeded_hash(key) & (slots_.size() - 1);
        while (slots_[at].key != key && slots_[at].key >= 0)
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    std::vector<Slot> slots_;
};

} // namespace rankscope
