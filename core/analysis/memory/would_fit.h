// SPDX-License-Identifier: GPL-3.0-or-later
// What would have to be free for a request that ran out of memory: 9 GB asked for, 60 active, 64 reserved and 1 free on
// the device lack 60 + 9 - (64 + 1) = 4 GB; without 12 GB of activations it would have fit.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/memory/snapshot_memory.h"

namespace rankscope {

struct WouldFitWithout {
    std::string name; ///< a category ("ACTIVATION"), or a place ("train.py:12 step"); empty: without a recorded stack
    bool is_category = false;
    std::int64_t bytes = 0; ///< live of it
};

/// Bytes as the program requested them: what rounding and fragmentation take comes on top.
struct WouldFit {
    std::int64_t limit = 0;  ///< reserved, and free on the device
    std::int64_t needed = 0; ///< active, and asked for
    /// Each of which alone is enough, most bytes first; categories before places. Empty also where nothing is lacking.
    std::vector<WouldFitWithout> without;
    /// At most 0: the memory was there, but not in one piece.
    [[nodiscard]] std::int64_t lacking() const { return needed - limit; }
};

/// event: one of of.out_of_memory.
WouldFit would_fit(const MemorySnapshot& snapshot, const StringTable& names, const DeviceSnapshot& of,
                   const SnapshotOutOfMemory& event);

} // namespace rankscope
