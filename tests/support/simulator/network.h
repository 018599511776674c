// SPDX-License-Identifier: GPL-3.0-or-later
// How long a transfer takes: latency and bandwidth of the slowest connection it uses.
#pragma once
#include "tests/support/simulator/job.h"

namespace rankscope::machine {

/// Gives every transfer its time, the links it uses and the tails of its kernels.
void time_transfers(const Job& job, Program& program);

} // namespace rankscope::machine
