// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of core on their way to Python, where they become rankscope.InputError and others.
#pragma once
#include <utility>

#include "core/base/notice.h"

namespace rankscope::python {

struct Failure {
    Error error;
};

/// The value. Throws Failure.
template <typename T>
T value_of(Result<T> result) {
    if (!result)
        throw Failure{std::move(result.error())};
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

} // namespace rankscope::python
