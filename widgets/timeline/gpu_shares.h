// SPDX-License-Identifier: GPL-3.0-or-later
// What fills a range of time on a rank's GPU. Of 10 us with a kernel of 4 and an all-reduce of 5 that overlaps it by 1,
// computation has 4, exposed communication 4 and idle 2.
#pragma once
#include <array>
#include <vector>

#include <QColor>
#include <QString>

#include "core/trace/rank_trace.h"
#include "widgets/timeline/slice_index.h"

namespace rankscope {

/// The parts of gpu_timeline (core/analysis/gpu/gpu_timeline.h), ns: together they are total.
struct GpuShares {
    TimeNs total = 0; ///< what of the range is recorded_gpu_time()
    TimeNs computation = 0;
    TimeNs exposed_communication = 0; ///< waiting for other ranks is a part of it
    TimeNs exposed_copies = 0;
    TimeNs idle = 0;

    struct Part {
        QString label;
        TimeNs time = 0;
        QColor colour; ///< invalid: idle
    };
    [[nodiscard]] std::array<Part, 4> parts(bool dark) const;
};

/// From the first to the last GPU work of the rank, of each stretch between the profiler's pauses (unrecorded_times()),
/// without what ran before the recording knew of it (end_of_queued_work()): as GpuTimeline::total counts.
IntervalSet recorded_gpu_time(const RankTrace& trace);

GpuShares gpuShares(const SliceIndex& index, TimeRange range);

} // namespace rankscope
