// SPDX-License-Identifier: GPL-3.0-or-later
// GPU work that a profiler lost: its launches are recorded, the work is not.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

/// Indices in Run::ranks, ascending: ranks that lack a tenth or more of the kernels that their hosts launched in a
/// step, where neither their other steps nor the other ranks in that step do. The last step does not
/// count. And ranks that lack so many in all, as their reader noticed, where the others do not.
std::vector<std::size_t> ranks_that_lost_work(const Run& run);
/// How many launches of a rank have no GPU work, as its reader noticed.
std::int64_t launches_without_work(const RankTrace& rank);

} // namespace rankscope
