// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/screens/serving_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QMouseEvent>
#include <QToolTip>

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
constexpr double kPointSize = 6;
constexpr int kFaint = 90; // of 255: single steps behind the line of their kind

struct PhaseSign {
    EnginePhase phase;
    Hue hue;
    QCPScatterStyle::ScatterShape shape;
};
constexpr std::array kSigns{PhaseSign{EnginePhase::prefill, Hue::communication, QCPScatterStyle::ssTriangle},
                            PhaseSign{EnginePhase::decode, Hue::compute, QCPScatterStyle::ssDisc},
                            PhaseSign{EnginePhase::mixed, Hue::annotation, QCPScatterStyle::ssDiamond},
                            PhaseSign{EnginePhase::draft, Hue::memory, QCPScatterStyle::ssPlus},
                            PhaseSign{EnginePhase::verify, Hue::overlap, QCPScatterStyle::ssSquare},
                            PhaseSign{EnginePhase::diffusion, Hue::compute, QCPScatterStyle::ssStar},
                            PhaseSign{EnginePhase::unknown, Hue::other, QCPScatterStyle::ssCross}};

QString phaseText(EnginePhase phase) { return coreText(engine_phase_word(phase)); }

} // namespace

ServingPlot::ServingPlot(QWidget* parent)
    : QWidget(parent), words_(new QLabel), order_(new QComboBox), plot_(new QCustomPlot) {
    setAccessibleName(tr("Time of each step"));
    markAsPlot(*this, tr("Time of each step"));
    layOutTitledPlot(*this, tr("Time of each step"), *words_, *plot_);
    order_->addItems({tr("Over time"), tr("Over batch size")});
    order_->setAccessibleName(tr("What the steps are drawn over"));
    order_->setToolTip(tr("Batch size: requests that decode, or tokens of a step with prompts"));
    layout()->itemAt(0)->layout()->addWidget(order_);
    connect(order_, &QComboBox::currentIndexChanged, this, &ServingPlot::draw);
    plot_->setFocusPolicy(Qt::NoFocus); // its steps are reached by the table
    plot_->yAxis->setLabel(tr("time of a step (ms)"));
    plot_->xAxis2->setLabel(tr("tokens of a step (prefill, mixed)"));
    plot_->axisRect()->setMinimumMargins(QMargins(0, 4, 12, 0));
    plot_->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    plot_->legend->setRowSpacing(-4);
    plot_->legend->setMargins(QMargins(4, 2, 4, 2));
    plot_->installEventFilter(this);
    plot_->setMouseTracking(true);
    applyColours();
}

void ServingPlot::setPoints(std::vector<ServingPoint> points, std::vector<ServingMedian> medians) {
    points_ = std::move(points);
    medians_ = std::move(medians);
    std::ranges::sort(medians_, {}, [](const ServingMedian& m) { return std::pair(m.phase, m.size); });
    draw();
}

bool ServingPlot::isBySize() const { return order_->currentIndex() == 1; }

bool ServingPlot::isDrawn(const ServingPoint& point) const { return !isBySize() || point.size != kUnknown; }

QCPAxis* ServingPlot::xAxisOf(EnginePhase phase) const {
    return isBySize() && computes_prompts(phase) ? plot_->xAxis2 : plot_->xAxis;
}

double ServingPlot::xOf(const ServingPoint& point) const {
    return isBySize() ? static_cast<double>(point.size) : inUnit(point.start, unit_);
}

void ServingPlot::draw() {
    TimeNs latest = 0;
    for (const ServingPoint& point : points_)
        latest = std::max(latest, point.start);
    unit_ = timeUnitFor(latest);
    plot_->clearGraphs();
    graphs_.clear();
    plot_->legend->clearItems();
    std::ptrdiff_t drawn = 0;
    for (const PhaseSign& sign : kSigns) {
        QVector<double> places, times;
        for (const ServingPoint& point : points_)
            if (point.phase == sign.phase && isDrawn(point)) {
                places << xOf(point);
                times << point.time_ms;
            }
        if (places.isEmpty())
            continue;
        drawn += places.size();
        const auto add = [&](const QVector<double>& x, const QVector<double>& y, bool isLine) {
            QCPGraph* graph = plot_->addGraph(xAxisOf(sign.phase), plot_->yAxis);
            graph->setLineStyle(isLine ? QCPGraph::lsLine : QCPGraph::lsNone);
            graph->setName(phaseText(sign.phase));
            graph->setData(x, y);
            graphs_.push_back({sign.phase, graph, isLine});
            return graph;
        };
        QCPGraph* single = add(places, times, false);
        QVector<double> sizes, middles;
        for (const ServingMedian& median : medians_)
            if (median.phase == sign.phase && isBySize()) {
                sizes << static_cast<double>(median.size);
                middles << median.time_ms;
            }
        if (!sizes.isEmpty()) {
            add(sizes, middles, true);
            single->removeFromLegend(); // the line stands for both
        }
    }
    plot_->legend->setVisible(plot_->legend->itemCount() > 1); // a sign beside one point looks like a second one
    words_->setText(drawn == 0   ? isBySize() && !points_.empty() ? tr("no step tells its batch size")
                                                                  : tr("no step with GPU work")
                      : drawn == 1 ? tr("1 step")
                                 : tr("%1 steps", nullptr, plural(drawn)).arg(groupedNumber(drawn)));
    setAccessibleDescription(words_->text());
    setRanges();
    applyColours();
}

void ServingPlot::setRanges() {
    double longest = 0;
    std::map<QCPAxis*, QCPRange> ranges;
    for (const ServingPoint& point : points_) {
        if (!isDrawn(point))
            continue;
        longest = std::max(longest, point.time_ms);
        const double x = xOf(point);
        const auto [at, isNew] = ranges.try_emplace(xAxisOf(point.phase), x, x);
        if (!isNew)
            at->second.expand(x);
    }
    for (QCPAxis* axis : {plot_->xAxis, plot_->xAxis2}) {
        const auto at = ranges.find(axis);
        axis->setVisible(at != ranges.end());
        if (at == ranges.end())
            continue;
        // A millisecond or more of time, half a request or more. Nothing is below 0.
        const double least = isBySize() ? 0.5 : inUnit(1'000'000, unit_);
        const double margin = std::max(least, at->second.size() * 0.03);
        axis->setRange(isBySize() ? 0 : std::max(0.0, at->second.lower - margin), at->second.upper + margin);
    }
    plot_->xAxis->setLabel(isBySize() ? tr("requests of a step (decode, verify)")
                                      : tr("since the start of the run (%1)").arg(timeUnitLabel(unit_)));
    plot_->yAxis->setRange(0, longest > 0 ? 1.15 * longest : 1);
}

QPoint ServingPlot::positionOf(const ServingPoint& point) const {
    return plot_->mapTo(this, QPoint(static_cast<int>(std::lround(xAxisOf(point.phase)->coordToPixel(xOf(point)))),
                                     static_cast<int>(std::lround(plot_->yAxis->coordToPixel(point.time_ms)))));
}

std::optional<std::size_t> ServingPlot::pointAt(QPointF plotPosition) const {
    std::optional<std::size_t> nearest;
    double least = kReach;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (!isDrawn(points_[i]))
            continue;
        const double distance = std::hypot(xAxisOf(points_[i].phase)->coordToPixel(xOf(points_[i])) - plotPosition.x(),
                                           plot_->yAxis->coordToPixel(points_[i].time_ms) - plotPosition.y());
        if (distance <= least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

bool ServingPlot::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto point = pointAt(mouse->position());
        plot_->setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
        if (event->type() == QEvent::MouseButtonRelease && point)
            Q_EMIT stepMarked(*point);
        else if (point)
            QToolTip::showText(mouse->globalPosition().toPoint(), toolTipText(points_[*point].words), plot_);
        else
            QToolTip::hideText();
    }
    return QWidget::eventFilter(watched, event);
}

void ServingPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColours();
}

void ServingPlot::applyColours() {
    const bool dark = isDark(palette());
    const auto hasLine = [this](EnginePhase phase) {
        return std::ranges::any_of(graphs_, [&](const KindGraph& g) { return g.isLine && g.phase == phase; });
    };
    for (const auto& [phase, graph, isLine] : graphs_) {
        const auto sign = std::ranges::find(kSigns, phase, &PhaseSign::phase);
        QColor colour = hue(sign->hue, dark);
        if (isLine)
            graph->setPen(QPen(colour, 2));
        else if (hasLine(phase))
            colour.setAlpha(kFaint);
        graph->setScatterStyle(QCPScatterStyle(sign->shape, QPen(colour, 1.4), Qt::NoBrush, kPointSize));
    }
    themePlot(*plot_, palette());
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace rankscope
