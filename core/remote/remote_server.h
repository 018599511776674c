// SPDX-License-Identifier: GPL-3.0-or-later
// The far side: answers a rankscope on another machine, over ssh. Reads what the user may read, and writes nothing
// beside the data.
#pragma once
#include <stop_token>

#include "core/base/notice.h"

namespace rankscope {

/// Answers until input ends. jobs: worker threads; 0: all cores. Error: output is closed, or there is no folder for
/// temporary files.
Result<void> serve_remote(int input, int output, int jobs, const std::stop_token& stop);

} // namespace rankscope
