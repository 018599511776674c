// SPDX-License-Identifier: GPL-3.0-or-later
// A value computed on first use, once, whichever thread asks first.
#pragma once
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
        std::call_once(once_, [&] { run_isolated([&] { value_.emplace(std::invoke(compute)); }); });
        return *value_;
    }

private:
    mutable std::once_flag once_;
    mutable std::optional<T> value_;
};

} // namespace rankscope
