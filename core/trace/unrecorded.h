// SPDX-License-Identifier: GPL-3.0-or-later
// Where a profiler paused: what it did not record is no idle time.
#pragma once
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// Between steps of the rank, ascending: their numbers jump, half a step or more lies between them, and no GPU work
/// starts in the middle of that (a schedule that repeats, a capture that was started again). On the rank's clock, from
/// the end of a step to the start of the next.
std::vector<TimeRange> unrecorded_times(const RankTrace& rank);

/// How many of them lie before the time; a time inside one belongs to its nearer end.
std::uint32_t unrecorded_before(const std::vector<TimeRange>& unrecorded, TimeNs time);

} // namespace rankscope
