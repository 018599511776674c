// SPDX-License-Identifier: GPL-3.0-or-later
// Machines, from the numbers of ranks and of their GPUs.
#include "core/analysis/collectives/machines.h"

#include <algorithm>

namespace rankscope {

Machines::Machines(const Run& run) {
    std::int64_t most = 0;
    for (const auto& rank : run.ranks) {
        first_[rank->rank] = rank->rank - rank->device();
        most = std::max(most, rank->device());
    }
    gpus_ = most + 1;
}

std::set<std::int64_t> Machines::of(std::span<const int> ranks) const {
    std::set<std::int64_t> machines;
    for (const int rank : ranks)
        machines.insert(first(rank));
    return machines;
}

std::int64_t Machines::first(int rank) const {
    const auto known = first_.find(rank);
    return known == first_.end() ? rank - rank % gpus_ : known->second;
}

} // namespace rankscope
