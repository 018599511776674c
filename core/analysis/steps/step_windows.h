// SPDX-License-Identifier: GPL-3.0-or-later
// When the steps of a rank are on its GPU.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/selection/selection.h"

namespace rankscope {

/// The host launches a step in clearly less time than the GPU takes for it; both in one unit. 0: not known.
inline bool host_runs_ahead(double launched, double on_gpu) { return launched > 0 && on_gpu > 1.02 * launched; }

/// When the GPU has finished what it did before the first work of the steps on a lane, at most the start of that work.
/// Nothing if the GPU is free. A backlog from before the recording is not recorded. It is assumed if the lane is empty
/// before, and the work starts a millisecond or more after its launch and after all other recorded work, but not of a
/// rank whose recorder lost GPU work.
std::optional<TimeNs> gpu_free_for(const RankTrace& rank, EventIndex first_work);

/// When the GPU has finished what was queued before the recording, on the rank's own clock: the latest of
/// gpu_free_for() over the first work of all streams that is launched as the recording starts. Nothing where nothing
/// shows such work. Of the time before, the recording does not tell what the GPU did: it belongs to no step, and is
/// neither work nor idle time.
std::optional<TimeNs> end_of_queued_work(const RankTrace& rank);

/// One range per step, one after the other. Each ends when the host is through with it and the GPU with its work; the
/// first one starts with the host's, or, where the GPU is then still busy with earlier work, when that has ended. Where
/// the host never runs ahead these are the profiler's own ranges. On the rank's own clock.
std::vector<TimeRange> step_windows(const RankTrace& rank, std::span<const GpuSlice> work,
                                    std::span<const ProfilerStep> steps);

} // namespace rankscope
