// SPDX-License-Identifier: GPL-3.0-or-later
// The ruler above the lanes.
#include "widgets/timeline/time_ruler.h"

#include <QPainter>

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
        drawRangeOnRuler(painter, scene_, rect());
    }
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

void TimeRuler::drawTicks(QPainter& painter) const {
    const TimeNs origin = scene_.run->span.begin;
    const QFontMetrics metrics(scene_.font);
    double spacing = 90;
    RulerScale scale = rulerScale(scene_.visible, origin, width(), spacing);
    // Far from the origin, labels have many digits and need more room.
    const double label = metrics.horizontalAdvance(tickLabel(scene_.visible.end, origin, scale)) + 24;
    if (label > spacing)
        scale = rulerScale(scene_.visible, origin, width(), label);
    const TimeAxis axis = scene_.axis();
    const int bottom = height() - 1;
    painter.setPen(palette().color(QPalette::Mid));
    for (const TimeNs time : ticks(scene_.visible, origin, scale.minor)) {
        const int x = static_cast<int>(axis.columnOf(time));
        painter.drawLine(x, bottom - 3, x, bottom);
    }
    // One tick before the left edge: its label may reach into the view.
    for (const TimeNs time : ticks({scene_.visible.begin - scale.step, scene_.visible.end}, origin, scale.step)) {
        const int x = static_cast<int>(axis.columnOf(time));
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawLine(x, bottom - 8, x, bottom);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QPoint(x + 4, bottom - 5), tickLabel(time, origin, scale));
    }
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
        const QString text = tr("step %1").arg(step.number);
        painter.setPen(palette().color(QPalette::WindowText));
        if (band.width() >= metrics.horizontalAdvance(text) + 8)
            painter.drawText(band.adjusted(4, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
    }
}

} // namespace rankscope
