// SPDX-License-Identifier: GPL-3.0-or-later
// What the analyses found, drawn over the lanes in patterns.
#include "widgets/timeline/marks_overlay.h"

#include <algorithm>
#include <span>

#include "widgets/palette.h"
#include "widgets/time_text.h"
#include "widgets/timeline/strips_painted.h"
#include "widgets/wait_text.h"

namespace rankscope {
namespace {

QColor faded(QColor colour, float alpha) {
    colour.setAlphaF(alpha);
    return colour;
}

/// Marks of the events of one row: they ascend in time, too.
template <typename Mark>
std::span<const Mark> marksOfRow(const std::vector<Mark>& byEvent, const Row& row) {
    const auto first = std::ranges::lower_bound(byEvent, row.begin, {}, &Mark::event);
    const auto last = std::lower_bound(first, byEvent.end(), row.end,
                                       [](const Mark& mark, EventIndex end) { return mark.event < end; });
    return {first, last};
}

/// Neighbours that touch and look the same become one: zoomed out there are hundreds, and each rectangle has its cost.
template <typename Same>
std::vector<MarkedColumns> joined(std::vector<MarkedColumns> columns, Same same) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < columns.size(); ++i)
        if (columns[i].left <= columns[kept].right && same(columns[kept], columns[i]))
            columns[kept].right = std::max(columns[kept].right, columns[i].right);
        else
            columns[++kept] = columns[i];
    if (!columns.empty())
        columns.resize(kept + 1);
    return columns;
}

/// Too narrow for any label, columns.
constexpr int kNarrow = 8;
bool isNarrow(const MarkedColumns& columns) { return columns.right - columns.left <= kNarrow; }

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

QColor pathColour(const QPalette& palette) {
    return isDark(palette) ? QColor(0xF0, 0xE4, 0x42) : QColor(0xC0, 0x00, 0x6A);
}

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
        lines << MarksOverlay::tr("waits %1 for rank %2, which arrives last")
                     .arg(durationText(wait->range.length()))
                     .arg(scene.run->ranks[wait->last_rank]->rank);
    if (const CollectiveWait* wait = marks.wait_of(event); wait != nullptr && wait->origin != kNoNode)
        lines << (wait->origin == wait->last_rank
                      ? MarksOverlay::tr("the delay began there: %1").arg(waitCauseText(wait->cause))
                      : MarksOverlay::tr("that one had waited too: the delay began at rank %1, %2")
                            .arg(scene.run->ranks[wait->origin]->rank)
                            .arg(waitCauseText(wait->cause)));
    if (const LateArrival* late = marks.late_of(event))
        lines << MarksOverlay::tr("arrives last, %1 after the first: the other %2 wait %3 together")
                     .arg(durationText(late->lag))
                     .arg(late->members - 1)
                     .arg(durationText(late->waited));
    return lines;
}

MarksOverlay::MarksOverlay(QCustomPlot* plot, const TimelineScene& scene) : SceneLayer(plot, scene, Above::slices) {}

void MarksOverlay::draw(QCPPainter* painter) {
    if (!scene().run || scene().overlays.none() || scene().size.isEmpty())
        return;
    paintStripsInView(*painter, scene(), [&](const LaneStrip& strip) { drawStrip(*painter, strip); });
}

void MarksOverlay::drawStrip(QCPPainter& painter, const LaneStrip& strip) const {
    const auto rank = static_cast<std::size_t>(strip.rankIndex);
    const QRect area(0, scene().viewY(strip.top), scene().size.width(), strip.height - 1);
    if (strip.isCounter())
        return;
    if (scene().marks && rank < scene().marks->ranks.size() && strip.group == LaneGroup::streams) {
        if (shows(Overlay::bubbles))
            drawBubbles(painter, strip, area);
        if (shows(Overlay::idleCauses))
            drawIdle(painter, strip, area);
        if (shows(Overlay::stragglerLag)) {
            drawLag(painter, strip, area);
            drawDelays(painter, strip, area);
        }
    }
    if (shows(Overlay::criticalPath) && scene().paths && rank < scene().paths->size())
        drawPath(painter, strip, area);
}

void MarksOverlay::drawBubbles(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const {
    // Bubbles are the computing lane's; the others say by themselves what they do meanwhile.
    const RankTrace& trace = *scene().run->ranks[static_cast<std::size_t>(strip.rankIndex)];
    const bool first = strip.isSummary() || (strip.lane == 0 && isFirstRow(trace, strip));
    if (!first)
        return;
    const std::vector<BubbleSpan>& bubbles = scene().marks->ranks[static_cast<std::size_t>(strip.rankIndex)].bubbles;
    for (const MarkedColumns& columns : columnsOfMarks<BubbleSpan>(bubbles, scene().axis())) {
        const BubbleSpan& bubble = bubbles[columns.span];
        const QRect rect(columns.left, area.top(), columns.right - columns.left, area.height());
        painter.fillRect(rect, faded(scene().palette.color(QPalette::Base), 0.35F));
        painter.fillRect(rect, bubbleBrush(bubble.kind, scene().palette));
        drawLabel(painter, rect, bubbleLabel(bubble.kind) + QChar(u' ') + durationText(bubble.range.length()));
    }
}

void MarksOverlay::drawIdle(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const {
    const RankTrace& trace = *scene().run->ranks[static_cast<std::size_t>(strip.rankIndex)];
    if (!isFirstRow(trace, strip))
        return;
    const std::vector<IdleGap>& all = scene().marks->ranks[static_cast<std::size_t>(strip.rankIndex)].idle;
    const auto own = std::ranges::equal_range(all, static_cast<std::uint32_t>(strip.lane), {}, &IdleGap::lane);
    const std::span<const IdleGap> gaps(own.begin(), own.end());
    const int height = std::clamp(area.height() / 3, 3, 6);
    const auto same = [&](const MarkedColumns& a, const MarkedColumns& b) {
        return gaps[a.span].cause == gaps[b.span].cause && isNarrow(b);
    };
    for (const MarkedColumns& columns : joined(columnsOfMarks<IdleGap>(gaps, scene().axis()), same)) {
        const IdleCause cause = gaps[columns.span].cause;
        const QRect bar(columns.left, area.center().y() - height / 2, columns.right - columns.left, height);
        painter.fillRect(bar, idleBrush(cause, scene().palette));
    }
}

void MarksOverlay::drawLag(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const {
    const auto rank = static_cast<std::size_t>(strip.rankIndex);
    const RankTrace& trace = *scene().run->ranks[rank];
    const RankMarks& marks = scene().marks->ranks[rank];
    const QColor late = hue(Hue::marker, isDark(scene().palette));
    for (const std::uint32_t row : strip.rows) {
        const std::span<const CollectiveWait> waits = marksOfRow(marks.waits, trace.rows[row]);
        const auto same = [&](const MarkedColumns& a, const MarkedColumns& next) { // a wide one has a label of its own
            return isNarrow(next) &&
                   static_cast<double>(waits[a.span].range.length()) * scene().axis().pixelsPerNs() <= kNarrow;
        };
        for (const MarkedColumns& columns : joined(columnsOfMarks(waits, scene().axis()), same)) {
            const CollectiveWait& wait = waits[columns.span];
            const QRect rect(columns.left, area.top(), columns.right - columns.left, area.height());
            painter.fillRect(rect, faded(scene().palette.color(QPalette::Base), 0.45F));
            painter.fillRect(rect, waitBrush(scene().palette));
            const bool one = columns.right <=
                             static_cast<int>(std::max(columns.left + 1.0, scene().axis().columnOf(wait.range.end)));
            if (!strip.isSummary() && one) // not of several that were joined
                drawLabel(painter, rect,
                          wait.origin == kNoNode || wait.origin == wait.last_rank
                              ? tr("waits %1 for rank %2")
                                    .arg(durationText(wait.range.length()))
                                    .arg(scene().run->ranks[wait.last_rank]->rank)
                              : tr("waits %1 for rank %2, which waited for rank %3")
                                    .arg(durationText(wait.range.length()))
                                    .arg(scene().run->ranks[wait.last_rank]->rank)
                                    .arg(scene().run->ranks[wait.origin]->rank));
        }
        // Late arrivals: a flag at the start, each column once.
        constexpr int kFlag = 8;
        int flagged = -kFlag;
        const std::span<const LateArrival> arrivals = marksOfRow(marks.late, trace.rows[row]);
        const auto startsBefore = [&](TimeNs time) {
            return [&trace, time](const LateArrival& mark) { return trace.events.start[mark.event] < time; };
        };
        auto mark = std::partition_point(arrivals.begin(), arrivals.end(), startsBefore(scene().visible.begin));
        while (mark != arrivals.end() && trace.events.start[mark->event] < scene().visible.end) {
            const int x = static_cast<int>(scene().axis().columnOf(trace.events.start[mark->event]));
            mark = std::partition_point(mark + 1, arrivals.end(), startsBefore(scene().axis().columnBegin(x + 1)));
            painter.fillRect(QRect(x, area.top(), 2, area.height()), late);
            if (x < flagged + kFlag)
                continue; // flags that cover each other say nothing more
            flagged = x;
            const QPolygon flag({QPoint(x, area.top()), QPoint(x + kFlag, area.top()), QPoint(x, area.top() + kFlag)});
            painter.setPen(Qt::NoPen);
            painter.setBrush(late);
            painter.drawPolygon(flag);
        }
    }
}

/// What others waited for: a bracket over the computing lane, whichever lane did it.
void MarksOverlay::drawDelays(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const {
    const RankTrace& trace = *scene().run->ranks[static_cast<std::size_t>(strip.rankIndex)];
    if (!strip.isSummary() && !(strip.lane == 0 && isFirstRow(trace, strip)))
        return;
    const std::vector<DelayMark>& delays = scene().marks->ranks[static_cast<std::size_t>(strip.rankIndex)].delays;
    const QColor colour = hue(Hue::marker, isDark(scene().palette));
    for (const MarkedColumns& columns : columnsOfMarks<DelayMark>(delays, scene().axis())) {
        const DelayMark& delay = delays[columns.span];
        const QRect rect(columns.left, area.top(), std::max(2, columns.right - columns.left), area.height());
        for (const QRect& side :
             {QRect(rect.left(), rect.top(), 2, rect.height()), QRect(rect.right() - 1, rect.top(), 2, rect.height()),
              QRect(rect.left(), rect.bottom() - 2, rect.width(), 3)})
            painter.fillRect(side, colour);
        drawLabel(painter, rect,
                  tr("others wait %1 for this: %2").arg(durationText(delay.waited), waitCauseText(delay.cause)));
    }
}

void MarksOverlay::drawPath(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const {
    const auto rank = static_cast<std::size_t>(strip.rankIndex);
    const RankTrace& trace = *scene().run->ranks[rank];
    const RankPath& path = (*scene().paths)[rank];
    const QColor colour = pathColour(scene().palette);
    const auto bar = [&](const MarkedColumns& columns) {
        const QRect rect(columns.left, area.top(), std::max(2, columns.right - columns.left), area.height());
        painter.fillRect(rect, faded(colour, 0.22F));
        painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 2), colour);
        painter.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2), colour);
    };
    if (!strip.isSummary()) {
        const std::span<const PathMark> marks = marksOfRow(path.by_event, trace.rows[strip.rows.front()]);
        for (const MarkedColumns& columns : joined(columnsOfMarks(marks, scene().axis()),
                                                   [](const auto&, const auto& next) { return isNarrow(next); }))
            bar(columns);
        return;
    }
    // A folded group shows what runs on any of its lanes.
    for (const MarkedColumns& columns : columnsOfMarks<PathMark>(path.by_begin, scene().axis())) {
        const EventIndex event = path.by_begin[columns.span].event;
        if (event != kNoEvent && laneGroupOf(trace.lane_of(event).kind) == strip.group)
            bar(columns);
    }
}

void MarksOverlay::drawLabel(QCPPainter& painter, const QRect& rect, const QString& text) const {
    const QFontMetrics metrics(scene().font);
    const int width = metrics.horizontalAdvance(text) + 8;
    if (width + 6 > rect.width() || rect.height() < metrics.height() - 3)
        return;
    QRect ground(0, rect.top() + 1, width, rect.height() - 2);
    ground.moveLeft(rect.center().x() - width / 2);
    painter.fillRect(ground, scene().palette.color(QPalette::Base));
    painter.setPen(scene().palette.color(QPalette::Text));
    painter.setFont(scene().font);
    painter.drawText(ground, Qt::AlignCenter, text);
}

} // namespace rankscope
