// SPDX-License-Identifier: GPL-3.0-or-later
// Operators under the limits of the device.
#include "widgets/charts/roofline_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include "core/analysis/operators/operator_models.h"
#include "widgets/charts/plot_layout.h"
#include "widgets/charts/plot_theme.h"
#include "widgets/custom_plot.h"
#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kReach = 12; ///< pixels from a point that still mean it
constexpr double kDecade = 10;

std::string_view mainType(const StringTable& names, const RooflineRow& row, OperatorShapes& keep) {
    if (auto shapes =
            OperatorShapes::parse(names.view(row.row.dims), names.view(row.row.types), names.view(row.row.concrete))) {
        keep = std::move(*shapes);
        return main_type(names.view(row.row.name), keep);
    }
    return {};
}

} // namespace

RooflineLimits rooflineLimits(const StringTable& names, std::span<const RooflineRow> rows, std::string_view device,
                              std::span<const DevicePeak> ownPeaks) {
    RooflineLimits limits;
    std::map<double, QStringList> ceilings;
    for (const RooflineRow& row : rows) {
        OperatorShapes shapes;
        const std::string_view mainOf = mainType(names, row, shapes);
        const QString type = QString::fromUtf8(mainOf).section(u':', -1);
        const bool matrix = is_matrix_work(row.row.category);
        const auto add = [&](const DevicePeaks& peaks, const QString& what) {
            if (peaks.tb_s)
                limits.tb_s = peaks.tb_s;
            if (peaks.tflops && !ceilings[*peaks.tflops].contains(what))
                ceilings[*peaks.tflops] << what;
        };
        if (row.tf32_share > 0)
            add(device_peaks(device, mainOf, matrix, true, ownPeaks), RooflinePlot::tr("%1 matrix in TF32").arg(type));
        if (row.tf32_share < 1)
            add(device_peaks(device, mainOf, matrix, false, ownPeaks),
                matrix ? RooflinePlot::tr("%1 matrix").arg(type) : RooflinePlot::tr("vector"));
    }
    for (auto at = ceilings.rbegin(); at != ceilings.rend(); ++at)
        limits.ceilings.push_back(
            {at->first, RooflinePlot::tr("%1: %2 TFLOP/s").arg(at->second.join(u", "_s), shortNumber(at->first))});
    return limits;
}

RooflinePlot::RooflinePlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    setAccessibleName(tr("Roofline"));
    plot_->setAccessibleName(tr("Roofline"));
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
        axis->setNumberFormat(u"gb"_s);
        axis->setNumberPrecision(3);
    }
    plot_->xAxis->setLabel(tr("FLOPs per byte moved"));
    plot_->yAxis->setLabel(tr("TFLOP/s achieved"));
    plot_->installEventFilter(this);
    plot_->setMouseTracking(true);
    putLegendAbove(*plot_);
    setMinimumHeight(180);
    themePlot(*plot_, palette());
}

void RooflinePlot::setRows(std::shared_ptr<const StringTable> names,
                           std::shared_ptr<const std::vector<RooflineRow>> rows, RooflineLimits limits) {
    names_ = std::move(names);
    rows_ = std::move(rows);
    limits_ = std::move(limits);
    current_.reset();
    rebuild();
}

void RooflinePlot::addLimits(double left, double right) {
    const QColor colour = palette().color(QPalette::WindowText);
    const double highest = limits_.ceilings.empty() ? 0 : limits_.ceilings.front().tflops;
    const auto line = [&](const QVector<double>& x, const QVector<double>& y, Qt::PenStyle style) {
        QCPGraph* graph = plot_->addGraph();
        graph->setData(x, y);
        graph->setPen(QPen(colour, 1.3, style));
    };
    QColor behind = palette().color(QPalette::Window);
    behind.setAlpha(190);
    const auto label = [&](double x, double y, Qt::Alignment place, const QString& text) {
        auto* item = new QCPItemText(plot_);
        item->position->setCoords(x, y);
        item->setPositionAlignment(place);
        item->setText(text);
        item->setFont(font());
        item->setLayer(u"overlay"_s); // above the points
        item->setPadding({4, 1, 4, 1});
        item->setBrush(behind);
        item->setColor(colour);
    };
    for (std::size_t i = 0; i < limits_.ceilings.size(); ++i) {
        const RooflineCeiling& ceiling = limits_.ceilings[i];
        // It starts where the memory could feed it.
        const double from = limits_.tb_s ? std::max(left, ceiling.tflops / *limits_.tb_s) : left;
        line({from, right}, {ceiling.tflops, ceiling.tflops}, i == 0 ? Qt::SolidLine : Qt::DashLine);
        label(right, ceiling.tflops, Qt::AlignRight | Qt::AlignBottom, ceiling.label);
    }
    if (limits_.tb_s) {
        const double to = highest > 0 ? std::min(right, highest / *limits_.tb_s) : right;
        line({left, to}, {left * *limits_.tb_s, to * *limits_.tb_s}, Qt::SolidLine);
        label(left, left * *limits_.tb_s, Qt::AlignLeft | Qt::AlignTop,
              tr("memory: %1 TB/s").arg(shortNumber(*limits_.tb_s)));
    }
}

void RooflinePlot::rebuild() {
    plot_->clearItems();
    plot_->clearPlottables();
    ring_ = nullptr;
    if (!rows_ || rows_->empty())
        return plot_->replot(QCustomPlot::rpQueuedReplot);
    double left = 1;
    double right = 10;
    double low = std::numeric_limits<double>::max();
    double high = 0;
    for (const RooflineRow& row : *rows_) {
        left = std::min(left, row.flops_per_byte > 0 ? row.flops_per_byte : left);
        right = std::max(right, row.flops_per_byte);
        low = std::min(low, row.tflops_s > 0 ? row.tflops_s : low);
        high = std::max(high, row.tflops_s);
    }
    for (const RooflineCeiling& ceiling : limits_.ceilings) {
        high = std::max(high, ceiling.tflops);
        if (limits_.tb_s)
            right = std::max(right, 2 * ceiling.tflops / *limits_.tb_s);
    }
    left /= 2;
    right *= 2;
    low = std::min(low, high);
    plot_->xAxis->setRange(left, right);
    plot_->yAxis->setRange(low / 2, high * 3);
    addLimits(left, right);
    // Three kinds of points, told apart by shape as well.
    const bool dark = isDark(palette());
    struct Kind {
        QString name;
        QCPScatterStyle::ScatterShape shape;
        Hue hue;
    };
    const Kind kinds[] = {{tr("matrix work"), QCPScatterStyle::ssDisc, Hue::compute},
                          {tr("everything else"), QCPScatterStyle::ssDiamond, Hue::communication}};
    for (int kind = 0; kind < 2; ++kind) {
        QCPGraph* graph = plot_->addGraph();
        graph->setName(kinds[kind].name);
        graph->setLineStyle(QCPGraph::lsNone);
        QCPScatterStyle style(kinds[kind].shape, 8);
        style.setPen(QPen(hue(kinds[kind].hue, dark), 1.5));
        style.setBrush(hue(kinds[kind].hue, dark));
        graph->setScatterStyle(style);
        for (const RooflineRow& row : *rows_)
            if (is_matrix_work(row.row.category) == (kind == 0) && row.flops_per_byte > 0 && row.tflops_s > 0)
                graph->addData(row.flops_per_byte, row.tflops_s);
    }
    plot_->legend->setVisible(true);
    plot_->legend->clearItems();
    for (int i = plot_->graphCount() - 2; i < plot_->graphCount(); ++i)
        if (!plot_->graph(i)->data()->isEmpty())
            plot_->graph(i)->addToLegend();
    setCurrent(current_);
}

void RooflinePlot::setCurrent(std::optional<std::size_t> row) {
    current_ = row;
    if (ring_ != nullptr)
        plot_->removeItem(ring_);
    ring_ = nullptr;
    if (row && rows_ && *row < rows_->size()) {
        ring_ = new QCPItemTracer(plot_);
        ring_->setStyle(QCPItemTracer::tsCircle);
        ring_->setSize(16);
        ring_->setPen(QPen(hue(Hue::selection, isDark(palette())), 2));
        ring_->setBrush(Qt::NoBrush);
        ring_->position->setCoords((*rows_)[*row].flops_per_byte, (*rows_)[*row].tflops_s);
    }
    setAccessibleDescription(ring_ != nullptr ? describe(*row) : QString());
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QPointF RooflinePlot::pointOf(std::size_t row) const {
    const RooflineRow& r = (*rows_)[row];
    return plot_->mapTo(this,
                        QPointF(plot_->xAxis->coordToPixel(r.flops_per_byte), plot_->yAxis->coordToPixel(r.tflops_s)));
}

std::optional<std::size_t> RooflinePlot::rowAt(const QPoint& position) const {
    std::optional<std::size_t> nearest;
    double least = kReach;
    for (std::size_t row = 0; rows_ && row < rows_->size(); ++row) {
        const QPointF away = pointOf(row) - position;
        if (const double distance = std::hypot(away.x(), away.y()); distance < least) {
            least = distance;
            nearest = row;
        }
    }
    return nearest;
}

QString RooflinePlot::describe(std::size_t n) const {
    const RooflineRow& row = (*rows_)[n];
    QStringList parts{tr("%1 of %2 calls", nullptr, plural(static_cast<std::int64_t>(row.row.calls)))
                          .arg(timeText(row.row.direct), groupedNumber(row.row.calls)),
                      tr("%1 TFLOP/s").arg(shortNumber(row.tflops_s)), tr("%1 TB/s").arg(shortNumber(row.tb_s)),
                      tr("%1 FLOPs per byte").arg(shortNumber(row.flops_per_byte))};
    if (row.tf32_share > 0)
        parts << (row.tf32_share < 1 ? tr("%1 of the calls in TF32").arg(percentText(100 * row.tf32_share))
                                     : tr("in TF32"));
    if (row.roofline_us)
        parts << tr("%1 of what the device can do, bound by %2")
                     .arg(percentText(100 * *row.roofline_us * 1000 * static_cast<double>(row.row.calls) /
                                      static_cast<double>(row.row.direct)),
                          row.bound == Bound::compute ? tr("computation") : tr("memory"));
    return nameText(names_->view(row.row.name)) + u' ' + nameText(names_->view(row.row.dims)) + u": "_s +
           parts.join(u", "_s);
}

void RooflinePlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        themePlot(*plot_, palette());
        rebuild();
    }
}

bool RooflinePlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonPress ||
        event->type() == QEvent::MouseButtonDblClick) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto row = rowAt(plot_->mapTo(this, mouse->position().toPoint()));
        if (!row)
            QToolTip::hideText();
        else if (event->type() == QEvent::MouseMove)
            QToolTip::showText(mouse->globalPosition().toPoint(), toolTipText(describe(*row)), plot_);
        else if (event->type() == QEvent::MouseButtonPress)
            Q_EMIT rowClicked(*row);
        else
            Q_EMIT rowActivated(*row);
    }
    if (event->type() == QEvent::Wheel)
        event->ignore();
    return event->type() == QEvent::Wheel;
}

} // namespace rankscope
