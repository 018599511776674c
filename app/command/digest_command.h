// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope --batch RUN --digest DIR: one small file per rank instead of an analysis.
#pragma once
#include "app/command/interrupt.h"
#include "app/command/options.h"

namespace rankscope {

/// Reads one file of the run after the other (as many at once as there are threads), so that memory does not grow with
/// their number. A rank that cannot be read is told and left out; the exit code is then that of unreadable input.
/// Error: nothing to digest, cannot be written, interrupted.
Result<int> write_digests(const Options& options, Interrupt& interrupt);

} // namespace rankscope
