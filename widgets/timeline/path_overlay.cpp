// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay of the critical path.
#include <algorithm>

#include <QPainter>
#include <QPixmap>

#include "widgets/language.h"
#include "widgets/palette.h"
#include "widgets/timeline/mark_painting.h"
#include "widgets/timeline/overlays.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

OverlayEntry pathOverlay();

namespace {

QColor pathColour(const QPalette& palette) {
    return isDark(palette) ? QColor(0xF0, 0xE4, 0x42) : QColor(0xC0, 0x00, 0x6A);
}

void drawPath(QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
    const auto rank = static_cast<std::size_t>(strip.rankIndex);
    const RankTrace& trace = *scene.run->ranks[rank];
    const RankPath& path = (*scene.paths)[rank];
    const QColor colour = pathColour(scene.palette);
    const auto bar = [&](const MarkedColumns& columns) {
        const QRect rect(columns.left, area.top(), std::max(2, columns.right - columns.left), area.height());
        painter.fillRect(rect, faded(colour, 0.22F));
        painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 2), colour);
        painter.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2), colour);
    };
    if (!strip.isSummary()) {
        const std::span<const PathMark> marks = marksOfRow(path.by_event, trace.rows[strip.rows.front()]);
        for (const MarkedColumns& columns : joinedColumns(columnsOfMarks(marks, scene.axis()),
                                                          [](const auto&, const auto& next) { return isNarrow(next); }))
            bar(columns);
        return;
    }
    // A folded group shows what runs on any of its lanes.
    for (const MarkedColumns& columns : columnsOfMarks<PathMark>(path.by_begin, scene.axis())) {
        const EventIndex event = path.by_begin[columns.span].event;
        if (event != kNoEvent && laneGroupOf(trace.lane_of(event).kind) == strip.group)
            bar(columns);
    }
}

/// On a halo, so that it stands out from slices of any colour; many lines beside each other are thin.
void drawLine(QPainter& painter, const TimelineScene& scene) {
    const std::vector<QLineF> hops = pathHops(scene);
    const bool crowded = hops.size() > static_cast<std::size_t>(scene.size.width()) / 6;
    const QRectF view(-8, -8, scene.size.width() + 16, scene.size.height() + 16);
    QList<QLineF> lines;
    for (const QLineF& hop : hops)
        if (QRectF(hop.p1(), hop.p2()).normalized().adjusted(-1, -1, 1, 1).intersects(view))
            lines << hop;
    QColor halo = scene.palette.color(QPalette::Base);
    halo.setAlphaF(0.8F);
    if (!crowded) {
        painter.setPen(QPen(halo, 4, Qt::SolidLine, Qt::FlatCap));
        painter.drawLines(lines);
    }
    const QColor colour = pathColour(scene.palette);
    painter.setPen(QPen(crowded ? faded(colour, 0.6F) : colour, crowded ? 1 : 2, Qt::SolidLine, Qt::SquareCap));
    painter.drawLines(lines);
}

/// As the line looks where it goes from lane to lane.
QBrush lineBrush(const QColor& colour) {
    QPixmap tile(13, 8);
    tile.fill(Qt::transparent);
    QPainter(&tile).fillRect(5, 0, 2, 8, colour);
    return {tile};
}

} // namespace

OverlayEntry pathOverlay() {
    OverlayEntry entry{kPathOverlay, OverlayTexts::tr("Critical path"), u"overlay-path"_s, Qt::Key_4, 3};
    entry.swatches = [](const QPalette& colours) {
        return std::vector<OverlaySwatch>{{pathColour(colours), OverlayTexts::tr("on the path")},
                                          {lineBrush(pathColour(colours)), OverlayTexts::tr("on to the next slice")}};
    };
    entry.obstacle = [](const MarkedSpans& marks) {
        return marks.no_path.empty()
                   ? QString()
                   : OverlayTexts::tr("The critical path is not known: %1.").arg(messageText(marks.no_path));
    };
    entry.explanation = [](bool paths) {
        return paths ? OverlayTexts::tr("What, made shorter, would make the step shorter; it goes from rank to rank.")
                     : OverlayTexts::tr("Looking for the longest path through all ranks…");
    };
    entry.draw = [](QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
        if (scene.paths && static_cast<std::size_t>(strip.rankIndex) < scene.paths->size())
            drawPath(painter, scene, strip, area);
    };
    entry.drawAcross = drawLine;
    entry.needsPaths = true;
    return entry;
}

} // namespace rankscope
