// SPDX-License-Identifier: GPL-3.0-or-later
// The marked range as drawn.
#include "widgets/timeline/range_overlay.h"

#include <algorithm>

#include "widgets/palette.h"
#include "widgets/time_text.h"

namespace rankscope {
namespace {

constexpr int kHandle = 5; // width on the ruler

constexpr int kBar = 3; // height on the ruler of a range that is compared

/// Columns of a range, limited to just outside of the view.
std::pair<double, double> columnsOf(const TimelineScene& scene, TimeRange range) {
    const TimeAxis axis = scene.axis();
    const auto column = [&](TimeNs time) { return std::clamp(axis.columnOf(time), -10.0, axis.width + 10); };
    return {column(range.begin), column(range.end)};
}

/// A bar with the letter that the range has in the Range panel.
void drawCompared(QPainter& painter, const TimelineScene& scene, TimeRange range, const QString& letter,
                  const QRect& area) {
    const auto [left, right] = columnsOf(scene, range);
    const QColor highlight = scene.palette.color(QPalette::Highlight);
    const QFontMetrics metrics(scene.font);
    painter.fillRect(QRectF(left, area.top(), std::max(2.0, right - left), kBar), highlight);
    const double width = metrics.horizontalAdvance(letter) + 8;
    const QRectF label((left + right - width) / 2, area.top(), width,
                       metrics.height()); // steps are named at their left
    painter.fillRect(label, highlight);
    painter.setPen(textOn(highlight));
    painter.setFont(scene.font);
    painter.drawText(label, Qt::AlignCenter, letter);
}

} // namespace

QString rangeLetter(std::size_t number) { return QChar(static_cast<char16_t>(u'A' + number)); }

RangeOverlay::RangeOverlay(QCustomPlot* plot, const TimelineScene& scene) : SceneLayer(plot, scene, Above::pointer) {}

void RangeOverlay::draw(QCPPainter* painter) {
    if (!scene().run || !scene().range)
        return;
    std::vector<TimeRange> ranges = scene().comparedRanges;
    ranges.push_back(*scene().range);
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    const QRectF view(QPointF(), scene().size);
    QColor veil = scene().palette.color(QPalette::Base);
    veil.setAlphaF(0.5F);
    double veiledFrom = 0;
    for (const TimeRange& range : ranges) {
        const auto [left, right] = columnsOf(scene(), range);
        painter->fillRect(QRectF(veiledFrom, 0, std::max(0.0, left - veiledFrom), view.height()).intersected(view),
                          veil);
        veiledFrom = std::max(veiledFrom, right);
    }
    painter->fillRect(QRectF(veiledFrom, 0, view.width() - veiledFrom, view.height()).intersected(view), veil);
    painter->setPen(QPen(scene().palette.color(QPalette::Highlight), 1));
    const auto [left, right] = columnsOf(scene(), *scene().range);
    for (const double x : {left, right})
        painter->drawLine(QPointF(x, 0), QPointF(x, view.height()));
}

void drawRangeOnRuler(QPainter& painter, const TimelineScene& scene, const QRect& area) {
    for (std::size_t i = 0; i < scene.comparedRanges.size(); ++i)
        drawCompared(painter, scene, scene.comparedRanges[i], rangeLetter(i), area);
    if (!scene.range)
        return;
    const auto [left, right] = columnsOf(scene, *scene.range);
    const QColor highlight = scene.palette.color(QPalette::Highlight);
    QColor fill = highlight;
    fill.setAlphaF(0.22F);
    const QRectF band(left, area.top(), right - left, area.height());
    painter.fillRect(band, fill);
    painter.fillRect(QRectF(left, area.top(), kHandle, area.height()), highlight);
    painter.fillRect(QRectF(right - kHandle, area.top(), kHandle, area.height()), highlight);
    // The length, on a ground of its own: steps and ticks are written there, too.
    QString text = durationText(scene.range->length());
    const auto& compared = scene.comparedRanges;
    if (!compared.empty() && std::ranges::find(compared, *scene.range) == compared.end())
        text = rangeLetter(compared.size()) + QStringLiteral(": ") + text;
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
