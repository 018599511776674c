// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of the time axis: time to pixel and back, zoom about a point, pan, clamp. No widget, no state.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/time.h"

namespace rankscope {

/// Nobody needs to see less than this across the whole view; it keeps a pixel above a hundredth of a nanosecond.
inline constexpr TimeNs kShortestVisible = 100;

/// A visible range laid over `width` pixels. Times are absolute (a double cannot hold them): they are made relative to
/// the left edge before any floating-point arithmetic.
///
/// The columns start at the left edge, or belong to a grid laid for an earlier view of the same length: then pictures
/// of its columns stay right while the view moves by whole columns, and column 0 starts within a nanosecond of the left
/// edge.
struct TimeAxis {
    TimeRange visible;
    double width = 1;
    TimeNs sinceGrid = 0;   ///< from the grid's beginning to the left edge
    double gridColumns = 0; ///< in columns, a whole number

    [[nodiscard]] double pixelsPerNs() const {
        return visible.empty() ? 0.0 : width / static_cast<double>(visible.length());
    }
    [[nodiscard]] double pixelOf(TimeNs time) const {
        return static_cast<double>(time - visible.begin + sinceGrid) * pixelsPerNs() - gridColumns;
    }
    /// The column that a time falls into.
    [[nodiscard]] double columnOf(TimeNs time) const { return std::floor(pixelOf(time)); }
    /// The time under a position, to the nanosecond below.
    [[nodiscard]] TimeNs timeAt(double pixel) const {
        return visible.begin + static_cast<TimeNs>(std::floor(pixel / width * static_cast<double>(visible.length())));
    }
    /// The first nanosecond whose column is `column` or a later one.
    [[nodiscard]] TimeNs columnBegin(double column) const {
        return visible.begin - sinceGrid +
               static_cast<TimeNs>(std::ceil((column + gridColumns) / width * static_cast<double>(visible.length())));
    }
    /// How many columns later this view starts than `before`, where it fits the grid of `before`, which it then takes
    /// over. Views whose columns last only nanoseconds have a grid of their own.
    [[nodiscard]] std::optional<int> continueGrid(const TimeAxis& before) {
        constexpr double kLeastNs = 16; // a nanosecond at the border of a column is nothing that shows
        const double length = static_cast<double>(visible.length());
        if (width != before.width || visible.length() != before.visible.length() || length < kLeastNs * width)
            return {};
        const double columns = std::round(static_cast<double>(visible.begin - before.visible.begin) * pixelsPerNs());
        TimeAxis moved = *this;
        moved.sinceGrid = before.sinceGrid + visible.begin - before.visible.begin;
        moved.gridColumns = before.gridColumns + columns;
        if (std::abs(columns) >= width || std::abs(moved.columnBegin(0) - visible.begin) > 1)
            return {};
        *this = moved;
        return static_cast<int>(columns);
    }
};

/// The range moved and, where it must be, shortened to lie inside `full`; never shorter than kShortestVisible.
inline TimeRange clampedTo(TimeRange range, TimeRange full) {
    const TimeNs longest = std::max(full.length(), kShortestVisible);
    const TimeNs length = std::clamp(range.length(), kShortestVisible, longest);
    // A range that has to grow does so around its middle.
    const TimeNs wanted = range.begin + (range.length() - length) / 2;
    const TimeNs begin = std::clamp(wanted, full.begin, full.begin + longest - length);
    return {begin, begin + length};
}

/// factor < 1 zooms in. The anchor keeps its place in the view unless the edge of `full` forbids it.
inline TimeRange zoomedAbout(TimeRange visible, TimeNs anchor, double factor, TimeRange full) {
    const double longest = static_cast<double>(std::max(full.length(), kShortestVisible));
    const double before = static_cast<double>(std::max<TimeNs>(visible.length(), 1));
    const double length = std::clamp(before * factor, static_cast<double>(kShortestVisible), longest);
    const double left = static_cast<double>(anchor - visible.begin) * (length / before);
    const TimeNs begin = anchor - static_cast<TimeNs>(std::llround(left));
    return clampedTo({begin, begin + static_cast<TimeNs>(std::llround(length))}, full);
}

/// Moves the view by a share of its own length; positive: later.
inline TimeRange pannedBy(TimeRange visible, double share, TimeRange full) {
    const auto shift = static_cast<TimeNs>(std::llround(share * static_cast<double>(visible.length())));
    return clampedTo({visible.begin + shift, visible.end + shift}, full);
}

/// Moves the view by whole pixels of a width, so that what its columns show only has to be moved; positive: later.
inline TimeRange pannedByPixels(TimeRange visible, int pixels, int width, TimeRange full) {
    return pannedBy(visible, static_cast<double>(pixels) / std::max(1, width), full);
}

/// What to show to see `range` with some air around it.
inline TimeRange withMargin(TimeRange range, double share) {
    const auto air = static_cast<TimeNs>(share * static_cast<double>(range.length()));
    return {range.begin - air, range.end + air};
}

} // namespace rankscope
