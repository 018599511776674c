// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that do the same under other names: libraries choose a kernel by GPU, version or timing, so that one rank may
// run another one for the same operator than its peers.
#pragma once
#include <vector>

#include "core/analysis/graph/step_graph.h"
#include "core/base/seeded_hash.h"

namespace rankscope {

/// Per rank: GPU event -> the name of the kernel that most ranks run in its place; only of kernels that differ.
using KernelsInPlace = std::vector<PlaceMap<EventIndex, NameId>>;

/// The same place: the n-th launch of a step (of the recording, where no steps are marked), on ranks whose operators
/// launch as many kernels there, in the same order and by the same operators. Ranks for which no operators are recorded
/// have none.
KernelsInPlace kernels_in_place(const Run& run, const StepGraph& graph);

/// Of GPU work of a rank, under the name of most ranks. in_place: of each rank.
inline NameId name_in_place(const Run& run, const KernelsInPlace& in_place, std::size_t rank, EventIndex event) {
    if (!in_place.empty())
        if (const auto found = in_place[rank].find(event); found != in_place[rank].end())
            return found->second;
    return run.ranks[rank]->events.name[event];
}

} // namespace rankscope
