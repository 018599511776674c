// SPDX-License-Identifier: GPL-3.0-or-later
// A value computed on first use, once, whichever thread asks first.
#pragma once
#include <functional>
#include <mutex>
#include <optional>

namespace rankscope {

/// Runs work so that, while it waits for its own parallel parts, this thread takes on no other task. (Not inline: some
/// TBB headers do not stand beside Qt's keyword macros.)
void run_isolated(const std::function<void()>& work);

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
