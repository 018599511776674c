// SPDX-License-Identifier: GPL-3.0-or-later
// How long launches take to start on the GPU.
#include "widgets/charts/delay_histogram.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/time_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

LaunchDelays spreadOf(std::vector<TimeNs> delays) {
    LaunchDelays result;
    result.spread = distribution_of(delays);
    for (TimeNs& delay : delays) {
        result.backwards += delay < 0 ? 1 : 0;
        delay = std::max<TimeNs>(0, delay);
    }
    result.histogram = duration_histogram(delays);
    return result;
}

DelayHistogram::DelayHistogram(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Launch delays"));
}

void DelayHistogram::setDelays(LaunchDelays delays) {
    histogram_ = std::move(delays.histogram);
    spread_ = delays.spread;
    setAccessibleDescription(summary());
    update();
}

QString DelayHistogram::summary() const {
    if (spread_.count == 0)
        return tr("No launches");
    if (spread_.count == 1)
        return tr("1 launch: %1").arg(timeText(spread_.max));
    return tr("%1 launches: median %2, 95 % within %3, longest %4", nullptr,
              plural(static_cast<std::int64_t>(spread_.count)))
        .arg(groupedNumber(spread_.count), timeText(spread_.median), timeText(spread_.p95), timeText(spread_.max));
}

QRectF DelayHistogram::plotRect() const {
    const int line = fontMetrics().height();
    return QRectF(rect()).adjusted(fontMetrics().horizontalAdvance(u"0 000 000"_s) + 8, 2 * line + 10, -16,
                                   -2 * line - 10);
}

TimeNs DelayHistogram::delayAt(double share) const {
    const auto low = static_cast<double>(histogram_.begin);
    const auto high = static_cast<double>(histogram_.end);
    return std::llround(histogram_.logarithmic ? (low + 1) * std::pow((high + 1) / (low + 1), share) - 1
                                               : low + share * (high - low));
}

double DelayHistogram::xOf(TimeNs delay) const {
    const QRectF plot = plotRect();
    return plot.left() + plot.width() * histogram_.position(std::max<TimeNs>(0, delay));
}

std::vector<QRectF> DelayHistogram::bars() const {
    std::vector<QRectF> result;
    if (histogram_.counts.empty())
        return result;
    const QRectF plot = plotRect();
    const double width = plot.width() / static_cast<double>(histogram_.counts.size());
    const auto most = static_cast<double>(std::ranges::max(histogram_.counts));
    for (std::size_t i = 0; i < histogram_.counts.size(); ++i) {
        // Rare delays are what one looks for: a bar that counts anything shows.
        const double height = histogram_.counts[i] == 0
                                  ? 0
                                  : std::max(2.0, plot.height() * static_cast<double>(histogram_.counts[i]) / most);
        result.emplace_back(plot.left() + static_cast<double>(i) * width, plot.bottom() - height,
                            std::max(1.0, width - 1), height);
    }
    return result;
}

QString DelayHistogram::describe(std::size_t bar) const {
    const auto count = static_cast<double>(histogram_.counts.size());
    return tr("%1 to %2: %3 launches")
        .arg(timeText(delayAt(static_cast<double>(bar) / count)),
             timeText(delayAt(static_cast<double>(bar + 1) / count)), groupedNumber(histogram_.counts[bar]));
}

void DelayHistogram::paintAxes(QPainter& painter) const {
    const QRectF plot = plotRect();
    const int line = fontMetrics().height();
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const auto most = std::ranges::max(histogram_.counts);
    painter.drawText(QRectF(0, plot.top() - line / 2.0, plot.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter,
                     groupedNumber(most));
    painter.drawText(QRectF(0, plot.bottom() - line / 2.0, plot.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter,
                     u"0"_s);
    constexpr int kTicks = 4;
    for (int tick = 0; tick <= kTicks; ++tick) {
        const double share = static_cast<double>(tick) / kTicks;
        const double x = plot.left() + share * plot.width();
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 3));
        const int align = tick == 0 ? Qt::AlignLeft : tick == kTicks ? Qt::AlignRight : Qt::AlignHCenter;
        const double left = tick == 0 ? x : tick == kTicks ? x - 120 : x - 60;
        painter.drawText(QRectF(left, plot.bottom() + 5, 120, line), align, timeText(delayAt(share)));
    }
    const QString title = histogram_.logarithmic ? tr("From the start of the call to the start on the GPU, logarithmic")
                                                 : tr("From the start of the call to the start on the GPU");
    painter.drawText(QRectF(plot.left(), plot.bottom() + 5 + line, plot.width(), line), Qt::AlignHCenter, title);
}

void DelayHistogram::paintMark(QPainter& painter, TimeNs delay, const QString& label, int line) const {
    const QRectF plot = plotRect();
    const int height = fontMetrics().height();
    const double x = xOf(delay);
    const double top = line * height;
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1.2, line == 0 ? Qt::DashLine : Qt::SolidLine));
    painter.drawLine(QPointF(x, top + 2), QPointF(x, plot.bottom()));
    const int width = fontMetrics().horizontalAdvance(label);
    const bool toTheLeft = x + 6 + width > plot.right();
    painter.drawText(QRectF(toTheLeft ? x - 6 - width : x + 6, top, width + 1, height), Qt::AlignVCenter, label);
}

void DelayHistogram::paintEvent(QPaintEvent*) {
    if (histogram_.counts.empty())
        return;
    QPainter painter(this);
    const bool dark = isDark(palette());
    for (const QRectF& bar : bars())
        painter.fillRect(bar, hue(Hue::compute, dark));
    paintAxes(painter);
    paintMark(painter, spread_.median, tr("median %1").arg(timeText(spread_.median)), 1);
    paintMark(painter, spread_.p95, tr("95 % within %1").arg(timeText(spread_.p95)), 0);
}

void DelayHistogram::mouseMoveEvent(QMouseEvent* event) {
    const QRectF plot = plotRect();
    const auto count = static_cast<double>(histogram_.counts.size());
    const double bar = std::floor((event->position().x() - plot.left()) / plot.width() * count);
    if (count == 0 || bar < 0 || bar >= count)
        return QToolTip::hideText();
    QToolTip::showText(event->globalPosition().toPoint(), describe(static_cast<std::size_t>(bar)), this);
}

} // namespace rankscope
