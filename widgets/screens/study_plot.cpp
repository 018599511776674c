// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/screens/study_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

constexpr double kPointReach = 9; // pixels from the pointer to a point
constexpr int kMultiplesAcross = 3;
constexpr int kTitleMargin = 3; // pixels beside the title of a small plot
constexpr int kTitleGap = 6;    // pixels below it, for half a label of the axis
constexpr int kAxisRoom = 70;   // pixels beside the labels of a plot
constexpr qsizetype kLabelLength = 18;
constexpr double kSlant = -25;       // degrees of labels that do not fit side by side
constexpr double kSlantedRoom = 2.4; // line heights that such a label needs: 1 / sin(kSlant)

/// Labels in digits, never "1.2225·10⁶": "1 222 500". As many decimals as neighbours need to differ.
class ValueTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        step_ = QCPAxisTicker::getTickStep(range);
        return step_;
    }
    QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) override {
        const int decimals = std::clamp(-static_cast<int>(std::floor(std::log10(step_) + 1e-9)), 0, 9);
        const double step = std::pow(10.0, -decimals);
        const bool half = std::abs(std::remainder(step_, step)) > 0.01 * step; // a step of 2.5 or 0.25
        return decimals == 0 && !half ? groupedNumber(std::llround(tick))
                                      : decimal(QString::number(tick, 'f', decimals + (half ? 1 : 0)));
    }

private:
    double step_ = 1;
};

/// So that the points and their spread fill the rect; efficiencies show their ideal.
void setRanges(QCPAxis& x, QCPAxis& y, const StudySeries& series) {
    double least = series.ideal ? 1 : std::numeric_limits<double>::infinity();
    double most = series.ideal ? 1 : -std::numeric_limits<double>::infinity();
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (const StudyPoint& point : series.points) {
        const double spread = std::isfinite(point.spread) ? point.spread : 0;
        least = std::min(least, point.value - spread);
        most = std::max(most, point.value + spread);
        first = std::min(first, point.x);
        last = std::max(last, point.x);
    }
    if (!(least <= most) || !(first <= last))
        return;
    if (!series.labels.isEmpty()) { // runs without a value have their place
        first = 0;
        last = static_cast<double>(series.labels.size() - 1);
    }
    const double room = most > least ? 0.12 * (most - least) : most != 0 ? 0.1 * std::abs(most) : 1;
    const double beside = last > first ? 0.04 * (last - first) : 1;
    y.setRange(least >= 0 ? std::max(0.0, least - room) : least - room,
               most + room); // none is below 0: nor is the axis
    x.setRange(first - beside, last + beside);
}

/// Points with their spread, and a dashed line before the first run of each new level.
void drawSeries(QCPAxisRect& rect, const StudySeries& series, bool dark, double size) {
    QCustomPlot& plot = *rect.parentPlot();
    QCPAxis* const x = rect.axis(QCPAxis::atBottom);
    QCPAxis* const y = rect.axis(QCPAxis::atLeft);
    const QColor colour = hue(Hue::compute, dark);
    auto* graph = plot.addGraph(x, y);
    graph->setPen(QPen(QColor(colour.red(), colour.green(), colour.blue(), dark ? 220 : 110), 1));
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(colour, 1), QBrush(colour), size));
    auto* bars = new QCPErrorBars(x, y);
    bars->setDataPlottable(graph);
    bars->setPen(QPen(hue(Hue::other, dark), 1));
    bars->setWhiskerWidth(size);
    QVector<double> xs, ys, spreads;
    for (const StudyPoint& point : series.points) {
        xs << point.x;
        ys << point.value;
        spreads << (std::isfinite(point.spread) ? point.spread : 0);
    }
    graph->setData(xs, ys, true);
    bars->setData(spreads);
    const auto line = [&](QPointF from, QPointF to, const QPen& pen) {
        auto* item = new QCPItemLine(&plot);
        for (QCPItemPosition* position : {item->start, item->end}) {
            position->setAxes(x, y);
            position->setAxisRect(&rect);
        }
        item->setClipAxisRect(&rect);
        item->start->setCoords(from);
        item->end->setCoords(to);
        item->setPen(pen);
    };
    setRanges(*x, *y, series);
    for (std::size_t i = 1; i < series.points.size(); ++i)
        if (series.points[i].changed) {
            const double between = (series.points[i - 1].x + series.points[i].x) / 2;
            line({between, y->range().lower}, {between, y->range().upper},
                 QPen(hue(Hue::marker, dark), 1.5, Qt::DashLine));
        }
    if (series.ideal)
        line({x->range().lower, 1}, {x->range().upper, 1}, QPen(hue(Hue::good, dark), 1, Qt::DotLine));
}

void clearPlot(QCustomPlot& plot) {
    plot.clearItems();
    plot.clearPlottables();
}

} // namespace

StudyPlot::StudyPlot(QWidget* parent) : QWidget(parent), words_(new QLabel), plot_(new QCustomPlot) {
    setAccessibleName(tr("A metric over the runs"));
    plot_->yAxis->setTicker(QSharedPointer<ValueTicker>::create());
    markAsPlot(*this, tr("A metric over the runs"));
    title_ = layOutTitledPlot(*this, tr("A metric over the runs"), *words_, *plot_);
    plot_->setFocusPolicy(Qt::NoFocus); // its runs are reached by the table
    plot_->axisRect()->setMinimumMargins(QMargins(0, 4, 12, 0));
    plot_->installEventFilter(this);
    plot_->setMouseTracking(true);
    draw();
}

void StudyPlot::setSeries(StudySeries series) {
    series_ = std::move(series);
    title_->setText(series_.title);
    words_->setText(series_.points.empty() ? tr("no run has it") : runCountText(std::ssize(series_.points)));
    setAccessibleDescription(series_.title + u": "_s + words_->text());
    draw();
}

void StudyPlot::setChosen(std::optional<std::size_t> run) {
    chosen_ = run;
    draw();
}

void StudyPlot::draw() {
    clearPlot(*plot_);
    const bool dark = isDark(palette());
    plot_->xAxis->setLabel(series_.across);
    plot_->yAxis->setLabel(series_.unit);
    int half = 0; // of the widest label: one that reaches beyond the edge is not drawn
    if (series_.labels.isEmpty()) {
        plot_->xAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
        plot_->xAxis->setTickLabelRotation(0);
    } else {
        const QFontMetrics metrics = plot_->fontMetrics();
        QStringList labels = series_.labels;
        for (QString& label : labels) {
            if (label.size() > kLabelLength)
                label = label.left(kLabelLength) + u"…"_s;
            half = std::max(half, metrics.horizontalAdvance(label) / 2 + 4);
        }
        const int room = plot_->width() - kAxisRoom;
        const bool fit = labels.size() * 2 * half <= room;
        const auto most = std::max<qsizetype>(2, static_cast<qsizetype>(room / (kSlantedRoom * metrics.height())));
        const qsizetype every = fit ? 1 : (labels.size() + most - 1) / most;
        auto ticker = QSharedPointer<QCPAxisTickerText>::create();
        for (qsizetype i = 0; i < labels.size(); i += every)
            ticker->addTick(static_cast<double>(i), labels[i]);
        plot_->xAxis->setTicker(ticker);
        plot_->xAxis->setTickLabelRotation(fit ? 0 : kSlant);
    }
    const int left = plot_->xAxis->tickLabelRotation() == 0 ? half : 2 * half; // a slanted label ends at its tick
    plot_->axisRect()->setMinimumMargins(QMargins(std::min(left, plot_->width() / 3), 4, std::max(12, half), 0));
    drawSeries(*plot_->axisRect(), series_, dark, 7);
    const auto chosen = std::ranges::find_if(series_.points, [&](const StudyPoint& p) { return chosen_ == p.run; });
    if (chosen != series_.points.end()) {
        auto* ring = plot_->addGraph();
        ring->setLineStyle(QCPGraph::lsNone);
        ring->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(hue(Hue::selection, dark), 2), Qt::NoBrush, 13));
        ring->setData({chosen->x}, {chosen->value});
    }
    themePlot(*plot_, palette());
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QPoint StudyPlot::positionOf(const StudyPoint& point) const {
    return plot_->mapTo(this, QPoint(static_cast<int>(std::lround(plot_->xAxis->coordToPixel(point.x))),
                                     static_cast<int>(std::lround(plot_->yAxis->coordToPixel(point.value)))));
}

std::optional<std::size_t> StudyPlot::pointAt(QPointF position) const {
    std::optional<std::size_t> nearest;
    double least = kPointReach;
    for (std::size_t i = 0; i < series_.points.size(); ++i) {
        const double distance = std::hypot(plot_->xAxis->coordToPixel(series_.points[i].x) - position.x(),
                                           plot_->yAxis->coordToPixel(series_.points[i].value) - position.y());
        if (distance <= least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

bool StudyPlot::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto point = pointAt(mouse->position());
        plot_->setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
        if (event->type() == QEvent::MouseButtonRelease && point)
            Q_EMIT runChosen(series_.points[*point].run);
        else if (point)
            QToolTip::showText(mouse->globalPosition().toPoint(), toolTipText(series_.points[*point].words), plot_);
        else
            QToolTip::hideText();
    }
    return QWidget::eventFilter(watched, event);
}

void StudyPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    draw(); // how many labels fit
}

void StudyPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

StudyMultiples::StudyMultiples(QWidget* parent) : QWidget(parent), words_(new QLabel), plot_(new QCustomPlot) {
    setAccessibleName(tr("All metrics over the runs"));
    markAsPlot(*this, tr("All metrics over the runs"));
    layOutTitledPlot(*this, tr("All metrics over the runs"), *words_, *plot_);
    words_->setText(tr("each on its own scale"));
    plot_->setFocusPolicy(Qt::NoFocus); // metrics are reached by the list above
    plot_->installEventFilter(this);
    plot_->setMouseTracking(true);
    plot_->plotLayout()->clear();
}

void StudyMultiples::setSeries(std::vector<StudySeries> series) {
    series_ = std::move(series);
    setAccessibleDescription(
        tr("%1 metrics", nullptr, plural(std::ssize(series_))).arg(groupedNumber(std::ssize(series_))));
    draw();
}

void StudyMultiples::draw() {
    clearPlot(*plot_);
    plot_->plotLayout()->clear();
    places_.clear();
    const bool dark = isDark(palette());
    for (std::size_t i = 0; i < series_.size(); ++i) {
        auto* place = new QCPAxisRect(plot_);
        place->setMinimumMargins(QMargins(2, 16 + kTitleGap, 4, 2));
        place->setAutoMargins(QCP::msLeft | QCP::msTop | QCP::msBottom);
        const auto number = static_cast<int>(i);
        plot_->plotLayout()->addElement(number / kMultiplesAcross, number % kMultiplesAcross, place);
        QCPAxis* const x = place->axis(QCPAxis::atBottom);
        x->setTickLabels(false);
        x->setTicks(false);
        place->axis(QCPAxis::atLeft)->setTicker(QSharedPointer<ValueTicker>::create());
        place->axis(QCPAxis::atLeft)->ticker()->setTickCount(3);
        drawSeries(*place, series_[i], dark, 4);
        places_.push_back(place);
    }
    plot_->plotLayout()->setRowSpacing(2);
    plot_->plotLayout()->setColumnSpacing(2);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    themePlot(*plot_, palette());
    for (const QCPAxisRect* place : places_)
        place->axis(QCPAxis::atLeft)->setTickLabelFont(small);
    plot_->replot(QCustomPlot::rpQueuedRefresh); // titles are as wide as the places that this lays out
    for (std::size_t i = 0; i < series_.size(); ++i) {
        auto* name = new QCPItemText(plot_);
        const QRect place = places_[i]->outerRect();
        name->position->setType(QCPItemPosition::ptAbsolute);
        name->position->setCoords(place.left() + kTitleMargin, places_[i]->top() - kTitleGap);
        name->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
        name->setClipToAxisRect(false);
        name->setColor(palette().color(QPalette::WindowText));
        name->setFont(small);
        const QString title =
            series_[i].unit.isEmpty() ? series_[i].title : u"%1 (%2)"_s.arg(series_[i].title, series_[i].unit);
        name->setText(QFontMetrics(small).elidedText(title, Qt::ElideRight, place.width() - 2 * kTitleMargin));
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QPoint StudyMultiples::positionOf(std::size_t series) const {
    return plot_->mapTo(this, places_[series]->rect().center());
}

bool StudyMultiples::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto place = std::ranges::find_if(
            places_, [&](const QCPAxisRect* rect) { return rect->outerRect().contains(mouse->position().toPoint()); });
        plot_->setCursor(place != places_.end() ? Qt::PointingHandCursor : Qt::ArrowCursor);
        if (event->type() == QEvent::MouseButtonRelease && place != places_.end())
            Q_EMIT seriesChosen(static_cast<std::size_t>(place - places_.begin()));
    }
    return QWidget::eventFilter(watched, event);
}

void StudyMultiples::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    draw(); // titles are as long as the plots are wide
}

void StudyMultiples::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

} // namespace rankscope
