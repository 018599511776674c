// SPDX-License-Identifier: GPL-3.0-or-later
// Task groups that share no cancellation with what is around them.
#include "core/base/isolation.h"

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "core/base/stopping.h"

namespace rankscope {

void run_apart(const std::function<void()>& work) {
    check_stop();
    tbb::task_group_context context(tbb::task_group_context::isolated);
    tbb::task_group(context).run_and_wait(work);
}

void run_isolated(const std::function<void()>& work) {
    tbb::this_task_arena::isolate([&] { run_apart(work); });
}

} // namespace rankscope
