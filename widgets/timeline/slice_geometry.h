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
    static constexpr EventIndex kBlock = 16;
    std::vector<SliceClass> classes;  ///< those that occur in the row
    std::vector<TimeNs> starts;       ///< starts[b]: start of event b * kBlock; empty for short rows
    std::vector<TimeNs> busy;         ///< busy[b * classes.size() + k]: of class k in all events before b * kBlock
    std::vector<EventIndex> instants; ///< events without duration, which sums of time do not see
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
};

RowSummary summarise(const RowSlices& row);

/// Share of a column's time that each class takes; what is missing from 1 is idle.
using ClassShares = std::array<float, kSliceClassCount>;

/// Columns [left, right) of one slice, or one column shared by `count` slices of which sliceClass takes the most time.
struct SliceRect {
    int left = 0;
    int right = 0;
    EventIndex event = kNoEvent; ///< the slice; of several, the first that is not drawn further left
    SliceClass sliceClass = SliceClass::other;
    float share = 1; ///< of the column's time that is busy
    std::uint32_t count = 1;
    std::int32_t shares = -1; ///< in RowPicture::shares; -1: one slice fills the columns
    friend bool operator==(const SliceRect&, const SliceRect&) = default;
};

/// What a row looks like. Kept between frames: no allocation while painting.
struct RowPicture {
    std::vector<SliceRect> rects; ///< from left to right, not overlapping
    std::vector<ClassShares> shares;

    void clear() {
        rects.clear();
        shares.clear();
    }
};

/// A slice of two columns or more is a rectangle of its own, from the column it starts in to the last one it fills.
/// Any other column that slices reach into has the exact share of each class in its time, from prefix sums. So every
/// event in the visible range has a column. `out` is overwritten.
void sliceRects(const RowSlices& row, const TimeAxis& axis, RowPicture& out);

/// The same, where `out` holds the picture of this row in the view that started `columns` columns earlier (negative:
/// later) on the same grid: what both views show is taken from there.
void moveSliceRects(const RowSlices& row, const TimeAxis& axis, int columns, RowPicture& out);

/// Exact busy time per class inside a range.
ClassTimes busyIn(const RowSlices& row, TimeRange range);

/// Pixels for each class in a column of that height, in proportion to the shares; what is missing from the height is
/// idle. A class that occurs has a pixel, if need be taken from the class that has most, as long as there are enough;
/// `dominating` comes first and has one even where all shares are 0.
using ClassHeights = std::array<int, kSliceClassCount>;
ClassHeights stackedHeights(const ClassShares& shares, SliceClass dominating, int height);

/// What lies under a position: the slice that takes most of the column, and how many share it.
struct SliceHit {
    EventIndex event = kNoEvent;
    std::uint32_t count = 1;
};
std::optional<SliceHit> sliceAt(const RowSlices& row, const TimeAxis& axis, double x);

} // namespace rankscope
