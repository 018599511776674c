// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline for assistive technology: the visible range, the selected slice, and the lines of the lane headers.
#pragma once

namespace rankscope {

/// From then on timelines and lane headers have children; again: nothing.
void installTimelineAccessibility();

} // namespace rankscope
