// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of a pipeline that are compared with each other though their work differs.
//   The last stage's head makes 3 of its 200 kernels longer: nothing of it is compared. All are 1.2 times as long: all.
#pragma once
#include "core/analysis/usual/peer_times.h"

namespace rankscope {

/// Of ranks that are compared with other stages, a step keeps something to be compared with only where its kernels on
/// median take clearly longer than there: an embedding or a head makes a few of their kernels longer, which is no
/// fault. Kernels of a name that are many in the step all take longer by their median: stages take their passes in
/// different orders, so that the n-th of a name may be of a forward pass here and of a backward pass there.
void drop_uneven_stages(const Run& run, const StepGraph& graph, PeerTimes& peers);

} // namespace rankscope
