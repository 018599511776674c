// SPDX-License-Identifier: GPL-3.0-or-later
// Whether Python's frames were recorded.
#pragma once
#include <algorithm>

#include "core/trace/run.h"

namespace rankscope {

/// On any rank. Recording them slows the host.
inline bool python_stacks_recorded(const Run& run) {
    return std::ranges::any_of(
        run.ranks,
        [](const auto& rank) {
            return std::ranges::find(rank->events.kind, EventKind::python) != rank->events.kind.end();
        });
}

} // namespace rankscope
