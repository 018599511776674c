// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time ruler puts its ticks and what it writes at them.
#pragma once
#include <vector>

#include <QString>

#include "core/base/time.h"

namespace rankscope {

/// step: distance of labelled ticks, one of 1, 2, 5 x 10^n ns; minor: distance of the small ones between them.
/// unit and decimals: how labels are written, the same along the whole ruler.
struct RulerScale {
    TimeNs step = 1;
    TimeNs minor = 1;
    TimeNs unit = 1'000;
    int decimals = 0;
};

/// Labels of neighbouring ticks stay at least `spacing` pixels apart. Times count from `origin`.
RulerScale rulerScale(TimeRange visible, TimeNs origin, double width, double spacing);
/// Multiples of `step` after origin that lie in the visible range; absolute times.
std::vector<TimeNs> ticks(TimeRange visible, TimeNs origin, TimeNs step);
/// "12.5 ms"
QString tickLabel(TimeNs time, TimeNs origin, const RulerScale& scale);
/// "14:03:12.345", of nanoseconds since the Unix epoch, in UTC, with so many decimals as the scale's steps need.
QString clockLabel(TimeNs time, const RulerScale& scale);
/// Whether times count from the Unix epoch; others, such as those since the machine was started, are before 2001.
bool isWallClock(TimeNs time);

} // namespace rankscope
