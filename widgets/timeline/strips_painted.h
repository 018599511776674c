// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which overlays go over the strips in view.
#pragma once
#include <QPainter>

#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

/// Calls draw(strip) for what scrolls, clipped to the room below the pinned lanes, then for what is pinned: it lies
/// over the rest.
template <typename Draw>
void paintStripsInView(QPainter& painter, const TimelineScene& scene, Draw draw) {
    const std::vector<const LaneStrip*> strips = scene.stripsInView();
    painter.save();
    painter.setClipRect(QRect(0, scene.pinnedHeight, scene.size.width(), scene.size.height()), Qt::IntersectClip);
    for (const LaneStrip* strip : strips)
        if (strip->top >= scene.pinnedHeight)
            draw(*strip);
    painter.restore();
    for (const LaneStrip* strip : strips)
        if (strip->top < scene.pinnedHeight)
            draw(*strip);
}

} // namespace rankscope
