// SPDX-License-Identifier: GPL-3.0-or-later
// How the delays of collective calls are spread.
#include "widgets/screens/delay_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/charts/plot_layout.h"
#include "widgets/charts/plot_theme.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/panels/elided_label.h"
#include "widgets/plot_export.h"
#include "widgets/time_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kBetweenLabels = 8;
constexpr std::array kStyles{Qt::DotLine, Qt::SolidLine, Qt::DashLine};

/// 1, 2 or 5 times a power of ten: the largest that is not above `most`.
double roundStep(double most) {
    const double decade = std::pow(10, std::floor(std::log10(std::max(1.0, most))));
    return decade * (most >= 5 * decade ? 5 : most >= 2 * decade ? 2 : 1);
}

} // namespace

DelayPlot::DelayPlot(QWidget* parent) : QWidget(parent), words_(new QLabel), plot_(new QCustomPlot) {
    setAccessibleName(tr("Delay of collective calls"));
    markAsPlot(*this, tr("Delay of collective calls"));
    layOutTitledPlot(*this, tr("Longest minus shortest kernel of a call"), *words_, *plot_)
        ->setToolTip(tr("Delay of a call: what its longest kernel has more than its shortest"));
    plot_->setFocusPolicy(Qt::NoFocus); // its calls are reached by the table
    bars_ = new QCPBars(plot_->xAxis, plot_->yAxis);
    bars_->setPen(Qt::NoPen);
    ecdf_ = plot_->addGraph(plot_->xAxis, plot_->yAxis2);
    ecdf_->setLineStyle(QCPGraph::lsStepLeft);
    for (const Qt::PenStyle style : kStyles) {
        Mark mark{new QCPItemLine(plot_), new QCPItemText(plot_)};
        mark.line->setPen(QPen(Qt::black, 1.5, style));
        mark.line->start->setTypeY(QCPItemPosition::ptAxisRectRatio);
        mark.line->end->setTypeY(QCPItemPosition::ptAxisRectRatio);
        mark.text->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
        mark.text->position->setType(QCPItemPosition::ptAbsolute);
        mark.text->setClipToAxisRect(false);
        marks_.push_back(mark);
    }
    plot_->axisRect()->setMinimumMargins(QMargins(0, plot_->fontMetrics().height() + 8, 0, 0));
    plot_->xAxis->setRange(-0.02, 1.02);
    plot_->xAxis->setSubTicks(false);
    plot_->xAxis->setLabel(tr("delay"));
    plot_->yAxis->setLabel(tr("calls (bars)"));
    plot_->yAxis->setNumberFormat(u"f"_s);
    plot_->yAxis->setNumberPrecision(0);
    plot_->yAxis->setSubTicks(false);
    plot_->yAxis2->setVisible(true);
    plot_->yAxis2->setRange(0, 102);
    plot_->yAxis2->setSubTicks(false);
    plot_->yAxis2->setLabel(tr("% of calls (line)"));
    plot_->xAxis->grid()->setVisible(false);
    plot_->installEventFilter(this);
    applyColours();
}

QString DelayPlot::summary() const {
    if (chart_.calls == 0)
        return tr("no calls on two ranks or more");
    return tr("%1 · mean %2, median %3, p95 %4")
        .arg(callCountText(chart_.calls), timeTextOfNs(chart_.spread.mean), timeTextOfNs(chart_.spread.median),
             timeTextOfNs(chart_.spread.p95));
}

void DelayPlot::setChart(DelayChart chart) {
    chart_ = std::move(chart);
    words_->setText(chart_.calls == 0 ? tr("no calls on two ranks or more") : callCountText(chart_.calls));
    setAccessibleDescription(summary());
    setToolTip(summary());
    const auto& counts = chart_.histogram.counts;
    const auto bars = static_cast<double>(std::max<std::size_t>(1, counts.size()));
    QVector<double> places;
    QVector<double> heights;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        places << (static_cast<double>(i) + 0.5) / bars;
        heights << static_cast<double>(counts[i]);
    }
    bars_->setWidth(0.9 / bars);
    bars_->setData(places, heights, true);
    QVector<double> delays{0};
    QVector<double> shares{0};
    for (const auto& [delay, share] : chart_.spread.ecdf) {
        delays << chart_.position(static_cast<double>(delay));
        shares << 100 * share;
    }
    ecdf_->setData(delays, shares, true);
    plot_->yAxis->setRange(0,
                           std::max(1.0, counts.empty() ? 1.0 : 1.02 * static_cast<double>(std::ranges::max(counts))));
    const QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed); // there are no half calls
    whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    plot_->yAxis->setTicker(whole);
    const std::array values{chart_.spread.mean, chart_.spread.median, chart_.spread.p95};
    const std::array names{tr("mean"), tr("median"), tr("p95")};
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const bool shown = chart_.calls > 0;
        marks_[i].line->setVisible(shown);
        marks_[i].text->setVisible(shown);
        if (!shown)
            continue;
        const double x = chart_.position(values[i]);
        marks_[i].line->start->setCoords(x, 0);
        marks_[i].line->end->setCoords(x, 1);
        marks_[i].text->setText(names[i] + u' ' + timeTextOfNs(values[i]));
    }
    updateTicks();
    placeLabels();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void DelayPlot::updateTicks() {
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const DurationHistogram& histogram = chart_.histogram;
    if (chart_.calls > 0 && histogram.end == histogram.begin) {
        ticker->addTick(0.5, timeText(histogram.begin));
    } else if (chart_.calls > 0 && histogram.logarithmic) {
        for (double time = static_cast<double>(DelayChart::kLeast); time <= 1.0001 * static_cast<double>(histogram.end);
             time *= 10)
            if (time >= static_cast<double>(histogram.begin))
                ticker->addTick(chart_.position(time), time > static_cast<double>(DelayChart::kLeast)
                                                           ? tickTime(time)
                                                           : u"≤ "_s + tickTime(time));
    } else if (chart_.calls > 0) {
        const double step = roundStep(static_cast<double>(histogram.end - histogram.begin) / 3);
        for (double time = std::ceil(static_cast<double>(histogram.begin) / step) * step;
             time <= static_cast<double>(histogram.end); time += step)
            ticker->addTick(chart_.position(time), tickTime(time));
    }
    plot_->xAxis->setTicker(ticker);
}

/// In one line above the plot, each near its mark and none over another.
void DelayPlot::placeLabels() {
    const QRect area = plot_->axisRect()->rect();
    const QFontMetrics metrics(plot_->font());
    std::vector<std::size_t> order(marks_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> centre;
    std::vector<double> half;
    for (const Mark& mark : marks_) {
        centre.push_back(plot_->xAxis->coordToPixel(mark.line->start->key()));
        half.push_back(metrics.horizontalAdvance(mark.text->text()) / 2.0);
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return centre[i]; });
    double left = area.left();
    for (const std::size_t i : order) {
        centre[i] = std::max(centre[i], left + half[i]);
        left = centre[i] + half[i] + kBetweenLabels;
    }
    double right = area.right();
    for (auto i = order.rbegin(); i != order.rend(); ++i) {
        centre[*i] = std::min(centre[*i], right - half[*i]);
        right = centre[*i] - half[*i] - kBetweenLabels;
    }
    for (std::size_t i = 0; i < marks_.size(); ++i)
        marks_[i].text->position->setCoords(centre[i], area.top() - 2);
}

void DelayPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeLabels();
}

bool DelayPlot::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Paint)
        placeLabels(); // the plot's margins are known once it is laid out
    return QWidget::eventFilter(watched, event);
}

void DelayPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColours();
}

void DelayPlot::applyColours() {
    const bool dark = isDark(palette());
    QColor fill = hue(Hue::compute, dark);
    fill.setAlpha(170);
    bars_->setBrush(fill);
    ecdf_->setPen(QPen(hue(Hue::marker, dark), 2));
    for (const Mark& mark : marks_) {
        QPen pen = mark.line->pen();
        pen.setColor(palette().color(QPalette::WindowText));
        mark.line->setPen(pen);
        mark.text->setColor(palette().color(QPalette::WindowText));
        mark.text->setFont(plot_->font());
    }
    themePlot(*plot_, palette());
}

} // namespace rankscope
