// SPDX-License-Identifier: GPL-3.0-or-later
// A value computed on first use, once, whichever thread asks first.
#pragma once
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>

#include "core/analysis/isolation.h"

namespace rankscope {

template <typename T>
class Lazy {
public:
    /// Isolated, because another task might ask for the same value and would then wait for its own thread.
    template <typename Compute>
    const T& get(Compute&& compute) const {
        if (!computed_.load(std::memory_order_acquire)) {
            const std::lock_guard lock(computing_);
            if (!value_)
                run_isolated([&] { value_.emplace(std::invoke(compute)); });
            computed_.store(true, std::memory_order_release);
        }
        return *value_;
    }

private:
    // Not std::call_once: the thread sanitizer hangs after an exception in it.
    mutable std::atomic<bool> computed_ = false;
    mutable std::mutex computing_;
    mutable std::optional<T> value_;
};

} // namespace rankscope
