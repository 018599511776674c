// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of the time axis: time to pixel and back, zoom about a point, pan, clamp. No widget, no state.
#pragma once
#include <cmath>

#include "core/trace/time.h"

namespace rankscope {

/// Nobody needs to see less than this across the whole view; it keeps a pixel above a hundredth of a nanosecond.
inline constexpr TimeNs kShortestVisible = 100;

/// A visible range laid over `width` pixels. Times are absolute (a double cannot hold them): they are made relative to
/// the left edge before any floating-point arithmetic.
struct TimeAxis {
    TimeRange visible;
    double width = 1;

    [[nodiscard]] double pixelsPerNs() const {
        return visible.empty() ? 0.0 : width / static_cast<double>(visible.length());
    }
    [[nodiscard]] double pixelOf(TimeNs time) const { return static_cast<double>(time - visible.begin) * pixelsPerNs(); }
    /// The column that a time falls into.
    [[nodiscard]] double columnOf(TimeNs time) const { return std::floor(pixelOf(time)); }
    /// The time under a position, to the nanosecond below.
    [[nodiscard]] TimeNs timeAt(double pixel) const {
        return visible.begin + static_cast<TimeNs>(std::floor(pixel / width * static_cast<double>(visible.length())));
    }
    /// The first nanosecond whose column is `column` or a later one.
    [[nodiscard]] TimeNs columnBegin(double column) const {
        return visible.begin + static_cast<TimeNs>(std::ceil(column / width * static_cast<double>(visible.length())));
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

/// What to show to see `range` with some air around it.
inline TimeRange withMargin(TimeRange range, double share) {
    const auto air = static_cast<TimeNs>(share * static_cast<double>(range.length()));
    return {range.begin - air, range.end + air};
}

} // namespace rankscope
