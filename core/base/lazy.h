// SPDX-License-Identifier: GPL-3.0-or-later
// A value computed on first use, once, whichever thread asks first.
#pragma once
#include <functional>
#include <optional>

#include "core/base/isolation.h"
#include "core/base/once.h"

namespace rankscope {

template <typename T>
class Lazy {
public:
    /// Isolated, because another task might ask for the same value and would then wait for its own thread.
    template <typename Compute>
    const T& get(Compute&& compute) const {
        once_.call([&] { run_isolated([&] { value_.emplace(std::invoke(compute)); }); });
        return *value_;
    }

private:
    mutable Once once_;
    mutable std::optional<T> value_;
};

} // namespace rankscope
