// SPDX-License-Identifier: GPL-3.0-or-later
// Which communicator each call is of: as the arguments say, else as peers, ends and streams tell.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// The communication kernels among the work of a rank, without their groups.
std::vector<CommCall> calls_of(const RankTrace& rank, std::span<const GpuSlice> work);

/// Fills in matching.groups, and the group of each of matching.calls.
void assign_communicators(const Run& run, CollectiveMatching& matching);

/// PyTorch before 2.5 records no peer of a message, which a group of more than two leaves open.
bool lacks_its_peer(const CommGroup& group, CollectiveKind kind);

} // namespace rankscope
