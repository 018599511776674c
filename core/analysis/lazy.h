// SPDX-License-Identifier: GPL-3.0-or-later
// A value computed on first use, once, whichever thread asks first.
#pragma once
#include <functional>
#include <mutex>
#include <optional>

namespace rankscope {

template <typename T>
class Lazy {
public:
    template <typename Compute>
    const T& get(Compute&& compute) const {
        std::call_once(once_, [&] { value_.emplace(std::invoke(std::forward<Compute>(compute))); });
        return *value_;
    }

private:
    mutable std::once_flag once_;
    mutable std::optional<T> value_;
};

} // namespace rankscope
