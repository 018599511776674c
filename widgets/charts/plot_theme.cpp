// SPDX-License-Identifier: GPL-3.0-or-later
// How plots look.
#include "widgets/charts/plot_theme.h"

#include <algorithm>
#include <cmath>

#include "widgets/language.h"
#include "widgets/palette.h"

namespace rankscope {

namespace {

QString inThousands(double value, std::initializer_list<const char*> units) {
    auto unit = units.begin();
    for (; value >= 999.5 && unit + 1 != units.end(); ++unit)
        value /= 1000;
    return decimal(QString::number(value, 'g', 3)) + QLatin1Char(' ') + QString::fromUtf8(*unit);
}

} // namespace

QVector<double> LabelledLogTicker::createTickVector(double, const QCPRange& range) {
    constexpr int kMany = 6;
    const double decades = std::log10(range.upper / range.lower);
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
    QVector<double> ticks;
    const int step = std::max(1, static_cast<int>(decades / kMany) + (decades > kMany ? 1 : 0));
    for (int decade = first; decade <= last; decade += step) {
        ticks << std::pow(10, decade);
        if (decades * 3 <= kMany)
            ticks << 2 * std::pow(10, decade) << 5 * std::pow(10, decade);
    }
    return ticks;
}

QString tickTime(double ns) { return inThousands(ns / 1000, {"µs", "ms", "s"}); }
QString tickBytes(double bytes) { return inThousands(bytes, {"B", "kB", "MB", "GB", "TB"}); }

void themePlot(QCustomPlot& plot, const QPalette& palette) {
    const QColor text = palette.color(QPalette::WindowText);
    QColor grid = text;
    grid.setAlpha(28);
    plot.setLocale(numberLocale());
    plot.setBackground(palette.color(QPalette::Window));
    plot.setFont(plot.parentWidget() != nullptr ? plot.parentWidget()->font() : plot.font());
    for (QCPAxisRect* rect : plot.axisRects())
        for (QCPAxis* axis : rect->axes()) {
            axis->setTickLabelColor(text);
            axis->setLabelColor(palette.color(QPalette::PlaceholderText));
            axis->setTickLabelFont(plot.font());
            axis->setLabelFont(plot.font());
            axis->setLabelPadding(2);
            axis->grid()->setPen(QPen(grid, 0));
            axis->grid()->setZeroLinePen(Qt::NoPen);
            axis->grid()->setSubGridVisible(false);
            axis->setBasePen(QPen(grid, 0));
            axis->setTickPen(QPen(grid, 0));
            axis->setSubTickPen(Qt::NoPen);
        }
    if (plot.legend != nullptr) {
        plot.legend->setFont(plot.font());
        plot.legend->setTextColor(text);
        plot.legend->setBorderPen(Qt::NoPen);
        QColor brush = palette.color(QPalette::Window);
        brush.setAlpha(200);
        plot.legend->setBrush(brush);
    }
    plot.replot(QCustomPlot::rpQueuedReplot);
}

KindSign signOf(CollectiveKind kind, bool dark) {
    switch (kind) {
    case CollectiveKind::all_reduce:
        return {hue(Hue::compute, dark).lighter(dark ? 130 : 100), QCPScatterStyle::ssDisc};
    case CollectiveKind::all_gather: return {hue(Hue::communication, dark), QCPScatterStyle::ssSquare};
    case CollectiveKind::reduce_scatter: return {hue(Hue::memory, dark), QCPScatterStyle::ssDiamond};
    case CollectiveKind::all_to_all: return {hue(Hue::annotation, dark), QCPScatterStyle::ssTriangle};
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
    case CollectiveKind::gather:
    case CollectiveKind::scatter: return {hue(Hue::marker, dark), QCPScatterStyle::ssTriangleInverted};
    case CollectiveKind::send_recv:
    case CollectiveKind::send:
    case CollectiveKind::recv: return {hue(Hue::overlap, dark), QCPScatterStyle::ssPlus};
    case CollectiveKind::barrier:
    case CollectiveKind::other: return {hue(Hue::other, dark), QCPScatterStyle::ssCross};
    }
    return {};
}

} // namespace rankscope
