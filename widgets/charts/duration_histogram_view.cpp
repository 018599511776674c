// SPDX-License-Identifier: GPL-3.0-or-later
// A histogram of durations with a mark where one of them stands.
#include "widgets/charts/duration_histogram_view.h"

#include <algorithm>

#include <QPainter>

#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/time_text.h"

namespace rankscope {
namespace {

constexpr int kSide = 6;
constexpr int kMark = 5; // half the width of the triangle

} // namespace

DurationHistogramView::DurationHistogramView(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Histogram of durations"));
}

void DurationHistogramView::setStatistics(std::optional<NameStatistics> statistics) {
    statistics_ = std::move(statistics);
    setAccessibleDescription(summary());
    setToolTip(summary());
    update();
}

QString DurationHistogramView::summary() const {
    if (!statistics_ || statistics_->in_run.count == 0)
        return {};
    const auto count = statistics_->in_run.count;
    if (count == 1)
        return tr("The only one of its name");
    const double share = 100.0 * static_cast<double>(statistics_->shorter) / static_cast<double>(count);
    return tr("Longer than %1 of %2").arg(percentText(share), groupedNumber(count));
}

QRectF DurationHistogramView::plotRect() const {
    const int line = fontMetrics().height();
    return QRectF(rect()).adjusted(kSide, line + kMark + 2, -kSide, -line - 3);
}

std::vector<QRectF> DurationHistogramView::bars() const {
    std::vector<QRectF> result;
    if (!statistics_ || statistics_->histogram.counts.empty())
        return result;
    const auto& counts = statistics_->histogram.counts;
    const QRectF plot = plotRect();
    const double width = plot.width() / static_cast<double>(counts.size());
    const auto most = static_cast<double>(std::ranges::max(counts));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        // A bar that counts anything is at least two pixels high: rare durations are what one looks for.
        const double height = counts[i] == 0 ? 0 : std::max(2.0, plot.height() * static_cast<double>(counts[i]) / most);
        result.emplace_back(plot.left() + static_cast<double>(i) * width, plot.bottom() - height,
                            std::max(1.0, width - 1), height);
    }
    return result;
}

std::optional<double> DurationHistogramView::markX() const {
    if (!statistics_ || statistics_->histogram.counts.empty())
        return {};
    const QRectF plot = plotRect();
    return plot.left() + plot.width() * statistics_->histogram.position(statistics_->duration);
}

void DurationHistogramView::paintEvent(QPaintEvent*) {
    const std::optional<double> mark = markX();
    if (!mark)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool dark = isDark(palette());
    const QRectF plot = plotRect();
    for (const QRectF& bar : bars())
        painter.fillRect(bar, hue(Hue::compute, dark));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    const QRectF below(kSide, plot.bottom() + 2, plot.width(), fontMetrics().height());
    const DurationHistogram& histogram = statistics_->histogram;
    const QString first = timeText(histogram.begin);
    const QString last = timeText(histogram.end);
    painter.drawText(below, Qt::AlignLeft, first);
    painter.drawText(below, Qt::AlignRight, last);
    const QString scale = tr("logarithmic");
    const int between = fontMetrics().horizontalAdvance(u' ');
    if (histogram.logarithmic && fontMetrics().horizontalAdvance(first + scale + last) + 4 * between < plot.width())
        painter.drawText(below, Qt::AlignHCenter, scale);
    painter.setPen(QPen(palette().color(QPalette::Text), 1.5));
    painter.drawLine(QPointF(*mark, plot.top() - 2), QPointF(*mark, plot.bottom()));
    painter.setBrush(palette().color(QPalette::Text));
    painter.drawPolygon(QPolygonF({QPointF(*mark - kMark, plot.top() - kMark - 2),
                                   QPointF(*mark + kMark, plot.top() - kMark - 2), QPointF(*mark, plot.top() - 1)}));
    painter.drawText(QRectF(kSide, 0, plot.width(), fontMetrics().height()), Qt::AlignLeft,
                     fontMetrics().elidedText(summary(), Qt::ElideRight, static_cast<int>(plot.width())));
}

} // namespace rankscope
