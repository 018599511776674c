// SPDX-License-Identifier: GPL-3.0-or-later
// What the program does without a window. Nothing here, and nothing that it calls, knows Qt: rankscope-batch is made of
// it, for nodes of a cluster that have no graphics libraries.
#pragma once
#include "app/command/options.h"
#include "core/base/notice.h"

namespace rankscope {

/// Says it on stderr; returns the exit code.
int fail(const Error& error);

/// Every action but the window's; returns the exit code.
int run_without_window(const Options& options);

} // namespace rankscope
