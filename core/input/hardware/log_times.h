// SPDX-License-Identifier: GPL-3.0-or-later
// What to add to the times of a log so that they are those of the traces. A log with "15:31:37" beside a trace whose
// GPU works at 14:31:37 UTC: minus one hour, if the GPU's activity agrees or nothing else overlaps.
#pragma once
#include <span>

#include "core/input/hardware/gpu_activity.h"

namespace rankscope {

inline constexpr TimeNs kHourNs = TimeNs{3600} * 1'000'000'000;

struct LogTimes {
    TimeNs offset = 0;
    bool by_activity = false; ///< nothing but the activity tells it
    ActivityFit fit;
    Message why_not; ///< it cannot be told; empty: it can
};

/// needs_activity: an overlap alone is not enough.
LogTimes log_times(const HardwareLog& log, std::span<const MatchedGpu> gpus, bool needs_activity);

} // namespace rankscope
