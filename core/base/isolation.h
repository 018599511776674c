// SPDX-License-Identifier: GPL-3.0-or-later
// Work that runs beside other work. (Not inline: some TBB headers do not stand beside Qt's keyword macros.)
#pragma once
#include <functional>

namespace rankscope {

/// Runs work in a task group of its own. Otherwise what fails beside it would cancel the parallel loops inside it, too:
/// they return with a part of their rounds undone and say nothing, and work goes on with what is not there.
void run_apart(const std::function<void()>& work);

/// The same; besides, while it waits for its own parallel parts this thread takes on no other task.
void run_isolated(const std::function<void()>& work);

} // namespace rankscope
