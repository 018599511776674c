// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/screens/serving_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QLabel>
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

ServingPlot::ServingPlot(QWidget* parent) : QWidget(parent), words_(new QLabel), plot_(new QCustomPlot) {
    setAccessibleName(tr("Time of each step"));
    markAsPlot(*this, tr("Time of each step"));
    layOutTitledPlot(*this, tr("Time of each step"), *words_, *plot_);
    plot_->setFocusPolicy(Qt::NoFocus); // its steps are reached by the table
    plot_->yAxis->setLabel(tr("time of a step (ms)"));
    plot_->axisRect()->setMinimumMargins(QMargins(0, 4, 12, 0));
    plot_->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    plot_->legend->setRowSpacing(-4);
    plot_->legend->setMargins(QMargins(4, 2, 4, 2));
    plot_->installEventFilter(this);
    plot_->setMouseTracking(true);
    applyColours();
}

void ServingPlot::setPoints(std::vector<ServingPoint> points) {
    points_ = std::move(points);
    TimeNs latest = 0;
    for (const ServingPoint& point : points_)
        latest = std::max(latest, point.start);
    unit_ = timeUnitFor(latest);
    plot_->clearGraphs();
    graphs_.clear();
    for (const PhaseSign& sign : kSigns) {
        QVector<double> starts, times;
        for (const ServingPoint& point : points_)
            if (point.phase == sign.phase) {
                starts << inUnit(point.start, unit_);
                times << point.time_ms;
            }
        if (starts.isEmpty())
            continue;
        QCPGraph* graph = plot_->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setName(phaseText(sign.phase));
        graph->setData(starts, times);
        graphs_.emplace_back(sign.phase, graph);
    }
    plot_->legend->setVisible(graphs_.size() > 1); // a sign beside one point looks like a second one
    words_->setText(points_.empty() ? tr("no step with GPU work")
                    : points_.size() == 1
                        ? tr("1 step")
                        : tr("%1 steps", nullptr, plural(std::ssize(points_))).arg(groupedNumber(std::ssize(points_))));
    setAccessibleDescription(words_->text());
    if (!points_.empty()) {
        const auto [first, last] = std::ranges::minmax(points_, {}, &ServingPoint::start);
        const double longest = std::ranges::max(points_, {}, &ServingPoint::time_ms).time_ms;
        const auto margin = std::max<TimeNs>(1'000'000, (last.start - first.start) * 3 / 100);
        // Nothing is before the start of the run.
        plot_->xAxis->setRange(inUnit(std::max<TimeNs>(0, first.start - margin), unit_),
                               inUnit(last.start + margin, unit_));
        plot_->xAxis->setLabel(tr("since the start of the run (%1)").arg(timeUnitLabel(unit_)));
        plot_->yAxis->setRange(0, longest > 0 ? 1.15 * longest : 1);
    }
    applyColours();
}

QPoint ServingPlot::positionOf(const ServingPoint& point) const {
    return plot_->mapTo(this,
                        QPoint(static_cast<int>(std::lround(plot_->xAxis->coordToPixel(inUnit(point.start, unit_)))),
                               static_cast<int>(std::lround(plot_->yAxis->coordToPixel(point.time_ms)))));
}

std::optional<std::size_t> ServingPlot::pointAt(QPointF plotPosition) const {
    std::optional<std::size_t> nearest;
    double least = kReach;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const double distance =
            std::hypot(plot_->xAxis->coordToPixel(inUnit(points_[i].start, unit_)) - plotPosition.x(),
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
    for (const auto& [phase, graph] : graphs_) {
        const auto sign = std::ranges::find(kSigns, phase, &PhaseSign::phase);
        graph->setScatterStyle(QCPScatterStyle(sign->shape, QPen(hue(sign->hue, dark), 1.4), Qt::NoBrush, kPointSize));
    }
    themePlot(*plot_, palette());
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace rankscope
