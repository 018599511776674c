// SPDX-License-Identifier: GPL-3.0-or-later
// What the analyses found, drawn over the lanes in patterns.
#include "widgets/timeline/marks_overlay.h"

#include <algorithm>

#include "widgets/palette.h"
#include "widgets/time_text.h"
#include "widgets/timeline/strips_painted.h"

namespace rankscope {
namespace {

QColor faded(QColor colour, float alpha) {
    colour.setAlphaF(alpha);
    return colour;
}

/// Marks of the events of one row: they ascend in time, too.
template <typename Mark> std::span<const Mark> marksOfRow(const std::vector<Mark>& byEvent, const Row& row) {
    const auto first = std::ranges::lower_bound(byEvent, row.begin, {}, &Mark::event);
    const auto last = std::lower_bound(first, byEvent.end(), row.end, [](const Mark& mark, EventIndex end) { return mark.event < end; });
    return {first, last};
}

bool isFirstRow(const RankTrace& trace, const LaneStrip& strip) {
    return !strip.isSummary() && trace.lanes[static_cast<std::size_t>(strip.lane)].first_row == strip.rows.front();
}

} // namespace

QBrush waitBrush(const QPalette& palette) { return {palette.color(QPalette::Text), Qt::BDiagPattern}; }

QBrush bubbleBrush(BubbleKind kind, const QPalette& palette) {
    const QColor colour = faded(palette.color(QPalette::Text), isDark(palette) ? 0.75F : 0.6F);
    switch (kind) {
    case BubbleKind::warmup: return {colour, Qt::FDiagPattern};
    case BubbleKind::steady: return {colour, Qt::HorPattern};
    case BubbleKind::cooldown: return {colour, Qt::DiagCrossPattern};
    case BubbleKind::unplaced: return {colour, Qt::Dense6Pattern};
    }
    return {};
}

QBrush idleBrush(IdleCause cause, const QPalette& palette) {
    const bool dark = isDark(palette);
    switch (cause) {
    case IdleCause::host_wait: return {hue(Hue::bad, dark), Qt::SolidPattern};
    case IdleCause::kernel_wait: return {hue(Hue::overlap, dark), Qt::VerPattern};
    case IdleCause::other: return {hue(Hue::other, dark), Qt::Dense4Pattern};
    }
    return {};
}

QColor pathColour(const QPalette& palette) { return isDark(palette) ? QColor(0xF0, 0xE4, 0x42) : QColor(0xC0, 0x00, 0x6A); }

QString bubbleLabel(BubbleKind kind) {
    switch (kind) {
    case BubbleKind::warmup: return MarksOverlay::tr("warm-up");
    case BubbleKind::steady: return MarksOverlay::tr("steady");
    case BubbleKind::cooldown: return MarksOverlay::tr("cool-down");
    case BubbleKind::unplaced: return MarksOverlay::tr("bubble");
    }
    return {};
}

QString idleLabel(IdleCause cause) {
    switch (cause) {
    case IdleCause::host_wait: return MarksOverlay::tr("host late");
    case IdleCause::kernel_wait: return MarksOverlay::tr("kernel hand-over");
    case IdleCause::other: return MarksOverlay::tr("other");
    }
    return {};
}

QStringList markLines(const TimelineScene& scene, std::size_t rankIndex, EventIndex event) {
    QStringList lines;
    if (!scene.marks || rankIndex >= scene.marks->ranks.size())
        return lines;
    const RankMarks& marks = scene.marks->ranks[rankIndex];
    if (const CollectiveWait* wait = marks.wait_of(event))
        lines << MarksOverlay::tr("waits %1 for rank %2, which arrives last").arg(durationText(wait->range.length())).arg(scene.run->ranks[wait->last_rank]->rank);
    if (const LateArrival* late = marks.late_of(event))
        lines << MarksOverlay::tr("arrives last, %1 after the first: the other %2 wait %3 together")
                     .arg(durationText(late->lag))
                     .arg(late->members - 1)
                     .arg(durationText(late->waited));
    return lines;
}

MarksOverlay::MarksOverlay(QCustomPlot* plot, const TimelineScene& scene) : QCPLayerable(plot, QStringLiteral("axes")), scene_(scene) {}

void MarksOverlay::applyDefaultAntialiasingHint(QCPPainter* painter) const { painter->setAntialiasing(false); }

void MarksOverlay::draw(QCPPainter* painter) {
    if (!scene_.run || scene_.overlays.none() || scene_.size.isEmpty())
        return;
    paintStripsInView(*painter, scene_, [&](const LaneStrip& strip) { drawStrip(*painter, strip); });
}

void MarksOverlay::drawStrip(QCPPainter& painter, const LaneStrip& strip) const {
    const auto rank = static_cast<std::size_t>(strip.rankIndex);
    const QRect area(0, scene_.viewY(strip.top), scene_.size.width(), strip.height - 1);
    if (strip.isCounter())
        return;
    if (scene_.marks && rank < scene_.marks->ranks.size() && strip.group == LaneGroup::streams) {
        if (shows(Overlay::bubbles))
            drawBubbles(painter, strip, area);
        if (shows(Overlay::idleCauses))
            drawIdle(painter, strip, area);
        if (shows(Overlay::stragglerLag))
            drawLag(painter, strip, area);
    }
    if (shows(Overlay::criticalPath) && scene_.paths && rank < scene_.paths->size())
        drawPath(painter, strip, area);
}

void MarksOverlay::drawBubbles(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const {
    // Bubbles are the computing lane's; the others say by themselves what they do meanwhile.
    const RankTrace& trace = *scene_.run->ranks[static_cast<std::size_t>(strip.rankIndex)];
    const bool first = strip.isSummary() || (strip.lane == 0 && isFirstRow(trace, strip));
    if (!first)
        return;
    const std::vector<BubbleSpan>& bubbles = scene_.marks->ranks[static_cast<std::size_t>(strip.rankIndex)].bubbles;
    for (const MarkedColumns& columns : columnsOfMarks<BubbleSpan>(bubbles, scene_.axis())) {
        const BubbleSpan& bubble = bubbles[columns.span];
        const QRect rect(columns.left, area.top(), columns.right - columns.left, area.height());
        painter.fillRect(rect, faded(scene_.palette.color(QPalette::Base), 0.35F));
        painter.fillRect(rect, bubbleBrush(bubble.kind, scene_.palette));
        drawLabel(painter, rect, bubbleLabel(bubble.kind) + QChar(u' ') + durationText(bubble.range.length()));
    }
}

void MarksOverlay::drawIdle(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const {
    const RankTrace& trace = *scene_.run->ranks[static_cast<std::size_t>(strip.rankIndex)];
    if (!isFirstRow(trace, strip))
        return;
    const std::vector<IdleGap>& all = scene_.marks->ranks[static_cast<std::size_t>(strip.rankIndex)].idle;
    const auto own = std::ranges::equal_range(all, static_cast<std::uint32_t>(strip.lane), {}, &IdleGap::lane);
    const std::span<const IdleGap> gaps(own.begin(), own.end());
    const int height = std::clamp(area.height() / 3, 3, 6);
    for (const MarkedColumns& columns : columnsOfMarks<IdleGap>(gaps, scene_.axis())) {
        const IdleCause cause = gaps[columns.span].cause;
        const QRect bar(columns.left, area.center().y() - height / 2, columns.right - columns.left, height);
        painter.fillRect(bar, idleBrush(cause, scene_.palette));
    }
}

void MarksOverlay::drawLag(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const {
    const auto rank = static_cast<std::size_t>(strip.rankIndex);
    const RankTrace& trace = *scene_.run->ranks[rank];
    const RankMarks& marks = scene_.marks->ranks[rank];
    const QColor late = hue(Hue::marker, isDark(scene_.palette));
    for (const std::uint32_t row : strip.rows) {
        const std::span<const CollectiveWait> waits = marksOfRow(marks.waits, trace.rows[row]);
        for (const MarkedColumns& columns : columnsOfMarks(waits, scene_.axis())) {
            const CollectiveWait& wait = waits[columns.span];
            const QRect rect(columns.left, area.top(), columns.right - columns.left, area.height());
            painter.fillRect(rect, faded(scene_.palette.color(QPalette::Base), 0.45F));
            painter.fillRect(rect, waitBrush(scene_.palette));
            if (!strip.isSummary())
                drawLabel(painter, rect, tr("waits %1 for rank %2").arg(durationText(wait.range.length())).arg(scene_.run->ranks[wait.last_rank]->rank));
        }
        // Late arrivals: a flag at the start, each column once.
        int taken = -1;
        for (const LateArrival& mark : marksOfRow(marks.late, trace.rows[row])) {
            const TimeNs start = trace.events.start[mark.event];
            if (start >= scene_.visible.end)
                break;
            const int x = static_cast<int>(scene_.axis().columnOf(start));
            if (x < 0 || x == taken)
                continue;
            taken = x;
            painter.fillRect(QRect(x, area.top(), 2, area.height()), late);
            const QPolygon flag({QPoint(x, area.top()), QPoint(x + 8, area.top()), QPoint(x, area.top() + 8)});
            painter.setPen(Qt::NoPen);
            painter.setBrush(late);
            painter.drawPolygon(flag);
        }
    }
}

void MarksOverlay::drawPath(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const {
    const auto rank = static_cast<std::size_t>(strip.rankIndex);
    const RankTrace& trace = *scene_.run->ranks[rank];
    const RankPath& path = (*scene_.paths)[rank];
    const QColor colour = pathColour(scene_.palette);
    const auto bar = [&](const MarkedColumns& columns) {
        const QRect rect(columns.left, area.top(), std::max(2, columns.right - columns.left), area.height());
        painter.fillRect(rect, faded(colour, 0.22F));
        painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 2), colour);
        painter.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2), colour);
    };
    if (!strip.isSummary()) {
        const std::span<const PathMark> marks = marksOfRow(path.by_event, trace.rows[strip.rows.front()]);
        for (const MarkedColumns& columns : columnsOfMarks(marks, scene_.axis()))
            bar(columns);
        return;
    }
    // A folded group shows what runs on any of its lanes.
    for (const MarkedColumns& columns : columnsOfMarks<PathMark>(path.by_begin, scene_.axis())) {
        const EventIndex event = path.by_begin[columns.span].event;
        if (event != kNoEvent && laneGroupOf(trace.lane_of(event).kind) == strip.group)
            bar(columns);
    }
}

void MarksOverlay::drawLabel(QCPPainter& painter, const QRect& rect, const QString& text) const {
    const QFontMetrics metrics(scene_.font);
    const int width = metrics.horizontalAdvance(text) + 8;
    if (width + 6 > rect.width() || rect.height() < metrics.height() - 3)
        return;
    QRect ground(0, rect.top() + 1, width, rect.height() - 2);
    ground.moveLeft(rect.center().x() - width / 2);
    painter.fillRect(ground, scene_.palette.color(QPalette::Base));
    painter.setPen(scene_.palette.color(QPalette::Text));
    painter.setFont(scene_.font);
    painter.drawText(ground, Qt::AlignCenter, text);
}

} // namespace rankscope
