// SPDX-License-Identifier: GPL-3.0-or-later
// The two things the timeline's plot draws.
#include "widgets/timeline/plot_layers.h"

#include <algorithm>
#include <cmath>

#include <QTextLayout>

#include "widgets/palette.h"
#include "widgets/timeline/hover_label.h"

namespace rankscope {
namespace {

constexpr int kLabelPadding = 7;
constexpr int kLabelWidth = 460;
constexpr int kMostNameLines = 3;

/// The name broken anywhere into a few lines: kernel names have no spaces to break at.
QStringList nameLines(const QString& name, const QFont& font) {
    QTextLayout layout(name, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        if (lines.size() == kMostNameLines) {
            lines.back() =
                QFontMetrics(font).elidedText(lines.back() + name.mid(line.textStart()), Qt::ElideRight, kLabelWidth);
            break;
        }
        line.setLineWidth(kLabelWidth);
        lines << name.mid(line.textStart(), line.textLength());
    }
    layout.endLayout();
    return lines;
}

} // namespace

SlicePlottable::SlicePlottable(QCPAxis* time, QCPAxis* lanes, const TimelineScene& scene)
    : QCPAbstractPlottable(time, lanes), scene_(scene) {
    setSelectable(QCP::stNone); // selection is the view state's
    setAntialiased(false);
    setAntialiasedFill(false);
}

double SlicePlottable::selectTest(const QPointF&, bool, QVariant*) const { return -1; }

QCPRange SlicePlottable::getKeyRange(bool& found, QCP::SignDomain) const {
    found = scene_.run != nullptr;
    return found ? QCPRange(0, static_cast<double>(scene_.run->span.length())) : QCPRange();
}

QCPRange SlicePlottable::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = scene_.run != nullptr;
    return {0, static_cast<double>(scene_.layout.height)};
}

void SlicePlottable::draw(QCPPainter* painter) {
    // QCustomPlot's buffers are never seen: see LanesPlot.
    if (painter->modes().testFlag(QCPPainter::pmNoCaching))
        exportSlices(*painter, scene_, clipRect().topLeft());
}

void SlicePlottable::drawLegendIcon(QCPPainter*, const QRectF&) const {} // the timeline has its own legend

TimelineOverlay::TimelineOverlay(QCustomPlot* plot, const TimelineScene& scene)
    : SceneLayer(plot, scene, Above::pointer) {}

void TimelineOverlay::draw(QCPPainter* painter) {
    if (!scene().run)
        return;
    const bool dark = isDark(scene().palette);
    painter->setBrush(Qt::NoBrush);
    if (scene().hover)
        outline(*painter, scene().hover->event, scene().palette.color(QPalette::Text), 1);
    if (scene().selection)
        outline(*painter, *scene().selection, hue(Hue::selection, dark), 2);
    if (scene().focused) {
        painter->setPen(QPen(scene().palette.color(QPalette::Highlight), 2));
        painter->drawRect(QRectF(QPointF(1, 1), scene().size - QSize(2, 2)));
    }
    if (!scene().hoverLines.isEmpty())
        drawHoverLabel(*painter);
}

void TimelineOverlay::outline(QCPPainter& painter, const EventRef& event, const QColor& colour, double width) const {
    // Coordinates far outside of the view would overflow the rasteriser.
    const QRectF view(QPointF(-4, -100), QSizeF(scene().size) + QSizeF(8, 200));
    const QRectF rect = scene().rectOf(event).intersected(view);
    if (rect.isEmpty())
        return;
    QPen pen(colour, width);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.drawRect(QRectF(std::floor(rect.left()), rect.top(),
                            std::max(1.0, std::floor(rect.right()) - std::floor(rect.left())), rect.height())
                         .adjusted(-0.5, -0.5, 0.5, 0.5));
}

void TimelineOverlay::drawHoverLabel(QCPPainter& painter) const {
    QStringList lines = scene().hoverLines;
    QFont bold = scene().font;
    bold.setBold(true);
    const QStringList name = nameLines(lines.takeFirst(), bold);
    const QFontMetrics metrics(scene().font);
    const QFontMetrics boldMetrics(bold);
    int width = 0;
    for (const QString& line : name)
        width = std::max(width, boldMetrics.horizontalAdvance(line));
    for (const QString& line : std::as_const(lines))
        width = std::max(width, metrics.horizontalAdvance(line));
    const auto count = static_cast<int>(name.size() + lines.size());
    const QSize size(width + 2 * kLabelPadding + 2, count * metrics.height() + 2 * kLabelPadding);
    const QRect rect = hoverRect(scene().pointer, size, scene().size);
    painter.setPen(QPen(scene().palette.color(QPalette::Mid), 1));
    painter.setBrush(scene().palette.color(QPalette::ToolTipBase));
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
    painter.setPen(scene().palette.color(QPalette::ToolTipText));
    int y = rect.top() + kLabelPadding + metrics.ascent();
    painter.setFont(bold);
    for (const QString& line : name) {
        painter.drawText(QPoint(rect.left() + kLabelPadding, y), line);
        y += metrics.height();
    }
    painter.setFont(scene().font);
    for (const QString& line : std::as_const(lines)) {
        painter.drawText(QPoint(rect.left() + kLabelPadding, y), line);
        y += metrics.height();
    }
}

} // namespace rankscope
