// SPDX-License-Identifier: GPL-3.0-or-later
// What a group of lanes does as a whole: one row of slices made from many that overlap, with one class at any time.
#pragma once
#include <span>
#include <vector>

#include "widgets/timeline/slice_geometry.h"

namespace rankscope {

/// Where several classes run at once, the first of compute, memory set, communication, memory copy, CPU operator,
/// runtime call, Python frame, other has the time: what is left of communication is the exposed part, and of copies
/// what neither hides, as in core/analysis/gpu/gpu_timeline.h. Annotations span whole iterations and would hide idle
/// time: they count only where there is nothing else in the group. Neighbours of one class are one slice; instants stay
/// where nothing else runs.
struct SliceActivity {
    std::vector<TimeNs> start;
    std::vector<TimeNs> duration;
    std::vector<SliceClass> classes;
    RowSummary summary;

    /// Its slices are no events: indices count from 0.
    [[nodiscard]] RowSlices row() const { return {start, duration, classes, 0, &summary}; }
};

SliceActivity activityOf(std::span<const RowSlices> rows);

} // namespace rankscope
