// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a pipeline and its ideal schedule.
#include "widgets/screens/pipeline_chart.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include "widgets/charts/chart_gestures.h"
#include "widgets/charts/plot_theme.h"
#include "widgets/custom_plot.h"
#include "widgets/language.h"
#include "widgets/palette.h"
#include "widgets/plot_export.h"
#include "widgets/screens/pipeline_bars.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kLeastShown = 1000; // ns

PipelineBar::Look lookOf(PipelineWork work) {
    switch (work) {
    case PipelineWork::forward: return PipelineBar::Look::forward;
    case PipelineWork::backward: return PipelineBar::Look::backward;
    case PipelineWork::weight_gradient: return PipelineBar::Look::weightGradient;
    case PipelineWork::compute: return PipelineBar::Look::compute;
    case PipelineWork::message: return PipelineBar::Look::message;
    }
    return PipelineBar::Look::compute;
}

/// Whether a stage runs several parts of the model: then a pass says which.
bool runsSeveralParts(const PipelineStep& step) {
    return std::ranges::any_of(
        step.lanes,
        [](const PipelineLane& lane) {
            int first = -1;
            return std::ranges::any_of(
                lane.passes,
                [&](const PipelineSlice& slice) {
                    if (slice.model_stage < 0)
                        return false;
                    first = first < 0 ? slice.model_stage : first;
                    return slice.model_stage != first;
                });
        });
}

PipelineBar barOf(const PipelineSlice& slice, int row, bool ideal, std::size_t lane, std::size_t index,
                  bool withPart = false) {
    PipelineBar bar{row, slice.range, lookOf(slice.work), {}, {}, ideal, lane, index};
    if (slice.microbatch != PipelineSlice::kNoMicrobatch) {
        bar.shortLabel = QString::number(slice.microbatch);
        bar.label = (slice.work == PipelineWork::forward           ? u"F"_s
                     : slice.work == PipelineWork::weight_gradient ? u"W"_s
                     : slice.input_part                            ? u"I"_s
                                                                   : u"B"_s) +
                    bar.shortLabel;
        if (withPart && slice.model_stage >= 0)
            bar.label.prepend(QString::number(slice.model_stage));
    }
    if (slice.with) {
        bar.lower = slice.with->kind == PassKind::forward           ? PipelineBar::Look::forward
                    : slice.with->kind == PassKind::backward_weight ? PipelineBar::Look::weightGradient
                                                                    : PipelineBar::Look::backward;
        bar.label += u" + "_s + QString::fromStdString(action_text(*slice.with));
        bar.shortLabel += u'+' + QString::number(slice.with->microbatch);
    }
    return bar;
}

/// The lane's parts of the model, ascending.
std::vector<int> partsOf(const std::vector<PipelineSlice>& passes) {
    std::vector<int> parts;
    for (const PipelineSlice& slice : passes)
        if (slice.model_stage >= 0)
            parts.push_back(slice.model_stage);
    std::ranges::sort(parts);
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    return parts;
}

void addPasses(const std::vector<PipelineSlice>& passes, int row, bool ideal, std::size_t lane, bool withPart,
               std::vector<PipelineBar>& bars) {
    const std::vector<int> parts = partsOf(passes);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        bars.push_back(barOf(passes[i], row, ideal, lane, i, withPart));
        bars.back().part = static_cast<int>(std::ranges::lower_bound(parts, passes[i].model_stage) - parts.begin());
    }
}

} // namespace

QString bubbleWord(BubbleKind kind) {
    switch (kind) {
    case BubbleKind::warmup: return PipelineChart::tr("warm-up");
    case BubbleKind::steady: return PipelineChart::tr("steady");
    case BubbleKind::cooldown: return PipelineChart::tr("cool-down");
    case BubbleKind::unplaced: return PipelineChart::tr("bubble");
    }
    return {};
}

std::vector<PipelineBar> pipelineBars(const PipelineStep& step, const IdealPipeline& ideal) {
    std::vector<PipelineBar> bars;
    const bool severalParts = runsSeveralParts(step);
    for (std::size_t lane = 0; lane < step.lanes.size(); ++lane)
        for (std::size_t i = 0; i < step.lanes[lane].bubbles.size(); ++i) {
            const BubbleSpan& bubble = step.lanes[lane].bubbles[i];
            bars.push_back({static_cast<int>(lane), bubble.range, PipelineBar::Look::bubble,
                            bubbleWord(bubble.kind) + u' ' + timeText(bubble.range.length()), bubbleWord(bubble.kind),
                            false, lane, i});
        }
    for (std::size_t lane = 0; lane < step.lanes.size(); ++lane)
        for (std::size_t i = 0; i < step.lanes[lane].messages.size(); ++i)
            bars.push_back(barOf(step.lanes[lane].messages[i], static_cast<int>(lane), false, lane, i));
    for (std::size_t lane = 0; lane < step.lanes.size(); ++lane)
        addPasses(step.lanes[lane].passes, static_cast<int>(lane), false, lane, severalParts, bars);
    for (std::size_t stage = 0; stage < ideal.stages.size(); ++stage)
        addPasses(ideal.stages[stage], static_cast<int>(step.lanes.size() + 1 + stage), true, stage, severalParts,
                  bars);
    return bars;
}

PipelineChart::PipelineChart(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Stages of the pipeline over time"));
    markAsPlot(*this, tr("Pipeline schedule"));
    bars_ = new PipelineBars(plot_->xAxis, plot_->yAxis);
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->setMouseTracking(true);
    plot_->installEventFilter(this);
    plot_->axisRect()->setMinimumMargins(QMargins(0, 2, 10, 0));
    plot_->xAxis->setSubTicks(false);
    plot_->yAxis->setSubTicks(false);
    plot_->yAxis->setRangeReversed(true);
    plot_->yAxis->setTickLength(0);
    plot_->yAxis->grid()->setVisible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    applyColours();
}

const std::vector<PipelineBar>& PipelineChart::bars() const { return bars_->bars(); }

std::pair<double, double> PipelineChart::shownTime() const { return {begin_, end_}; }

QRectF PipelineChart::barRect(const PipelineBar& bar) const { return bars_->rect(bar).translated(plot_->pos()); }

void PipelineChart::setStep(std::shared_ptr<const Run> run, PipelineStep step, IdealPipeline ideal) {
    run_ = std::move(run);
    step_ = std::move(step);
    ideal_ = std::move(ideal);
    bars_->setBars(pipelineBars(step_, ideal_));
    unit_ = timeUnitFor(std::max(step_.span.length(), ideal_.length));
    const QSharedPointer<QCPAxisTickerText> rows(new QCPAxisTickerText);
    const auto lanes = step_.lanes.size();
    for (std::size_t i = 0; i < lanes; ++i)
        rows->addTick(static_cast<double>(i) + 0.5,
                      tr("stage %1 · rank %2").arg(step_.lanes[i].stage).arg(run_->ranks[step_.lanes[i].rank]->rank));
    for (std::size_t i = 0; i < ideal_.stages.size(); ++i)
        rows->addTick(static_cast<double>(lanes + 1 + i) + 0.5,
                      tr("ideal %1 · %2").arg(QString::fromStdString(ideal_.schedule)).arg(step_.lanes[i].stage));
    plot_->yAxis->setTicker(rows);
    plot_->yAxis->setRange(0, static_cast<double>(lanes + (ideal_.stages.empty() ? 0 : 1 + ideal_.stages.size())));
    plot_->xAxis->setLabel(tr("from the start of the step (%1)").arg(timeUnitLabel(unit_)));
    showTime(0, static_cast<double>(std::max(step_.span.length(), ideal_.length)));
}

void PipelineChart::showTime(double begin, double end) {
    const double all = std::max(kLeastShown, static_cast<double>(std::max(step_.span.length(), ideal_.length)));
    const double length = std::clamp(end - begin, kLeastShown, all);
    begin_ = std::clamp(begin, 0.0, all - length);
    end_ = begin_ + length;
    plot_->xAxis->setRange(begin_, end_);
    // Ticks at round numbers of the unit.
    const QSharedPointer<QCPAxisTickerText> ticks(new QCPAxisTickerText);
    const double unit = 1 / inUnit(1, unit_);
    const double rough = length / unit / 8;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double step = power * (rough / power < 2 ? 2 : rough / power < 5 ? 5 : 10);
    for (double tick = std::ceil(begin_ / unit / step) * step; tick * unit <= end_; tick += step)
        ticks->addTick(tick * unit, decimal(QString::number(tick, 'g', 6)));
    plot_->xAxis->setTicker(ticks);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PipelineChart::zoom(double factor, double anchor) {
    const double share = (anchor - begin_) / (end_ - begin_);
    const double length = (end_ - begin_) * factor;
    showTime(anchor - share * length, anchor + (1 - share) * length);
}

QString PipelineChart::describe(const PipelineBar& bar) const {
    const QString length = durationText(bar.range.length());
    if (bar.ideal)
        return tr("Ideal schedule, stage %1: %2, %3").arg(step_.lanes[bar.lane].stage).arg(bar.label, length);
    const PipelineLane& lane = step_.lanes[bar.lane];
    const QString who = tr("Stage %1, rank %2").arg(lane.stage).arg(run_->ranks[lane.rank]->rank);
    const double share =
        100.0 * static_cast<double>(bar.range.length()) / static_cast<double>(std::max<TimeNs>(1, lane.step_length));
    switch (bar.look) {
    case PipelineBar::Look::bubble:
        return tr("%1: %2 bubble, %3, %4 of the step")
            .arg(who, bubbleWord(lane.bubbles[bar.index].kind), length, percentText(share));
    case PipelineBar::Look::message: {
        const std::string_view name = run_->ranks[lane.rank]->event_name(lane.messages[bar.index].event);
        return tr("%1: message, %2 (%3)")
            .arg(who, length,
                 QString::fromUtf8(name.data(), static_cast<qsizetype>(std::min<std::size_t>(name.size(), 80)))
                     .simplified());
    }
    case PipelineBar::Look::compute: return tr("%1: compute of no pass, %2").arg(who, length);
    default: break;
    }
    const QString pass = bar.look == PipelineBar::Look::forward    ? tr("forward pass of microbatch %1")
                         : bar.look == PipelineBar::Look::backward ? tr("backward pass of microbatch %1")
                                                                   : tr("weight gradient of microbatch %1");
    const PipelineSlice& slice = lane.passes[bar.index];
    QString what = pass.arg(slice.microbatch);
    if (slice.model_stage >= 0)
        what = tr("%1 through part %2 of the model").arg(what).arg(slice.model_stage);
    if (slice.with)
        what = tr("%1, together with %2").arg(what, QString::fromStdString(action_text(*slice.with)));
    return tr("%1: %2, %3").arg(who, what, length);
}

const PipelineBar* PipelineChart::barAt(QPointF plotPosition) const {
    return plot_->axisRect()->rect().contains(plotPosition.toPoint()) ? bars_->at(plotPosition) : nullptr;
}

void PipelineChart::ask(const PipelineBar& bar) {
    if (bar.ideal)
        return;
    const PipelineLane& lane = step_.lanes[bar.lane];
    const RankTrace& rank = *run_->ranks[lane.rank];
    if (bar.look == PipelineBar::Look::bubble) {
        Q_EMIT evidenceAsked(rank.rank, kNoEvent, lane.account.spans[bar.index].range);
        return;
    }
    const EventIndex event = (bar.look == PipelineBar::Look::message ? lane.messages : lane.passes)[bar.index].event;
    Q_EMIT evidenceAsked(rank.rank, event, {rank.events.start[event], rank.events.start[event] + bar.range.length()});
}

bool PipelineChart::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        setFocus(Qt::MouseFocusReason);
        if (static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton)
            drag_ = Drag{static_cast<QMouseEvent*>(event)->position().toPoint(), begin_};
        break;
    case QEvent::MouseMove: {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        const QPoint at = mouse.position().toPoint();
        if (drag_ && (drag_->moved || (at - drag_->from).manhattanLength() >= QApplication::startDragDistance())) {
            drag_->moved = true;
            const double begin =
                drag_->begin - (at.x() - drag_->from.x()) * (end_ - begin_) / std::max(1, plot_->axisRect()->width());
            showTime(begin, begin + end_ - begin_);
            break;
        }
        const PipelineBar* bar = barAt(mouse.position());
        plot_->setCursor(bar != nullptr && !bar->ideal ? Qt::PointingHandCursor : Qt::ArrowCursor);
        if (bar != nullptr)
            QToolTip::showText(mouse.globalPosition().toPoint(), toolTipText(describe(*bar)), plot_);
        else
            QToolTip::hideText();
        break;
    }
    case QEvent::MouseButtonRelease: {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        const bool click = drag_ && !drag_->moved && mouse.button() == Qt::LeftButton;
        drag_.reset();
        if (const PipelineBar* bar = click ? barAt(mouse.position()) : nullptr) {
            setCurrent(static_cast<std::size_t>(bar - bars().data()));
            ask(*bar);
        }
        break;
    }
    case QEvent::Wheel: {
        const auto& wheel = *static_cast<QWheelEvent*>(event);
        const QPoint turned = wheel.angleDelta();
        const double notches = static_cast<double>(turned.y() != 0 ? turned.y() : turned.x()) / kWheelNotch;
        if (wheel.modifiers().testFlag(Qt::ControlModifier))
            zoom(std::pow(kZoomStep, -notches), plot_->xAxis->pixelToCoord(wheel.position().x()));
        else
            pan(-notches * kKeyPan);
        return true;
    }
    default: break;
    }
    return QWidget::eventFilter(watched, event);
}

void PipelineChart::setCurrent(std::optional<std::size_t> bar) {
    bars_->setCurrent(bar);
    setAccessibleDescription(bar ? describe(bars()[*bar]) : QString());
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

/// Through passes and bubbles of the actual lanes, in order of time.
void PipelineChart::moveCurrent(int step, int lanes) {
    const auto now = bars_->current();
    const auto count = static_cast<int>(step_.lanes.size());
    if (count == 0)
        return;
    const int row = now ? std::clamp(bars()[*now].row + lanes, 0, count - 1) : 0;
    const TimeNs from = now ? bars()[*now].range.begin : static_cast<TimeNs>(begin_);
    std::vector<std::size_t> stops;
    for (std::size_t i = 0; i < bars().size(); ++i)
        if (!bars()[i].ideal && bars()[i].row == row && bars()[i].look != PipelineBar::Look::message)
            stops.push_back(i);
    if (stops.empty())
        return;
    const auto begin = [this](std::size_t i) { return bars()[i].range.begin; };
    std::ranges::sort(stops, {}, begin);
    auto place = std::ranges::lower_bound(stops, from, {}, begin) - stops.begin();
    if (now)
        place += step;
    setCurrent(stops[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, std::ssize(stops) - 1))]);
    const PipelineBar& bar = bars()[*bars_->current()];
    if (static_cast<double>(bar.range.begin) < begin_ || static_cast<double>(bar.range.begin) > end_)
        showTime(static_cast<double>(bar.range.begin) - (end_ - begin_) / 2,
                 static_cast<double>(bar.range.begin) + (end_ - begin_) / 2);
}

void PipelineChart::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier))
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: return moveCurrent(-1, 0);
    case Qt::Key_Right: return moveCurrent(+1, 0);
    case Qt::Key_Up: return moveCurrent(0, -1);
    case Qt::Key_Down: return moveCurrent(0, +1);
    case Qt::Key_W: return zoom(1 / kZoomStep, (begin_ + end_) / 2);
    case Qt::Key_S: return zoom(kZoomStep, (begin_ + end_) / 2);
    case Qt::Key_A: return pan(-kKeyPan);
    case Qt::Key_D: return pan(kKeyPan);
    case Qt::Key_0: return showTime(0, static_cast<double>(std::max(step_.span.length(), ideal_.length)));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (bars_->current())
            ask(bars()[*bars_->current()]);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void PipelineChart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColours();
}

void PipelineChart::applyColours() {
    bars_->setDark(isDark(palette()));
    themePlot(*plot_, palette());
}

} // namespace rankscope
