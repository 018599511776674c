// SPDX-License-Identifier: GPL-3.0-or-later
// The marked range as drawn.
#include "widgets/timeline/range_overlay.h"

#include <algorithm>

#include "widgets/palette.h"
#include "widgets/time_text.h"

namespace rankscope {
namespace {

constexpr int kHandle = 5; // width on the ruler

/// Columns of the range, limited to just outside of the view.
std::pair<double, double> columnsOf(const TimelineScene& scene) {
    const TimeAxis axis = scene.axis();
    const auto column = [&](TimeNs time) { return std::clamp(axis.columnOf(time), -10.0, axis.width + 10); };
    return {column(scene.range->begin), column(scene.range->end)};
}

} // namespace

RangeOverlay::RangeOverlay(QCustomPlot* plot, const TimelineScene& scene) : SceneLayer(plot, scene, Above::pointer) {}

void RangeOverlay::draw(QCPPainter* painter) {
    if (!scene().run || !scene().range)
        return;
    const auto [left, right] = columnsOf(scene());
    const QRectF view(QPointF(), scene().size);
    QColor veil = scene().palette.color(QPalette::Base);
    veil.setAlphaF(0.5F);
    painter->fillRect(QRectF(0, 0, left, view.height()).intersected(view), veil);
    painter->fillRect(QRectF(right, 0, view.width() - right, view.height()).intersected(view), veil);
    painter->setPen(QPen(scene().palette.color(QPalette::Highlight), 1));
    for (const double x : {left, right})
        painter->drawLine(QPointF(x, 0), QPointF(x, view.height()));
}

void drawRangeOnRuler(QPainter& painter, const TimelineScene& scene, const QRect& area) {
    if (!scene.range)
        return;
    const auto [left, right] = columnsOf(scene);
    const QColor highlight = scene.palette.color(QPalette::Highlight);
    QColor fill = highlight;
    fill.setAlphaF(0.22F);
    const QRectF band(left, area.top(), right - left, area.height());
    painter.fillRect(band, fill);
    painter.fillRect(QRectF(left, area.top(), kHandle, area.height()), highlight);
    painter.fillRect(QRectF(right - kHandle, area.top(), kHandle, area.height()), highlight);
    // The length, on a ground of its own: steps and ticks are written there, too.
    const QString text = durationText(scene.range->length());
    const QFontMetrics metrics(scene.font);
    const QRectF seen = band.intersected(QRectF(area));
    const double width = metrics.horizontalAdvance(text) + 12;
    if (seen.width() < width + 2 * kHandle + 4)
        return;
    const QRectF label(seen.center().x() - width / 2, area.top() + 1, width, metrics.height() + 1);
    painter.fillRect(label, highlight);
    painter.setPen(textOn(highlight));
    painter.setFont(scene.font);
    painter.drawText(label, Qt::AlignCenter, text);
}

} // namespace rankscope
