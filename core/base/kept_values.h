// SPDX-License-Identifier: GPL-3.0-or-later
// Values that others compute of an object, each once, and leave with it.
#pragma once
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "core/base/lazy.h"

namespace rankscope {

/// Thread-safe.
class KeptValues {
public:
    /// owner: what computes the value, and the key to it; it is kept, so that no other one gets its address.
    template <typename T, typename Compute>
    const T& get(const std::shared_ptr<const void>& owner, Compute&& compute) const {
        const Entry* entry = nullptr;
        {
            const std::lock_guard lock(mutex_);
            auto& place = entries_[owner.get()];
            if (!place)
                place = std::make_unique<const EntryOf<T>>(owner);
            entry = place.get();
        }
        return static_cast<const EntryOf<T>*>(entry)->value.get(std::forward<Compute>(compute));
    }

private:
    struct Entry {
        explicit Entry(std::shared_ptr<const void> of) : owner(std::move(of)) {}
        virtual ~Entry() = default;
        std::shared_ptr<const void> owner;
    };
    template <typename T>
    struct EntryOf : Entry {
        using Entry::Entry;
        Lazy<T> value;
    };
    mutable std::mutex mutex_;
    mutable std::unordered_map<const void*, std::unique_ptr<const Entry>> entries_;
};

} // namespace rankscope
