// SPDX-License-Identifier: GPL-3.0-or-later
// Where a rank's time went: TraceLens's gpu_timeline in exact nanoseconds (metrics.md, gpu_timeline).
#pragma once
#include <span>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/selection/selection.h"

namespace rankscope {

/// C, X, M: merged compute (with memset), communication and memory-copy intervals. All values ns.
/// Invariant: computation + exposed_comm + exposed_memcpy + idle = total.
struct GpuTimeline {
    TimeNs total = 0;          ///< last end - first start, of each stretch of selected steps
    TimeNs busy = 0;           ///< |C u X u M|
    TimeNs computation = 0;    ///< |C|
    TimeNs total_comm = 0;     ///< |X|
    TimeNs exposed_comm = 0;   ///< |X \ C|
    TimeNs overlap = 0;        ///< |C n X|
    TimeNs total_memcpy = 0;   ///< |M|
    TimeNs exposed_memcpy = 0; ///< |(M \ C) \ X|
    TimeNs idle = 0;           ///< total - busy
    TimeNs micro_idle = 0;     ///< idle gaps shorter than 10 us; an event without length parts a gap
};

struct ClassIntervals {
    IntervalSet compute; ///< with memory sets
    IntervalSet communication;
    IntervalSet memory_copy;
};

ClassIntervals class_intervals(std::span<const GpuSlice> work);
/// work: sorted by start.
GpuTimeline gpu_timeline(std::span<const GpuSlice> work);

} // namespace rankscope
