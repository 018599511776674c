// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/step_panel.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionFocusRect>
#include <QToolTip>

#include "core/analysis/facts/fact_words.h"
#include "core/base/statistics.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/words_label.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kStepBarHeight = 24;
constexpr int kStepGap = 6;
constexpr int kStepSwatch = 11;
constexpr int kPlotWidth = 240;
constexpr int kLeastPlotWidth = 60;
constexpr std::size_t kFewestPlotted = 3;
/// Steps that differ by less look like one line.
constexpr double kSteady = 0.02;

std::array<StepShare, kStepShareCount> allShares() {
    std::array<StepShare, kStepShareCount> all{};
    for (std::size_t i = 0; i < kStepShareCount; ++i)
        all[i] = static_cast<StepShare>(i);
    return all;
}

QColor colourOf(StepShare share, bool dark) {
    switch (share) {
    case StepShare::computation: return hue(Hue::compute, dark);
    case StepShare::exposed_communication:
    case StepShare::waiting: return hue(Hue::communication, dark);
    case StepShare::copies: return hue(Hue::memory, dark);
    case StepShare::bubble: return hue(Hue::idle, dark).darker(dark ? 80 : 125);
    case StepShare::launching:
    case StepShare::host:
    case StepShare::unrecorded: return hue(Hue::idle, dark);
    }
    return {};
}

/// Waiting is hatched: nothing is done in it. What is not recorded is dotted.
bool isHatched(StepShare share) {
    return share == StepShare::waiting || share == StepShare::bubble || share == StepShare::host;
}

void fillShare(QPainter& painter, QRect rect, StepShare share, bool dark) {
    const QColor colour = colourOf(share, dark);
    painter.fillRect(rect, colour);
    if (!isHatched(share) && share != StepShare::unrecorded)
        return;
    QColor lines = textOn(colour); // white lines on the light grey of idle time would not be seen
    lines.setAlpha(90);
    painter.fillRect(rect, QBrush(lines, share == StepShare::unrecorded ? Qt::Dense6Pattern : Qt::BDiagPattern));
}

std::pair<double, double> extremes(const StepSummary& summary) {
    const auto [least, most] = std::ranges::minmax(summary.steps, {}, &StepPoint::mean);
    return {least.mean, most.mean};
}

} // namespace

QString stepSentence(const StepSummary& summary) {
    const QString mean = timeTextOfNs(summary.fill.step_ns);
    if (summary.behind_queued_work && summary.served)
        return StepPanel::tr("The engine's steps are on the Serving screen; from the end of earlier work to its last "
                             "GPU work a rank takes %1.")
            .arg(mean);
    if (summary.behind_queued_work)
        return StepPanel::tr("No steps are known: from the end of earlier work to its last GPU work a rank takes %1.")
            .arg(mean);
    if (summary.unit == StepAccount::Unit::window && summary.served)
        return StepPanel::tr(
                   "The engine's steps are on the Serving screen; from its first to its last GPU work a rank takes %1.")
            .arg(mean);
    if (summary.unit == StepAccount::Unit::window)
        return StepPanel::tr("No steps are known: from its first to its last GPU work a rank takes %1.").arg(mean);
    if (summary.steps.size() == 1)
        return StepPanel::tr("A step takes %1; one is recorded.").arg(mean);
    const auto [least, most] = extremes(summary);
    const QString count = QString::number(summary.steps.size());
    return most - least <= kSteady * summary.fill.step_ns
               ? StepPanel::tr("A step takes %1; all %2 take as long, within %3.")
                     .arg(mean, count, percentText(100 * (most - least) / summary.fill.step_ns))
               : StepPanel::tr("A step takes %1; the %2 take %3 to %4.")
                     .arg(mean, count, timeTextOfNs(least), timeTextOfNs(most));
}

StepPanel::StepPanel(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("A step"));
}

void StepPanel::setSummary(std::optional<StepSummary> summary) {
    summary_ = std::move(summary);
    hovered_.reset();
    current_ = 0;
    setVisible(summary_.has_value());
    if (!summary_)
        return;
    QStringList words{stepSentence(*summary_)};
    for (const StepShare share : allShares())
        if (summary_->fill[share] > 0)
            words << shareWords(share);
    setAccessibleDescription(words.join(u' '));
    updateGeometry();
    update();
}

QFont StepPanel::strong() const { return strongFont(font(), 1.15); }

QSize StepPanel::sizeHint() const { return {600, heightForWidth(std::max(width(), 300))}; }

int StepPanel::heightForWidth(int width) const {
    int bottom = QFontMetrics(strong()).height() + 2 * kStepGap + kStepBarHeight + kStepGap;
    if (summary_)
        for (const StepShare share : allShares())
            bottom = std::max(bottom, legendRect(share, width).bottom() + 1);
    return bottom;
}

QRect StepPanel::plotRect() const {
    if (!summary_ || summary_->steps.size() < kFewestPlotted)
        return {};
    // The sentence is more: the plot has what is left beside it.
    const int left = width() - QFontMetrics(strong()).horizontalAdvance(stepSentence(*summary_)) - 14;
    if (left < kLeastPlotWidth)
        return {};
    const int wide = std::min(kPlotWidth, left);
    return {width() - wide, 0, wide, QFontMetrics(strong()).height() + kStepGap};
}

QRect StepPanel::barRect() const {
    return {0, QFontMetrics(strong()).height() + 2 * kStepGap, width(), kStepBarHeight};
}

QRect StepPanel::shareRect(StepShare share) const {
    const QRect bar = barRect();
    double before = 0;
    for (const StepShare other : allShares()) {
        if (other == share)
            break;
        before += summary_->fill[other];
    }
    const auto at = [&](double time) {
        return bar.left() + static_cast<int>(std::lround(time / summary_->fill.step_ns * bar.width()));
    };
    const int left = at(before);
    return {left, bar.top(), at(before + summary_->fill[share]) - left, bar.height()};
}

QString StepPanel::legendText(StepShare share) const {
    return tr("%1 %2 (%3)")
        .arg(coreText(summary_->word(share)), timeTextOfNs(summary_->fill[share]),
             percentText(100 * summary_->fill[share] / summary_->fill.step_ns));
}

QString StepPanel::shareWords(StepShare share) const {
    return tr("%1: %2 of the mean rank's step.")
        .arg(coreText(summary_->word(share)), timeTextOfNs(summary_->fill[share]));
}

/// Shares too small to be seen in the bar are not listed either.
QRect StepPanel::legendRect(StepShare share, int width) const {
    int x = 0;
    int top = barRect().bottom() + 1 + kStepGap;
    for (const StepShare other : allShares()) {
        if (summary_->fill[other] < 0.001 * summary_->fill.step_ns)
            continue;
        const int length = kStepSwatch + 5 + fontMetrics().horizontalAdvance(legendText(other));
        if (x > 0 && x + length > width) {
            x = 0;
            top += fontMetrics().height() + 3;
        }
        if (other == share)
            return {x, top, length, fontMetrics().height()};
        x += length + 16;
    }
    return {};
}

void StepPanel::paintEvent(QPaintEvent*) {
    if (!summary_)
        return;
    QPainter painter(this);
    QFont strongly = strong();
    strongly.setUnderline(isMarked({Part::sentence}));
    painter.setFont(strongly);
    painter.setPen(palette().color(QPalette::WindowText));
    const QRect plot = plotRect();
    const int room = plot.isNull() ? width() : plot.left() - 12;
    const QFontMetrics metrics(strong());
    painter.drawText(QRect(0, 0, room, metrics.height() + kStepGap), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(stepSentence(*summary_), Qt::ElideRight, room));
    painter.setFont(font());
    if (!plot.isNull())
        paintPlot(painter);
    paintBar(painter);
    const std::vector<Part> all = parts();
    if (!hasFocus() || current_ >= all.size())
        return;
    QStyleOptionFocusRect focus;
    focus.initFrom(this);
    focus.rect = rectOf(all[current_]).intersected(rect());
    style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, this);
}

/// From zero, so that what looks twice as long is.
void StepPanel::paintPlot(QPainter& painter) const {
    const QRect plot = plotRect();
    const bool dark = isDark(palette());
    const double most = extremes(*summary_).second;
    std::vector<double> lengths;
    for (const StepPoint& step : summary_->steps)
        lengths.push_back(step.mean);
    const double median = middle_median(std::move(lengths));
    const double column = static_cast<double>(plot.width()) / static_cast<double>(summary_->steps.size());
    const double thick = std::max(1.0, column > 4 ? column - 1 : column);
    for (std::size_t i = 0; i < summary_->steps.size(); ++i) {
        const double high = summary_->steps[i].mean / most * (plot.height() - 1);
        const bool marked = isMarked({Part::step, i});
        const bool slow = summary_->steps[i].mean >= kLongStep * median; // as facts tell it
        painter.fillRect(QRectF(plot.left() + column * static_cast<double>(i), plot.bottom() + 1 - high, thick, high),
                         marked ? palette().color(QPalette::Highlight)
                         : slow ? hue(Hue::marker, dark)
                                : palette().color(QPalette::Mid));
    }
}

void StepPanel::paintBar(QPainter& painter) const {
    const bool dark = isDark(palette());
    for (const StepShare share : allShares()) {
        const QRect rect = shareRect(share);
        if (rect.width() > 0)
            fillShare(painter, rect, share, dark);
        const QString text = timeTextOfNs(summary_->fill[share]);
        if (fontMetrics().horizontalAdvance(text) + 8 <= rect.width()) {
            painter.setPen(textOn(colourOf(share, dark)));
            painter.drawText(rect, Qt::AlignCenter, text);
        }
        const QRect legend = legendRect(share, width());
        if (legend.isNull())
            continue;
        fillShare(painter, QRect(legend.left(), legend.center().y() - kStepSwatch / 2, kStepSwatch, kStepSwatch), share,
                  dark);
        painter.setPen(palette().color(QPalette::WindowText));
        QFont words = font();
        words.setUnderline(isMarked({Part::share, static_cast<std::size_t>(share)}));
        painter.setFont(words);
        painter.drawText(legend.adjusted(kStepSwatch + 5, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         legendText(share));
        painter.setFont(font());
    }
}

std::optional<StepShare> StepPanel::shareAt(QPoint point) const {
    for (const StepShare share : allShares())
        if (summary_ && (shareRect(share).contains(point) || legendRect(share, width()).contains(point)))
            return share;
    return {};
}

std::optional<std::size_t> StepPanel::stepAt(QPoint point) const {
    const QRect plot = plotRect();
    if (!plot.contains(point))
        return {};
    return std::min(summary_->steps.size() - 1, static_cast<std::size_t>(point.x() - plot.left()) *
                                                    summary_->steps.size() / static_cast<std::size_t>(plot.width()));
}

QRect StepPanel::sentenceRect() const {
    const QRect plot = plotRect();
    const int room = plot.isNull() ? width() : plot.left() - 12;
    const QFontMetrics metrics(strong());
    return {0, 0, std::min(room, metrics.horizontalAdvance(stepSentence(*summary_)) + 2), metrics.height() + kStepGap};
}

QRect StepPanel::stepRect(std::size_t step) const {
    const QRect plot = plotRect();
    const auto at = [&](std::size_t number) {
        return plot.left() + static_cast<int>(static_cast<std::size_t>(plot.width()) * number / summary_->steps.size());
    };
    return {at(step), plot.top(), std::max(2, at(step + 1) - at(step)), plot.height()};
}

std::vector<StepPanel::Part> StepPanel::parts() const {
    std::vector<Part> all;
    if (!summary_)
        return all;
    if (summary_->served || summary_->unit != StepAccount::Unit::window)
        all.push_back({Part::sentence});
    for (const StepShare share : allShares())
        if (!legendRect(share, width()).isNull())
            all.push_back({Part::share, static_cast<std::size_t>(share)});
    for (std::size_t step = 0; !plotRect().isNull() && step < summary_->steps.size(); ++step)
        all.push_back({Part::step, step});
    return all;
}

std::optional<StepPanel::Part> StepPanel::partAt(QPoint point) const {
    if (!summary_)
        return {};
    if (const auto step = stepAt(point))
        return Part{Part::step, *step};
    if (const auto share = shareAt(point))
        return Part{Part::share, static_cast<std::size_t>(*share)};
    const Part sentence{Part::sentence};
    if (sentenceRect().contains(point) && std::ranges::count(parts(), sentence) > 0)
        return sentence;
    return {};
}

QRect StepPanel::rectOf(const Part& part) const {
    switch (part.kind) {
    case Part::sentence: return sentenceRect();
    case Part::share: return legendRect(static_cast<StepShare>(part.which), width());
    case Part::step: return stepRect(part.which);
    }
    return {};
}

QString StepPanel::wordsOf(const Part& part) const {
    switch (part.kind) {
    case Part::sentence:
        return summary_->served ? tr("Click: show the Serving screen")
                                : tr("Click: show the longest step in the timeline");
    case Part::share: return shareWords(static_cast<StepShare>(part.which)) % u'\n' % tr("Click: show the evidence");
    case Part::step:
        return tr("Step %1 of %2 takes %3. A click shows it in the timeline.")
            .arg(summary_->steps[part.which].number)
            .arg(summary_->steps.size())
            .arg(timeTextOfNs(summary_->steps[part.which].mean));
    }
    return {};
}

bool StepPanel::isMarked(const Part& part) const {
    if (hovered_ == part)
        return true;
    const std::vector<Part> all = parts();
    return hasFocus() && current_ < all.size() && all[current_] == part;
}

void StepPanel::follow(const Part& part) {
    switch (part.kind) {
    case Part::sentence:
        if (summary_->served)
            return Q_EMIT servingChosen();
        return Q_EMIT stepChosen(std::ranges::max_element(summary_->steps, {}, &StepPoint::mean)->range);
    case Part::share: return Q_EMIT shareChosen(static_cast<StepShare>(part.which));
    case Part::step: return Q_EMIT stepChosen(summary_->steps[part.which].range);
    }
}

bool StepPanel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !summary_)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto part = partAt(help->pos()))
        QToolTip::showText(help->globalPos(), wordsOf(*part));
    else
        QToolTip::hideText();
    return true;
}

void StepPanel::mouseMoveEvent(QMouseEvent* event) {
    hovered_ = partAt(event->position().toPoint());
    setCursor(hovered_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void StepPanel::leaveEvent(QEvent* event) {
    hovered_.reset();
    update();
    QWidget::leaveEvent(event);
}

void StepPanel::mousePressEvent(QMouseEvent* event) {
    const auto part = partAt(event->position().toPoint());
    if (!part)
        return;
    const std::vector<Part> all = parts();
    current_ = static_cast<std::size_t>(std::ranges::find(all, *part) - all.begin());
    follow(*part);
}

void StepPanel::keyPressEvent(QKeyEvent* event) {
    const std::vector<Part> all = parts();
    const bool next = event->key() == Qt::Key_Right;
    if (!all.empty() && (next || event->key() == Qt::Key_Left)) {
        current_ = (std::min(current_, all.size() - 1) + (next ? 1 : all.size() - 1)) % all.size();
        setAccessibleDescription(wordsOf(all[current_]));
        update();
    } else if (current_ < all.size() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        follow(all[current_]);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void StepPanel::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void StepPanel::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace rankscope
