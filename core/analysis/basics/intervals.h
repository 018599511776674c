// SPDX-License-Identifier: GPL-3.0-or-later
// The interval algebra under every time breakdown: sort, merge, intersect, subtract, measure. Integer nanoseconds.
#pragma once
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// Sorted, disjoint, non-touching, non-empty ranges: what merge() returns and the other functions expect and return.
using IntervalSet = std::vector<TimeRange>;

/// Union of any ranges; touching ones become one, empty ones vanish.
IntervalSet merge(std::vector<TimeRange> ranges);
IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);
/// What of the window no interval covers.
IntervalSet gaps(const IntervalSet& a, TimeRange window);
TimeNs measure(const IntervalSet& a);
/// Of the range, what the set covers; looks only at the ranges there.
TimeNs covered(const IntervalSet& a, TimeRange range);

} // namespace rankscope
