// SPDX-License-Identifier: GPL-3.0-or-later
// What overlays need to draw marks.
#include "widgets/timeline/mark_painting.h"

#include <QPainter>

namespace rankscope {

bool isNarrow(const MarkedColumns& columns) { return columns.right - columns.left <= kNarrow; }

QColor faded(QColor colour, float alpha) {
    colour.setAlphaF(alpha);
    return colour;
}

bool hasMarks(const TimelineScene& scene, const LaneStrip& strip) {
    return scene.marks && static_cast<std::size_t>(strip.rankIndex) < scene.marks->ranks.size() &&
           strip.group == LaneGroup::streams;
}

bool isFirstRow(const RankTrace& trace, const LaneStrip& strip) {
    return !strip.isSummary() && trace.lanes[static_cast<std::size_t>(strip.lane)].first_row == strip.rows.front();
}

void drawMarkLabel(QPainter& painter, const TimelineScene& scene, const QRect& mark, const QString& text) {
    const QFontMetrics metrics(scene.font);
    const int width = metrics.horizontalAdvance(text) + 8;
    if (width + 6 > mark.width() || mark.height() < metrics.height() - 3)
        return;
    QRect ground(0, mark.top() + 1, width, mark.height() - 2);
    ground.moveLeft(mark.center().x() - width / 2);
    painter.fillRect(ground, scene.palette.color(QPalette::Base));
    painter.setPen(scene.palette.color(QPalette::Text));
    painter.setFont(scene.font);
    painter.drawText(ground, Qt::AlignCenter, text);
}

} // namespace rankscope
