// SPDX-License-Identifier: GPL-3.0-or-later
// Where a profiler paused: what it did not record is no idle time.
#pragma once
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// Between steps of the rank, ascending: lacks_steps_between(), and no GPU work starts in the middle of that (a
/// schedule that repeats, a capture that was started again). On the rank's clock, from the end of a step to the start
/// of the next.
std::vector<TimeRange> unrecorded_times(const RankTrace& rank);

/// The numbers of two steps, one after the other, jump, and half a step or more lies between them.
bool lacks_steps_between(const ProfilerStep& before, const ProfilerStep& after);

/// How many of them lie before the time; a time inside one belongs to its nearer end.
std::uint32_t unrecorded_before(const std::vector<TimeRange>& unrecorded, TimeNs time);

} // namespace rankscope
