// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that follow each other, as ranges: a trace may speak of a thousand million of them.
#pragma once
#include <cstdint>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

/// Both ends included.
struct RankRange {
    int first = 0;
    int last = 0;
    friend bool operator==(const RankRange&, const RankRange&) = default;
};

/// All ranks below the run's world size that have no trace. Run::missing_ranks holds the first kMostMissingListed.
std::vector<RankRange> missing_ranges(const Run& run);
inline constexpr std::size_t kMostMissingListed = 10'000;

std::int64_t rank_count(const std::vector<RankRange>& ranges);
/// One by one, the first of them.
std::vector<int> listed_ranks(const std::vector<RankRange>& ranges, std::size_t most);

} // namespace rankscope
