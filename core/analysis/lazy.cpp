// SPDX-License-Identifier: GPL-3.0-or-later
// Isolation of lazily computed values.
#include "core/analysis/lazy.h"

#include <tbb/task_arena.h>

namespace rankscope {

void run_isolated(const std::function<void()>& work) {
    tbb::this_task_arena::isolate([&] { work(); });
}

} // namespace rankscope
