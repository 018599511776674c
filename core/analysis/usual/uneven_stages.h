// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of a pipeline that are compared with each other though their work differs.
//   The last stage's head makes 3 of its 200 kernels longer: nothing of it is compared. All are 1.2 times as long: all.
#pragma once
#include "core/analysis/usual/peer_times.h"

namespace rankscope {

/// Of ranks that are compared with other stages, those whose kernels are not nearly all slower or faster than there
/// keep nothing to be compared with: an embedding or a head makes a few of their kernels longer, which is no fault.
/// Kernels of one name that are nearly all slower keep it: a head has that name in a few of its places only. They must
/// be many and much of the work, because an optimizer that has an embedding to update takes longer as well. All of that
/// in each step by itself. What keeps it and is many is slower by the same factor: a head shifts the places of a name,
/// and its last ones have no peer.
void drop_uneven_stages(const Run& run, const StepGraph& graph, PeerTimes& peers);

} // namespace rankscope
