// SPDX-License-Identifier: GPL-3.0-or-later
// Allocator curves over time.
#include "widgets/charts/memory_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include "widgets/charts/plot_layout.h"
#include "widgets/charts/plot_theme.h"
#include "widgets/custom_plot.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr double kReach = 14; ///< pixels from a curve that still mean it

double seconds(TimeNs time) { return static_cast<double>(time) / 1e9; }

/// The last point at or before the time; the first when there is none.
const MemoryPoint& pointAt(const MemoryCurve& curve, TimeNs time) {
    const auto after = std::ranges::upper_bound(curve.points, time, {}, &MemoryPoint::time);
    return after == curve.points.begin() ? curve.points.front() : *std::prev(after);
}
} // namespace

MemoryLine thinnedLine(const MemoryCurve& curve, TimeNs origin, int stretches) {
    MemoryLine line;
    const TimeNs begin = curve.points.front().time;
    const auto length = static_cast<double>(std::max<TimeNs>(1, curve.points.back().time - begin));
    const bool reserves =
        std::ranges::any_of(curve.points, [](const MemoryPoint& p) { return p.reserved != kUnknown; });
    const auto add = [&](const MemoryPoint& point) {
        line.time.push_back(seconds(point.time - origin));
        line.allocated.push_back(static_cast<double>(point.allocated));
        if (reserves)
            line.reserved.push_back(static_cast<double>(std::max<std::int64_t>(0, point.reserved)));
    };
    const auto stretchOf = [&](std::size_t i) {
        return static_cast<int>(static_cast<double>(curve.points[i].time - begin) / length * stretches);
    };
    for (std::size_t first = 0; first < curve.points.size();) {
        std::size_t last = first;
        std::size_t most = first;
        std::size_t least = first;
        for (; last + 1 < curve.points.size() && stretchOf(last + 1) == stretchOf(first); ++last) {
            most = curve.points[last + 1].allocated > curve.points[most].allocated ? last + 1 : most;
            least = curve.points[last + 1].allocated < curve.points[least].allocated ? last + 1 : least;
        }
        std::array kept{first, most, least, last};
        std::ranges::sort(kept);
        for (std::size_t i = 0; i < kept.size(); ++i)
            if (i == 0 || kept[i] != kept[i - 1])
                add(curve.points[kept[i]]);
        first = last + 1;
    }
    return line;
}

MemoryPlot::MemoryPlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Memory over time"));
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->setMouseTracking(true);
    plot_->installEventFilter(this);
    putLegendAbove(*plot_);
    setMinimumHeight(160);
    themePlot(*plot_, palette());
}

void MemoryPlot::setCurves(std::shared_ptr<const std::vector<MemoryCurve>> curves,
                           std::shared_ptr<const std::vector<MemoryLine>> lines, TimeNs origin) {
    curves_ = std::move(curves);
    lines_ = std::move(lines);
    origin_ = origin;
    current_ = 0;
    time_ = curves_->empty() ? 0 : (*curves_)[0].points[(*curves_)[0].peak].time;
    rebuild();
}

void MemoryPlot::setCurrent(std::size_t curve, TimeNs time) {
    current_ = curve;
    time_ = time;
    rebuild();
}

std::int64_t MemoryPlot::allocatedAt(const MemoryCurve& curve, TimeNs time) const {
    return pointAt(curve, time).allocated;
}

/// Pale curves, the chosen one over them; a triangle at each peak.
void MemoryPlot::addLine(std::size_t curve, bool chosen) {
    const bool dark = isDark(palette());
    const MemoryLine& line = (*lines_)[curve];
    const MemoryCurve& of = (*curves_)[curve];
    const auto scaled = [](const std::vector<double>& values, double unit) {
        QVector<double> result;
        for (const double value : values)
            result << value / unit;
        return result;
    };
    const QVector<double> time = scaled(line.time, timeUnit_);
    QColor colour = hue(chosen ? Hue::compute : Hue::other, dark);
    if (!chosen)
        colour.setAlpha(150);
    const auto add = [&](const std::vector<double>& values, Qt::PenStyle style, const QString& name) {
        QCPGraph* graph = plot_->addGraph();
        graph->setData(time, scaled(values, bytesUnit_), true);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(QPen(colour, chosen ? 2 : 1, style));
        graph->setName(name);
        if (name.isEmpty())
            graph->removeFromLegend();
    };
    add(line.allocated, Qt::SolidLine, chosen ? tr("allocated") : QString());
    if (chosen && !line.reserved.empty())
        add(line.reserved, Qt::DashLine, tr("reserved"));
    QCPGraph* peak = plot_->addGraph();
    const MemoryPoint& highest = of.points[of.peak];
    peak->setData({seconds(highest.time - origin_) / timeUnit_}, {static_cast<double>(highest.allocated) / bytesUnit_});
    peak->setLineStyle(QCPGraph::lsNone);
    QCPScatterStyle style(QCPScatterStyle::ssTriangleInverted, chosen ? 10 : 6);
    style.setPen(QPen(chosen ? hue(Hue::marker, dark) : colour, 1.5));
    style.setBrush(chosen ? hue(Hue::marker, dark) : colour);
    peak->setScatterStyle(style);
    peak->setName(chosen ? tr("peak") : QString());
    if (!chosen)
        peak->removeFromLegend();
}

void MemoryPlot::rebuild() {
    plot_->clearItems();
    plot_->clearPlottables();
    drawn_.clear();
    if (!curves_ || curves_->empty())
        return plot_->replot(QCustomPlot::rpQueuedReplot);
    drawn_.resize(curves_->size());
    std::iota(drawn_.begin(), drawn_.end(), std::size_t{0});
    const auto peakOf = [&](std::size_t curve) { return (*curves_)[curve].points[(*curves_)[curve].peak].allocated; };
    std::ranges::stable_sort(drawn_, [&](std::size_t a, std::size_t b) {
        return std::pair(a != current_, -peakOf(a)) < std::pair(b != current_, -peakOf(b));
    });
    drawn_.resize(std::min(drawn_.size(), kMostLines));
    double highest = 1;
    double begin = std::numeric_limits<double>::max();
    double end = 0;
    for (const std::size_t curve : drawn_) {
        const MemoryLine& line = (*lines_)[curve];
        highest = std::max(highest, static_cast<double>(peakOf(curve)));
        if (curve == current_ && !line.reserved.empty())
            highest = std::max(highest, std::ranges::max(line.reserved));
        begin = std::min(begin, line.time.front());
        end = std::max(end, line.time.back());
    }
    const TimeUnit unit = timeUnitFor(std::llround(end * 1e9));
    timeUnit_ = unit == TimeUnit::seconds ? 1 : unit == TimeUnit::milliseconds ? 1e-3 : 1e-6;
    constexpr std::array<std::pair<double, const char*>, 4> kBytes{{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};
    const auto bytes = std::ranges::find_if(kBytes, [&](const auto& b) { return highest >= b.first; });
    bytesUnit_ = bytes == kBytes.end() ? 1 : bytes->first;
    plot_->xAxis->setLabel(tr("time since the run's first event (%1)").arg(timeUnitLabel(unit)));
    plot_->yAxis->setLabel(bytes == kBytes.end() ? u"B"_s : QString::fromLatin1(bytes->second));
    const double margin = 0.01 * std::max(end - begin, 1e-9); // a peak at an end is whole
    plot_->xAxis->setRange((begin - margin) / timeUnit_, (end + margin) / timeUnit_);
    plot_->yAxis->setRange(0, 1.12 * highest / bytesUnit_);
    for (std::size_t i = drawn_.size(); i-- > 0;) // the chosen one last, on top
        addLine(drawn_[i], i == 0);
    auto* moment = new QCPItemStraightLine(plot_);
    const double x = seconds(time_ - origin_) / timeUnit_;
    moment->point1->setCoords(x, 0);
    moment->point2->setCoords(x, 1);
    moment->setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
    plot_->legend->setVisible(true);
    setAccessibleDescription(
        tr("%1 allocated at %2")
            .arg(byteText(static_cast<quint64>(std::max<std::int64_t>(0, allocatedAt((*curves_)[current_], time_)))),
                 timeText(time_ - origin_)));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

TimeNs MemoryPlot::timeAt(double x) const {
    return origin_ + std::llround(plot_->xAxis->pixelToCoord(x) * timeUnit_ * 1e9);
}

QPointF MemoryPlot::pointOf(std::size_t curve, TimeNs time) const {
    const auto bytes = static_cast<double>(allocatedAt((*curves_)[curve], time));
    return plot_->mapTo(this, QPointF(plot_->xAxis->coordToPixel(seconds(time - origin_) / timeUnit_),
                                      plot_->yAxis->coordToPixel(bytes / bytesUnit_)));
}

/// The moment, and the curve that passes there; none within reach: the chosen one stays. A peak within reach is meant
/// exactly.
void MemoryPlot::clickedAt(const QPointF& position) {
    const TimeNs time = timeAt(position.x());
    std::size_t nearest = current_;
    double least = kReach;
    for (const std::size_t curve : drawn_) {
        const double away = std::abs(
            plot_->yAxis->coordToPixel(static_cast<double>(allocatedAt((*curves_)[curve], time)) / bytesUnit_) -
            position.y());
        if (away < least || (away == least && curve == current_)) {
            least = away;
            nearest = curve;
        }
    }
    const MemoryCurve& curve = (*curves_)[nearest];
    const TimeNs peak = curve.points[curve.peak].time;
    const double toPeak = std::abs(plot_->xAxis->coordToPixel(seconds(peak - origin_) / timeUnit_) - position.x());
    Q_EMIT placeChosen(
        nearest, toPeak < kReach / 2 ? peak : std::clamp(time, curve.points.front().time, curve.points.back().time));
}

bool MemoryPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_ || !curves_ || curves_->empty())
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseButtonPress) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        setFocus(Qt::MouseFocusReason);
        if (mouse->button() == Qt::LeftButton)
            clickedAt(mouse->position());
    } else if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const TimeNs time = timeAt(mouse->position().x());
        const MemoryPoint& point = pointAt((*curves_)[current_], time);
        QToolTip::showText(mouse->globalPosition().toPoint(),
                           tr("%1: %2 allocated")
                               .arg(timeText(time - origin_),
                                    byteText(static_cast<quint64>(std::max<std::int64_t>(0, point.allocated)))),
                           plot_);
    } else if (event->type() == QEvent::Wheel) {
        event->ignore();
        return true;
    }
    return false;
}

void MemoryPlot::keyPressEvent(QKeyEvent* event) {
    if (!curves_ || curves_->empty())
        return QWidget::keyPressEvent(event);
    const MemoryCurve& curve = (*curves_)[current_];
    const TimeNs begin = curve.points.front().time;
    const TimeNs end = curve.points.back().time;
    const TimeNs step = std::max<TimeNs>(1, (end - begin) / 100);
    switch (event->key()) {
    case Qt::Key_Left: Q_EMIT placeChosen(current_, std::max(begin, time_ - step)); return;
    case Qt::Key_Right: Q_EMIT placeChosen(current_, std::min(end, time_ + step)); return;
    case Qt::Key_Home: Q_EMIT placeChosen(current_, curve.points[curve.peak].time); return;
    default: QWidget::keyPressEvent(event);
    }
}

void MemoryPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        themePlot(*plot_, palette());
        rebuild();
    }
}

} // namespace rankscope
