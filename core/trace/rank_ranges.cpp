// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/rank_ranges.h"

#include <algorithm>

namespace rankscope {

std::vector<RankRange> missing_ranges(const Run& run) {
    std::vector<RankRange> missing;
    int next = 0;
    for (const auto& rank : run.ranks) {
        if (rank->rank > next)
            missing.push_back({next, rank->rank - 1});
        next = std::max(next, rank->rank + 1);
    }
    if (run.world_size > next)
        missing.push_back({next, run.world_size - 1});
    return missing;
}

std::int64_t rank_count(const std::vector<RankRange>& ranges) {
    std::int64_t count = 0;
    for (const RankRange& range : ranges)
        count += std::int64_t{range.last} - range.first + 1;
    return count;
}

std::vector<int> listed_ranks(const std::vector<RankRange>& ranges, std::size_t most) {
    std::vector<int> listed;
    for (const RankRange& range : ranges)
        for (int rank = range.first; rank <= range.last; ++rank) {
            if (listed.size() == most)
                return listed;
            listed.push_back(rank);
        }
    return listed;
}

} // namespace rankscope
