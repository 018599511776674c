// SPDX-License-Identifier: GPL-3.0-or-later
// What the label at the pointer says, and where it goes.
#pragma once
#include <QPointF>
#include <QRect>
#include <QStringList>

#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

/// Of one slice: name; class and duration, start, rank and lane, sizes. Of a column that several share: how many, share
/// of each class, the names with most time. Plain text: names come from the trace.
QStringList hoverLines(const TimelineScene& scene, const HoveredSlice& slice);
/// Of a counter at a point: its value there. Empty where there is no counter.
QStringList counterLines(const TimelineScene& scene, QPointF point);

/// Beside the pointer, inside the view: right and below where it fits, else on the other side.
QRect hoverRect(QPoint pointer, QSize label, QSize view);

} // namespace rankscope
