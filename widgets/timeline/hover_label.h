// SPDX-License-Identifier: GPL-3.0-or-later
// What the label at the pointer says, and where it goes.
#pragma once
#include <QRect>
#include <QStringList>

#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

/// First line: the name. Then class and duration, start, rank and lane, sizes, and how many slices share the column.
/// Plain text: names come from the trace.
QStringList hoverLines(const TimelineScene& scene, const HoveredSlice& slice);

/// Beside the pointer, inside the view: right and below where it fits, else on the other side.
QRect hoverRect(QPoint pointer, QSize label, QSize view);

} // namespace rankscope
