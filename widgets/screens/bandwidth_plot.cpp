// SPDX-License-Identifier: GPL-3.0-or-later
// Bus bandwidth against message size by kind.
#include "widgets/screens/bandwidth_plot.h"

#include <algorithm>
#include <cmath>

#include <QLabel>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include "widgets/charts/plot_layout.h"
#include "widgets/charts/plot_theme.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/plot_export.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr double kReach = 8; // pixels from the pointer to a point
constexpr double kPointSize = 7;

QString kindText(CollectiveKind kind) {
    const std::string_view word = collective_kind_word(kind);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}
} // namespace

BandwidthPlot::BandwidthPlot(QWidget* parent) : QWidget(parent), words_(new QLabel), plot_(new QCustomPlot) {
    setAccessibleName(tr("Bus bandwidth against message size"));
    markAsPlot(*this, tr("Bus bandwidth against message size"));
    layOutTitledPlot(*this, tr("Bus bandwidth against message size"), *words_, *plot_);
    plot_->setFocusPolicy(Qt::NoFocus); // its calls are reached by the table
    plot_->xAxis->setScaleType(QCPAxis::stLogarithmic);
    plot_->yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot_->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LabelledLogTicker(tickBytes)));
    plot_->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(
        new LabelledLogTicker([](double value) { return decimal(QString::number(value, 'g', 3)); })));
    plot_->xAxis->setLabel(tr("message"));
    plot_->yAxis->setLabel(tr("bus GB/s"));
    plot_->axisRect()->setMinimumMargins(QMargins(0, 4, 12, 0));
    putLegendAbove(*plot_); // between the axes its samples look like calls
    plot_->installEventFilter(this);
    plot_->setMouseTracking(true);
    applyColours();
}

void BandwidthPlot::setChart(std::shared_ptr<const CollectiveCalls> calls, std::vector<BandwidthPoint> points,
                             NetworkLimits limits, std::vector<BandwidthCurve> curves) {
    curves_ = std::move(curves);
    calls_ = std::move(calls);
    points_ = std::move(points);
    limits_ = limits;
    rebuild();
}

void BandwidthPlot::addLimit(double value, const QString& label) {
    Limit limit{value, label, new QCPItemLine(plot_), new QCPItemText(plot_)};
    limit.line->start->setTypeX(QCPItemPosition::ptAxisRectRatio);
    limit.line->end->setTypeX(QCPItemPosition::ptAxisRectRatio);
    limit.line->start->setCoords(0, value);
    limit.line->end->setCoords(1, value);
    limit.text->setText(label);
    limit.text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    limit.text->position->setCoords(0.01, value);
    limit.text->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    lines_.push_back(limit);
}

/// A fit is named by its kind, whose points it goes through; nccl-tests have an entry of their own.
void BandwidthPlot::addCurves() {
    if (points_.empty())
        return;
    for (const BandwidthCurve& curve : curves_) {
        QCPGraph* graph = plot_->addGraph();
        for (const auto& [bytes, busbw] : curve.points)
            graph->addData(bytes, busbw);
        if (curve.of_nccl_tests)
            graph->setName(tr("%1, nccl-tests").arg(kindText(curve.kind)));
        else
            graph->removeFromLegend();
        curveGraphs_.push_back(graph);
    }
}

void BandwidthPlot::rebuild() {
    plot_->clearGraphs();
    plot_->clearItems();
    graphs_.clear();
    lines_.clear();
    curveGraphs_.clear();
    std::int64_t count = 0;
    for (const BandwidthPoint& point : points_) {
        if (graphs_.empty() || graphs_.back().first != point.kind) {
            QCPGraph* graph = plot_->addGraph();
            graph->setLineStyle(QCPGraph::lsNone);
            graph->setName(kindText(point.kind));
            graphs_.emplace_back(point.kind, graph);
        }
        graphs_.back().second->addData(point.bytes, point.busbw);
        count += point.count;
    }
    addCurves();
    mark_ = plot_->addGraph();
    mark_->setLineStyle(QCPGraph::lsNone);
    mark_->removeFromLegend();
    plot_->legend->setVisible(!graphs_.empty());
    if (!points_.empty() && limits_.scale_up)
        addLimit(*limits_.scale_up, tr("scale-up %1 GB/s (card)").arg(shortNumber(*limits_.scale_up)));
    if (!points_.empty() && limits_.scale_out)
        addLimit(*limits_.scale_out, tr("scale-out %1 GB/s (card)").arg(shortNumber(*limits_.scale_out)));
    const bool alone =
        std::ranges::any_of(points_, [&](const BandwidthPoint& point) { return calls_->timing(point.call).alone; });
    words_->setText(points_.empty() ? tr("no call of known size")
                    : alone
                        ? tr("%1; of one traced rank, so that its wait counts: lower bounds").arg(callCountText(count))
                        : callCountText(count));
    setAccessibleDescription(words_->text());
    fitAxes();
    applyColours();
    setCurrentCall(current_);
}

void BandwidthPlot::fitAxes() {
    if (points_.empty()) {
        plot_->xAxis->setRange(1e3, 1e9);
        plot_->yAxis->setRange(0.1, 1e3);
        return;
    }
    const auto [least, most] = std::ranges::minmax(points_, {}, &BandwidthPoint::bytes);
    const auto [slowest, fastest] = std::ranges::minmax(points_, {}, &BandwidthPoint::busbw);
    double top = fastest.busbw;
    double bottom = slowest.busbw;
    for (const Limit& limit : lines_) {
        top = std::max(top, limit.value);
        bottom = std::min(bottom, limit.value);
    }
    for (const BandwidthCurve& curve : curves_)
        for (const auto& [bytes, busbw] : curve.points)
            top = std::max(top, busbw);
    plot_->xAxis->setRange(least.bytes / 2.5, most.bytes * 2.5);
    plot_->yAxis->setRange(bottom / 2, top * 2.5);
}

void BandwidthPlot::setCurrentCall(std::optional<std::uint32_t> call) {
    current_ = call;
    if (mark_ == nullptr)
        return;
    mark_->setData({}, {});
    if (call && calls_ && *call < calls_->size()) {
        const CollectiveTiming& timing = calls_->timing(*call);
        if (timing.bytes > 0 && timing.busbw > 0)
            mark_->addData(static_cast<double>(timing.bytes), timing.busbw);
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

std::optional<QPointF> BandwidthPlot::markedPoint() const {
    if (mark_ == nullptr || mark_->dataCount() == 0)
        return {};
    return QPointF(mark_->dataMainKey(0), mark_->dataMainValue(0));
}

QPoint BandwidthPlot::pointPosition(const BandwidthPoint& point) const {
    return plot_->mapTo(this, QPoint(static_cast<int>(std::lround(plot_->xAxis->coordToPixel(point.bytes))),
                                     static_cast<int>(std::lround(plot_->yAxis->coordToPixel(point.busbw)))));
}

QStringList BandwidthPlot::limitLabels() const {
    QStringList labels;
    for (const Limit& limit : lines_)
        labels << limit.label;
    return labels;
}

QString BandwidthPlot::describe(const BandwidthPoint& point) const {
    const CollectiveTiming& timing = calls_->timing(point.call);
    QString text = tr("%1, %2: %3 GB/s in %4")
                       .arg(kindText(point.kind), byteText(static_cast<quint64>(timing.bytes)),
                            shortNumber(timing.busbw), durationText(timing.latency));
    if (point.count > 1)
        text += u'\n' + tr("%1 calls here; call %2 is the first", nullptr, plural(point.count))
                            .arg(groupedNumber(point.count))
                            .arg(point.call + 1);
    else
        text += u'\n' + tr("call %1").arg(point.call + 1);
    return text;
}

const BandwidthPoint* BandwidthPlot::pointAt(QPointF plotPosition) const {
    const BandwidthPoint* nearest = nullptr;
    double least = kReach;
    for (const BandwidthPoint& point : points_) {
        const double distance = std::hypot(plot_->xAxis->coordToPixel(point.bytes) - plotPosition.x(),
                                           plot_->yAxis->coordToPixel(point.busbw) - plotPosition.y());
        if (distance <= least) {
            least = distance;
            nearest = &point;
        }
    }
    return nearest;
}

bool BandwidthPlot::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const BandwidthPoint* point = pointAt(mouse->position());
        plot_->setCursor(point != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
        if (event->type() == QEvent::MouseButtonRelease && point != nullptr)
            Q_EMIT callMarked(point->call);
        else if (point != nullptr)
            QToolTip::showText(mouse->globalPosition().toPoint(), toolTipText(describe(*point)), plot_);
        else
            QToolTip::hideText();
    }
    return QWidget::eventFilter(watched, event);
}

void BandwidthPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColours();
}

void BandwidthPlot::applyColours() {
    const bool dark = isDark(palette());
    for (const auto& [kind, graph] : graphs_) {
        const KindSign sign = signOf(kind, dark);
        graph->setScatterStyle(QCPScatterStyle(sign.shape, QPen(sign.colour, 1.6), Qt::NoBrush, kPointSize));
    }
    for (std::size_t i = 0; i < curveGraphs_.size(); ++i)
        curveGraphs_[i]->setPen(
            QPen(signOf(curves_[i].kind, dark).colour, 1.4, curves_[i].of_nccl_tests ? Qt::DotLine : Qt::SolidLine));
    if (mark_ != nullptr)
        mark_->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(hue(Hue::selection, dark), 2),
                                               Qt::NoBrush, 2 * kPointSize));
    for (const Limit& limit : lines_) {
        limit.line->setPen(QPen(palette().color(QPalette::PlaceholderText), 1.2, Qt::DashLine));
        limit.text->setColor(palette().color(QPalette::PlaceholderText));
        limit.text->setFont(font());
    }
    themePlot(*plot_, palette());
}

} // namespace rankscope
