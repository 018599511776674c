// SPDX-License-Identifier: GPL-3.0-or-later
// One result per rank, computed in parallel, in the order of Run::ranks whatever the number of threads.
#pragma once
#include <vector>

#include <tbb/parallel_for.h>

#include "core/base/isolation.h"
#include "core/trace/run.h"

namespace rankscope {

/// compute: RankTrace, index of the rank in the run -> T.
template <typename T, typename Compute>
std::vector<T> per_rank(const Run& run, Compute&& compute) {
    std::vector<T> results(run.ranks.size());
    tbb::parallel_for(std::size_t{0}, run.ranks.size(),
                      [&](std::size_t i) { run_apart([&] { results[i] = compute(*run.ranks[i], i); }); });
    return results;
}

} // namespace rankscope
