// SPDX-License-Identifier: GPL-3.0-or-later
// Threads of a rank that call the GPU side by side: a loader that copies the next batch, a saver of checkpoints. The
// step graph has one line of the host for each rank, which such threads are no part of.
#pragma once
#include "core/trace/run.h"

namespace rankscope {

/// The largest share of a rank's recording in which calls of two of its threads run at once; only threads that launch
/// GPU work count. PyTorch's main thread does nothing while autograd launches.
double share_of_parallel_calls(const Run& run);
/// From this share on, the host's part in a step cannot be told.
inline constexpr double kMuchInParallel = 0.02;

} // namespace rankscope
