// SPDX-License-Identifier: GPL-3.0-or-later
// Durations of one kernel in two runs over each other.
#include "widgets/compare/overlaid_histograms.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QPainter>

#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"

namespace rankscope {
namespace {

std::size_t calls(const std::vector<std::size_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// Shares of all calls, so that runs of different length compare.
double highestShare(const std::vector<std::size_t>& counts) {
    const std::size_t all = calls(counts);
    return all == 0 ? 0
                    : static_cast<double>(*std::max_element(counts.begin(), counts.end())) / static_cast<double>(all);
}

} // namespace

OverlaidHistograms::OverlaidHistograms(QWidget* parent) : QWidget(parent) {
    setMessage(tr("Select a kernel to see how its durations are spread in both runs."));
}

void OverlaidHistograms::setHistograms(const QString& kernel, DurationHistograms histograms) {
    kernel_ = kernel;
    message_.clear();
    histograms_ = std::move(histograms);
    if (histograms_.edges_us.empty())
        setMessage(tr("Neither run has calls of this kernel."));
    setAccessibleName(summary());
    update();
}

void OverlaidHistograms::setMessage(const QString& message) {
    message_ = message;
    histograms_ = {};
    setAccessibleName(message);
    update();
}

QString OverlaidHistograms::summary() const {
    if (!message_.isEmpty())
        return message_;
    const auto side = [](const std::vector<std::size_t>& counts, double median) {
        return calls(counts) == 0
                   ? tr("no calls")
                   : tr("%1, median %2")
                         .arg(callCountText(static_cast<std::int64_t>(calls(counts))), timeTextOfUs(median));
    };
    return tr("%1. Baseline: %2. Test: %3.")
        .arg(kernel_, side(histograms_.baseline, histograms_.baseline_median_us),
             side(histograms_.test, histograms_.test_median_us));
}

QRectF OverlaidHistograms::plotRect() const {
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(12, 3 * line + 12, -12, -line - 8);
}

double OverlaidHistograms::xOf(double us) const {
    const double first = std::log(histograms_.edges_us.front());
    const double last = std::log(histograms_.edges_us.back());
    const double share = last > first ? (std::log(us) - first) / (last - first) : 0.5;
    return plotRect().left() + share * plotRect().width();
}

void OverlaidHistograms::drawBars(QPainter& painter, const std::vector<std::size_t>& counts, const QBrush& brush,
                                  const QPen& pen) const {
    const double highest = std::max(highestShare(histograms_.baseline), highestShare(histograms_.test));
    const auto all = static_cast<double>(calls(counts));
    if (all == 0 || highest <= 0)
        return;
    painter.setBrush(brush);
    painter.setPen(pen);
    const QRectF plot = plotRect();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0)
            continue;
        const double left = xOf(histograms_.edges_us[i]);
        const double height = std::max(1.0, plot.height() * static_cast<double>(counts[i]) / all / highest);
        painter.drawRect(
            QRectF(left, plot.bottom() - height, std::max(1.0, xOf(histograms_.edges_us[i + 1]) - left - 1), height));
    }
}

void OverlaidHistograms::drawMedian(QPainter& painter, double us, const QColor& colour, const QString& label,
                                    int line) const {
    const double x = xOf(us);
    painter.setPen(QPen(colour, 2, line == 0 ? Qt::DashLine : Qt::SolidLine));
    painter.drawLine(QPointF(x, plotRect().top()), QPointF(x, plotRect().bottom()));
    const double height = fontMetrics().height();
    const double width = fontMetrics().horizontalAdvance(label) + 4;
    const double left =
        std::clamp(x - width / 2, plotRect().left(), std::max(plotRect().left(), plotRect().right() - width));
    if (line == 0) // its grey is too light for letters
        painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRectF(left, 8 + (line + 1) * height, width, height), Qt::AlignCenter, label);
}

void OverlaidHistograms::drawAxis(QPainter& painter) const {
    const QRectF plot = plotRect();
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.setPen(palette().color(QPalette::WindowText));
    const QRectF line(plot.left(), plot.bottom() + 3, plot.width(), fontMetrics().height());
    painter.drawText(line, Qt::AlignLeft, timeTextOfUs(histograms_.edges_us.front()));
    painter.drawText(line, Qt::AlignRight, timeTextOfUs(histograms_.edges_us.back()));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(line, Qt::AlignHCenter, tr("duration (logarithmic) \u00b7 height: share of the run's calls"));
}

void OverlaidHistograms::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!message_.isEmpty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap, message_);
        return;
    }
    const bool dark = isDark(palette());
    const QColor before = hue(Hue::other, dark);
    QColor after = hue(Hue::compute, dark);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRectF(12, 4, width() - 24, fontMetrics().height()), Qt::AlignLeft,
                     fontMetrics().elidedText(kernel_, Qt::ElideMiddle, width() - 24));
    QColor fill = after;
    fill.setAlpha(150);
    drawBars(painter, histograms_.test, fill, Qt::NoPen);
    drawBars(painter, histograms_.baseline, QBrush(before, Qt::BDiagPattern), QPen(before, 1));
    painter.setBrush(Qt::NoBrush);
    if (std::isfinite(histograms_.baseline_median_us)) // it has calls there
        drawMedian(painter, histograms_.baseline_median_us, before,
                   tr("baseline (hatched): median %1").arg(timeTextOfUs(histograms_.baseline_median_us)), 0);
    if (std::isfinite(histograms_.test_median_us)) // it has calls there
        drawMedian(painter, histograms_.test_median_us, after,
                   tr("test (filled): median %1").arg(timeTextOfUs(histograms_.test_median_us)), 1);
    drawAxis(painter);
}

} // namespace rankscope
