// SPDX-License-Identifier: GPL-3.0-or-later
// Which errors of Run::gpu_errors each rank's GPU had.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

/// By index in Run::ranks: indices in Run::gpu_errors, ascending by time.
inline std::vector<std::vector<std::uint32_t>> errors_by_rank(const Run& run) {
    std::vector<std::vector<std::uint32_t>> by_rank(run.ranks.size());
    for (std::uint32_t i = 0; i < run.gpu_errors.size(); ++i)
        for (const int number : run.gpu_errors[i].ranks) {
            const auto rank =
                std::ranges::lower_bound(run.ranks, number, {}, [](const auto& each) { return each->rank; });
            if (rank != run.ranks.end() && (*rank)->rank == number)
                by_rank[static_cast<std::size_t>(rank - run.ranks.begin())].push_back(i);
        }
    return by_rank;
}

} // namespace rankscope
