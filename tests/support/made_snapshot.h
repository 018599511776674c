// SPDX-License-Identifier: GPL-3.0-or-later
// Small memory snapshots as PyTorch writes them: allocations that nobody frees, so that the peak is at the end.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace rankscope {

struct MadeAllocation {
    std::string file;
    int line = 0;
    std::string function;
    std::int64_t bytes = 0;
    std::string category = {}; ///< empty: none
    std::string caller = {};   ///< a function in train.py; empty: none
};

/// The pickle of a snapshot with these, in this order, in one segment.
std::string made_snapshot(const std::vector<MadeAllocation>& allocations);

} // namespace rankscope
