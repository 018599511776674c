// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a ROCm database that are shown on several GPUs, and count on one.
#pragma once
#include <cstdint>
#include <vector>

#include "core/trace/rank_builder.h"

namespace rankscope {

/// Of the builder's events, those that count on it. counts: by ordinal.
inline std::uint64_t counted_rows(const RankBuilder& builder, const std::vector<bool>& counts) {
    const RawEvents& events = builder.events();
    std::uint64_t count = 0;
    events.for_each(0, events.size(), [&](std::size_t, const RawEvents::Chunk& chunk, std::size_t k) {
        count += counts[chunk.ordinal[k]];
    });
    return count;
}

} // namespace rankscope
