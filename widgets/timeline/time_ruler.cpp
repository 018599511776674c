// SPDX-License-Identifier: GPL-3.0-or-later
// The ruler above the lanes.
#include "widgets/timeline/time_ruler.h"

#include <algorithm>

#include <QContextMenuEvent>
#include <QDateTime>
#include <QMenu>
#include <QPainter>
#include <QTimeZone>

#include "widgets/palette.h"
#include "widgets/timeline/range_overlay.h"
#include "widgets/timeline/ruler.h"

namespace rankscope {

const RankTrace* rankOfRulerSteps(const TimelineScene& scene) {
    if (!scene.run)
        return nullptr;
    const RankTrace* fallback = nullptr;
    for (const RankBlock& block : scene.layout.ranks) {
        const RankTrace* trace = scene.run->ranks[static_cast<std::size_t>(block.rankIndex)].get();
        if (trace->steps.empty())
            continue;
        if (block.top + block.height > scene.layoutY(scene.pinnedHeight))
            return trace;
        fallback = trace;
    }
    return fallback;
}

TimeRuler::TimeRuler(const TimelineScene& scene, QWidget* parent) : QWidget(parent), scene_(scene) {
    setAccessibleName(tr("Time ruler"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

int TimeRuler::rowHeight() const { return QFontMetrics(scene_.font).height() + 2; }

QSize TimeRuler::sizeHint() const { return {100, 2 * rowHeight() + 5}; }

void TimeRuler::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.setFont(scene_.font);
    if (scene_.run && !scene_.visible.empty()) {
        drawSteps(painter);
        drawTicks(painter);
        drawOrigin(painter);
        drawRangeOnRuler(painter, scene_, rect());
    }
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

std::vector<RulerStretch> rulerStretches(const TimelineScene& scene) {
    if (!scene.run || scene.visible.empty())
        return {};
    const RankTrace* trace = scene.origin == TimeOrigin::step ? rankOfRulerSteps(scene) : nullptr;
    if (trace == nullptr)
        return {{scene.visible, scene.origin == TimeOrigin::wallClock && isWallClock(scene.run->span.begin)
                                    ? 0
                                    : scene.run->span.begin}};
    std::vector<RulerStretch> stretches;
    for (std::size_t i = 0; i < trace->steps.size(); ++i) {
        const TimeNs begin = trace->steps[i].range.begin;
        const TimeNs end = i + 1 < trace->steps.size() ? trace->steps[i + 1].range.begin : scene.visible.end;
        // Before the first step, times count backwards from it.
        const TimeRange range = TimeRange{i == 0 ? scene.visible.begin : begin, end}.clipped_to(scene.visible);
        if (!range.empty())
            stretches.push_back({range, begin});
    }
    return stretches;
}

QString rulerLabel(const TimelineScene& scene, const RulerStretch& stretch, TimeNs time, const RulerScale& scale) {
    const bool clock = scene.origin == TimeOrigin::wallClock && isWallClock(scene.run->span.begin);
    return clock ? clockLabel(time, scale) : tickLabel(time, stretch.origin, scale);
}

RulerScale rulerScaleOf(const TimelineScene& scene, const RulerStretch& stretch) {
    constexpr double kSpacing = 90;
    constexpr double kAir = 24;
    // All stretches have the same steps: those that suit the view as a whole.
    const RulerScale scale = rulerScale(scene.visible, stretch.origin, scene.size.width(), kSpacing);
    // Far from the origin, labels have many digits and need more room.
    const double label =
        QFontMetrics(scene.font).horizontalAdvance(rulerLabel(scene, stretch, scene.visible.end, scale)) + kAir;
    return label > kSpacing ? rulerScale(scene.visible, stretch.origin, scene.size.width(), label) : scale;
}

void TimeRuler::drawTicks(QPainter& painter) const {
    const TimeAxis axis = scene_.axis();
    const int bottom = height() - 1;
    const QFontMetrics metrics(scene_.font);
    const std::vector<RulerStretch> stretches = rulerStretches(scene_);
    for (const RulerStretch& stretch : stretches) {
        const RulerScale scale = rulerScaleOf(scene_, stretch);
        painter.setPen(palette().color(QPalette::Mid));
        for (const TimeNs time : ticks(stretch.range, stretch.origin, scale.minor)) {
            const int x = static_cast<int>(axis.columnOf(time));
            painter.drawLine(x, bottom - 3, x, bottom);
        }
        // A label that the edge cuts would be another number.
        const double end = stretches.size() == 1 ? width() : axis.pixelOf(stretch.range.end);
        for (const TimeNs time : ticks(stretch.range, stretch.origin, scale.step)) {
            const int x = static_cast<int>(axis.columnOf(time));
            painter.setPen(palette().color(QPalette::PlaceholderText));
            painter.drawLine(x, bottom - 8, x, bottom);
            painter.setPen(palette().color(QPalette::WindowText));
            const QString label = rulerLabel(scene_, stretch, time, scale);
            if (x + 4 + metrics.horizontalAdvance(label) < end)
                painter.drawText(QPoint(x + 4, bottom - 5), label);
        }
    }
}

QString TimeRuler::originText() const {
    if (!scene_.run)
        return {};
    switch (scene_.origin) {
    case TimeOrigin::run: return {};
    case TimeOrigin::step: {
        const RankTrace* trace = rankOfRulerSteps(scene_);
        return trace == nullptr                 ? QString()
               : scene_.layout.ranks.size() > 1 ? tr("from step start of rank %1").arg(trace->rank)
                                                : tr("from step start");
    }
    case TimeOrigin::wallClock: break;
    }
    if (!isWallClock(scene_.run->span.begin))
        return tr("the trace has no wall clock");
    return QDateTime::fromSecsSinceEpoch(scene_.visible.begin / 1'000'000'000, QTimeZone::utc())
               .toString(QStringLiteral("yyyy-MM-dd")) +
           tr(" UTC");
}

void TimeRuler::drawOrigin(QPainter& painter) const {
    const QString text = originText();
    if (text.isEmpty())
        return;
    const QRect row(width() - painter.fontMetrics().horizontalAdvance(text) - 12, 1,
                    painter.fontMetrics().horizontalAdvance(text) + 10, rowHeight());
    painter.fillRect(row, palette().color(QPalette::Window));
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(row, Qt::AlignCenter, text);
}

void TimeRuler::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    for (const auto& [origin, text] : {std::pair(TimeOrigin::run, tr("Times since the &run started")),
                                       {TimeOrigin::step, tr("Times since the &step started")},
                                       {TimeOrigin::wallClock, tr("&Wall clock (UTC)")}}) {
        QAction* action = menu.addAction(text, this, [this, wanted = origin] { Q_EMIT originAsked(wanted); });
        action->setCheckable(true);
        action->setChecked(scene_.origin == origin);
        action->setEnabled(scene_.run && (origin != TimeOrigin::step || rankOfRulerSteps(scene_) != nullptr) &&
                           (origin != TimeOrigin::wallClock || isWallClock(scene_.run->span.begin)));
    }
    menu.exec(event->globalPos());
}

void TimeRuler::drawSteps(QPainter& painter) const {
    const RankTrace* trace = rankOfRulerSteps(scene_);
    if (trace == nullptr)
        return;
    const TimeAxis axis = scene_.axis();
    const QFontMetrics metrics(scene_.font);
    const int row = rowHeight();
    for (std::size_t i = 0; i < trace->steps.size(); ++i) {
        const ProfilerStep& step = trace->steps[i];
        const double left = std::max(0.0, axis.columnOf(step.range.begin));
        const double right = std::min<double>(width(), axis.columnOf(step.range.end));
        if (right <= left || right < 0)
            continue;
        const QRectF band(left, 1, right - left, row);
        QColor colour = hue(Hue::annotation, isDark(palette()));
        colour.setAlphaF(i % 2 == 0 ? 0.30F : 0.18F);
        painter.fillRect(band.adjusted(0, 0, -1, 0), colour);
        painter.setPen(palette().color(QPalette::WindowText));
        for (const QString& text : stepTexts(*trace, step))
            if (band.width() >= metrics.horizontalAdvance(text) + 8) {
                painter.drawText(band.adjusted(4, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
                break;
            }
    }
}

QStringList TimeRuler::stepTexts(const RankTrace& trace, const ProfilerStep& step) const {
    if (scene_.layout.ranks.size() > 1) // the others start it at other times
        return {tr("step %1 on the host of rank %2").arg(step.number).arg(trace.rank),
                tr("step %1 of rank %2").arg(step.number).arg(trace.rank)};
    return {tr("step %1 on the host").arg(step.number), tr("step %1").arg(step.number)};
}

} // namespace rankscope
