// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of slices: which columns of a row they cover. Cost grows with columns, not with events.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "widgets/timeline/coordinates.h"
#include "widgets/timeline/slice_class.h"

namespace rankscope {

using ClassTimes = std::array<TimeNs, kSliceClassCount>;

/// Busy time per class before every kBlock-th event of a row: sums over any stretch of events in constant time.
struct RowSummary {
    static constexpr EventIndex kBlock = 32;
    std::vector<SliceClass> classes; ///< those that occur in the row
    std::vector<TimeNs> starts;      ///< starts[b]: start of event b * kBlock; empty for short rows
    std::vector<TimeNs> busy;        ///< busy[b * classes.size() + k]: of class k in all events before b * kBlock
};

/// The events of one row: sorted by start, not overlapping. Indices are positions in the row.
struct RowSlices {
    std::span<const TimeNs> start;
    std::span<const TimeNs> duration;
    std::span<const SliceClass> sliceClass;
    EventIndex first = 0; ///< EventIndex of the row's first event
    const RowSummary* summary = nullptr;

    [[nodiscard]] EventIndex size() const { return static_cast<EventIndex>(start.size()); }
    [[nodiscard]] TimeNs end(EventIndex i) const { return start[i] + duration[i]; }
    /// First event at or after `from` that starts at `time` or later.
    [[nodiscard]] EventIndex firstStartingAt(TimeNs time, EventIndex from = 0) const;
    /// First event that reaches into `time` or starts later.
    [[nodiscard]] EventIndex firstReaching(TimeNs time) const;
    /// Durations of events [begin, end) added per class.
    void addBusy(EventIndex begin, EventIndex end, ClassTimes& times) const;
};

RowSummary summarise(const RowSlices& row);

/// Columns [left, right) of one slice, or one column shared by `count` slices of which sliceClass takes the most time.
struct SliceRect {
    int left = 0;
    int right = 0;
    EventIndex event = kNoEvent; ///< the slice; of several, the first
    SliceClass sliceClass = SliceClass::other;
    float share = 1; ///< of the columns' time that is busy
    std::uint32_t count = 1;
    friend bool operator==(const SliceRect&, const SliceRect&) = default;
};

/// Rectangles of a row from left to right, not overlapping. Every event in the visible range has a column, though it
/// may share it. `out` is overwritten (and kept between frames: no allocation while painting).
void sliceRects(const RowSlices& row, const TimeAxis& axis, std::vector<SliceRect>& out);

/// Several rows drawn as one: in every column the class that takes the most time of all of them. Annotations span
/// whole iterations and would hide everything else: they show only where there is nothing else in the whole view.
/// count is 0.
void summaryRects(std::span<const RowSlices> rows, const TimeAxis& axis, std::vector<SliceRect>& out);

/// What lies under a position: the slice that takes most of the column, and how many share it.
struct SliceHit {
    EventIndex event = kNoEvent;
    std::uint32_t count = 1;
};
std::optional<SliceHit> sliceAt(const RowSlices& row, const TimeAxis& axis, double x);

} // namespace rankscope
