// SPDX-License-Identifier: GPL-3.0-or-later
// GPU work that a profiler lost: its launches are recorded, the work is not.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

/// Indices in Run::ranks, ascending: ranks that lack a tenth or more of the kernels that their hosts launched in a
/// step, where neither their other steps nor the other ranks in that step do. And ranks that lack some in all, as their
/// reader noticed, where the others lack none, or a tenth less. Launches whose work may run after the recording do not
/// count.
std::vector<std::size_t> ranks_that_lost_work(const Run& run);
/// Indices in Run::ranks, ascending: ranks without any communication kernel, where most others of the job have
/// some.
std::vector<std::size_t> ranks_without_communication(const Run& run);
/// Likewise: ranks whose GPU work has no recorded launch, where that of as many others or more has: what their hosts do
/// is not known.
std::vector<std::size_t> ranks_without_launches(const Run& run);
/// Numbers, ascending: steps in which half of the ranks or more lack a tenth more of these kernels than they usually
/// do.
std::vector<std::int64_t> steps_that_lost_work(const Run& run);
/// How many launches of a rank have no GPU work, as its reader noticed.
std::int64_t launches_without_work(const RankTrace& rank);

} // namespace rankscope
