// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of the lag map as one picture of the plot, and the colours' legend.
#include "widgets/screens/lag_cells.h"

#include <array>
#include <cmath>

#include <QPainter>

#include "widgets/number_text.h"
#include "widgets/palette.h"

namespace rankscope {
namespace {

constexpr int kLegendBar = 160;
constexpr int kLegendSide = 8;

int between(int from, int to, double share) { return static_cast<int>(std::lround(from + (to - from) * share)); }

QRgb mixed(QRgb from, QRgb to, double share) {
    return qRgb(between(qRed(from), qRed(to), share), between(qGreen(from), qGreen(to), share),
                between(qBlue(from), qBlue(to), share));
}

} // namespace

QRgb lagColour(std::uint8_t code, bool dark) {
    // Pale yellow, the palette's orange, brown; on dark the other way round. Lightness falls (rises) throughout.
    static constexpr std::array kLight{qRgb(0xFF, 0xF3, 0xCF), qRgb(0xE6, 0x9F, 0x00), qRgb(0x6E, 0x1E, 0x00)};
    static constexpr std::array kDark{qRgb(0x42, 0x38, 0x28), qRgb(0xC0, 0x74, 0x00), qRgb(0xFF, 0xF2, 0xBC)};
    if (code == LagMap::kNoCall)
        return qRgba(0, 0, 0, 0);
    const auto& stops = dark ? kDark : kLight;
    const double place = (code - 1) / 127.0;
    return place <= 1 ? mixed(stops[0], stops[1], place) : mixed(stops[1], stops[2], place - 1);
}

LagCells::LagCells(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {}

void LagCells::setMap(std::shared_ptr<const LagMap> map) {
    map_ = std::move(map);
    drawn_ = {};
}

void LagCells::setDark(bool dark) {
    dark_ = dark;
    drawn_ = {};
}

QImage LagCells::picture(QSize size, QCPRange columns) const {
    if (!map_ || map_->levels.empty() || size.isEmpty())
        return {};
    const auto width = static_cast<std::size_t>(size.width());
    const auto codes =
        draw_lag_map(*map_, columns.lower, columns.upper, width, static_cast<std::size_t>(size.height()));
    std::array<QRgb, 256> colours{};
    for (std::size_t code = 0; code < colours.size(); ++code)
        colours[code] = lagColour(static_cast<std::uint8_t>(code), dark_);
    QImage image(size.width(), static_cast<int>(codes.size() / width), QImage::Format_ARGB32);
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (std::size_t x = 0; x < width; ++x)
            line[x] = colours[codes[static_cast<std::size_t>(y) * width + x]];
    }
    return image;
}

void LagCells::draw(QCPPainter* painter) {
    const QRect area = mKeyAxis->axisRect()->rect();
    const QCPRange columns = mKeyAxis->range();
    if (drawn_.isNull() || drawn_.width() != area.width() || drawnColumns_ != columns) {
        drawn_ = picture(area.size(), columns);
        drawnColumns_ = columns;
    }
    if (drawn_.isNull())
        return;
    painter->setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter->drawImage(area, drawn_);
    // Few ranks have a line between them, so that a row is told from the next.
    const double row = static_cast<double>(area.height()) / static_cast<double>(map_->ranks);
    if (row < 8)
        return;
    painter->setPen(QPen(dark_ ? darkPalette().color(QPalette::Window) : lightPalette().color(QPalette::Window), 2));
    painter->setAntialiasing(false);
    for (std::size_t rank = 1; rank < map_->ranks; ++rank) {
        const double y = area.top() + row * static_cast<double>(rank);
        painter->drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
}

void LagCells::drawLegendIcon(QCPPainter*, const QRectF&) const {}

double LagCells::selectTest(const QPointF&, bool, QVariant*) const { return -1; }

QCPRange LagCells::getKeyRange(bool& found, QCP::SignDomain) const {
    found = map_ != nullptr;
    return {0, map_ ? static_cast<double>(map_->columns) : 1};
}

QCPRange LagCells::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = map_ != nullptr;
    return {0, map_ ? static_cast<double>(map_->ranks) : 1};
}

LagLegend::LagLegend(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Legend of the lag map"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LagLegend::setMap(std::shared_ptr<const LagMap> map) {
    map_ = std::move(map);
    setAccessibleDescription(words());
    updateGeometry();
    update();
}

QString LagLegend::words() const {
    if (!map_ || map_->columns == 0)
        return {};
    if (map_->longest <= LagMap::kLeast)
        return tr("Lag after the first arrival: at most %1").arg(timeText(map_->longest));
    return tr("Colour: lag after the first arrival, from %1 to %2, logarithmic")
        .arg(timeText(LagMap::kLeast), timeText(map_->longest));
}

QSize LagLegend::sizeHint() const {
    const QFontMetrics metrics(font());
    const QString most = timeText(map_ ? map_->longest : TimeNs{0});
    return {metrics.horizontalAdvance(tr("lag  ≤ %1").arg(timeText(LagMap::kLeast)) + most) + kLegendBar +
                4 * kLegendSide,
            metrics.height() + 4};
}

void LagLegend::paintEvent(QPaintEvent*) {
    if (!map_ || map_->columns == 0)
        return;
    QPainter painter(this);
    const bool dark = isDark(palette());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    if (map_->longest <= LagMap::kLeast) // all cells have the first colour
        return painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignRight,
                                tr("lag  ≤ %1").arg(timeText(map_->longest)));
    const QString least = tr("lag  ≤ %1").arg(timeText(LagMap::kLeast));
    const QString most = timeText(map_->longest);
    const int right = width() - painter.fontMetrics().horizontalAdvance(most);
    const QRect bar(right - kLegendSide - kLegendBar, (height() - 10) / 2, kLegendBar, 10);
    for (int x = 0; x < bar.width(); ++x)
        painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(),
                         lagColour(static_cast<std::uint8_t>(1 + 254 * x / (bar.width() - 1)), dark));
    painter.drawText(QRect(right, 0, width() - right, height()), Qt::AlignVCenter | Qt::AlignRight, most);
    painter.drawText(QRect(0, 0, bar.left() - kLegendSide, height()), Qt::AlignVCenter | Qt::AlignRight, least);
}

} // namespace rankscope
