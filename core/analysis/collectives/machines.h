// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks share a machine.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <span>

#include "core/trace/run.h"

namespace rankscope {

/// Ranks of a machine count their GPUs from 0: the first rank of its machine tells machines apart.
class Machines {
public:
    explicit Machines(const Run& run);
    [[nodiscard]] bool crosses(std::span<const int> ranks) const { return of(ranks).size() > 1; }
    /// The machines of these ranks, by their first ranks.
    [[nodiscard]] std::set<std::int64_t> of(std::span<const int> ranks) const;

private:
    /// Of a rank that is not traced by the most GPUs that a traced rank's machine has.
    [[nodiscard]] std::int64_t first(int rank) const;
    std::map<int, std::int64_t> first_;
    std::int64_t gpus_ = 1;
};

} // namespace rankscope
