// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay of stragglers: who waits at a collective for whom, who arrives last, and what delayed that rank.
#include <algorithm>

#include <QPainter>

#include "widgets/palette.h"
#include "widgets/time_text.h"
#include "widgets/timeline/mark_painting.h"
#include "widgets/timeline/overlays.h"
#include "widgets/wait_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

OverlayEntry lagOverlay();

namespace {

QBrush waitBrush(const QPalette& palette) {
    return {faded(palette.color(QPalette::Text), 0.4F), Qt::BDiagPattern}; // the slice's name stays legible below it
}

void drawWaits(QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
    const auto rank = static_cast<std::size_t>(strip.rankIndex);
    const RankTrace& trace = *scene.run->ranks[rank];
    const RankMarks& marks = scene.marks->ranks[rank];
    const QColor late = hue(Hue::marker, isDark(scene.palette));
    for (const std::uint32_t row : strip.rows) {
        const std::span<const CollectiveWait> waits = marksOfRow(marks.waits, trace.rows[row]);
        const auto same = [&](const MarkedColumns& a, const MarkedColumns& next) { // a wide one has a label of its own
            return isNarrow(next) &&
                   static_cast<double>(waits[a.span].range.length()) * scene.axis().pixelsPerNs() <= kNarrow;
        };
        for (const MarkedColumns& columns : joinedColumns(columnsOfMarks(waits, scene.axis()), same)) {
            const CollectiveWait& wait = waits[columns.span];
            const QRect rect(columns.left, area.top(), columns.right - columns.left, area.height());
            painter.fillRect(rect, faded(scene.palette.color(QPalette::Base), 0.45F));
            painter.fillRect(rect, waitBrush(scene.palette));
            const bool one =
                columns.right <= static_cast<int>(std::max(columns.left + 1.0, scene.axis().columnOf(wait.range.end)));
            if (!strip.isSummary() && one) // not of several that were joined
                drawMarkLabel(painter, scene, rect,
                              wait.origin == kNoNode || wait.origin == wait.last_rank
                                  ? OverlayTexts::tr("waits %1 for rank %2")
                                        .arg(durationText(wait.range.length()))
                                        .arg(scene.run->ranks[wait.last_rank]->rank)
                                  : OverlayTexts::tr("waits %1 for rank %2, which waited for rank %3")
                                        .arg(durationText(wait.range.length()))
                                        .arg(scene.run->ranks[wait.last_rank]->rank)
                                        .arg(scene.run->ranks[wait.origin]->rank));
        }
        // Late arrivals: a flag at the start, each column once.
        constexpr int kFlag = 8;
        int flagged = -kFlag;
        const std::span<const LateArrival> arrivals = marksOfRow(marks.late, trace.rows[row]);
        const auto startsBefore = [&](TimeNs time) {
            return [&trace, time](const LateArrival& mark) { return trace.events.start[mark.event] < time; };
        };
        auto mark = std::partition_point(arrivals.begin(), arrivals.end(), startsBefore(scene.visible.begin));
        while (mark != arrivals.end() && trace.events.start[mark->event] < scene.visible.end) {
            const int x = static_cast<int>(scene.axis().columnOf(trace.events.start[mark->event]));
            mark = std::partition_point(mark + 1, arrivals.end(), startsBefore(scene.axis().columnBegin(x + 1)));
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
void drawDelays(QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
    const RankTrace& trace = *scene.run->ranks[static_cast<std::size_t>(strip.rankIndex)];
    if (!strip.isSummary() && !(strip.lane == 0 && isFirstRow(trace, strip)))
        return;
    const std::vector<DelayMark>& delays = scene.marks->ranks[static_cast<std::size_t>(strip.rankIndex)].delays;
    const QColor colour = hue(Hue::marker, isDark(scene.palette));
    for (const MarkedColumns& columns : columnsOfMarks<DelayMark>(delays, scene.axis())) {
        const DelayMark& delay = delays[columns.span];
        const QRect rect(columns.left, area.top(), std::max(2, columns.right - columns.left), area.height());
        for (const QRect& side :
             {QRect(rect.left(), rect.top(), 2, rect.height()), QRect(rect.right() - 1, rect.top(), 2, rect.height()),
              QRect(rect.left(), rect.bottom() - 2, rect.width(), 3)})
            painter.fillRect(side, colour);
        drawMarkLabel(painter, scene, rect,
                      OverlayTexts::tr("others wait %1 for this, all together: %2")
                          .arg(durationText(delay.waited), waitCauseText(delay.cause)));
    }
}

} // namespace

OverlayEntry lagOverlay() {
    OverlayEntry entry{kLagOverlay, OverlayTexts::tr("Straggler lag"), u"overlay-lag"_s, Qt::Key_1, 2};
    entry.swatches = [](const QPalette& colours) {
        return std::vector<OverlaySwatch>{
            {waitBrush(colours), OverlayTexts::tr("waits")},
            {hue(Hue::marker, isDark(colours)), OverlayTexts::tr("arrives last, or caused the delay")}};
    };
    entry.obstacle = [](const MarkedSpans& marks) {
        const bool none = std::ranges::all_of(
            marks.ranks, [](const RankMarks& rank) { return rank.waits.empty(); });
        return none ? OverlayTexts::tr("No collective call was found on several ranks.") : QString();
    };
    entry.explanation = [](bool) {
        return OverlayTexts::tr(
            "A hatched rank waits for the last one, which has a flag. A bracket marks what delayed that rank. Point at "
            "them for names and times.");
    };
    entry.draw = [](QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
        if (!hasMarks(scene, strip))
            return;
        drawWaits(painter, scene, strip, area);
        drawDelays(painter, scene, strip, area);
    };
    return entry;
}

} // namespace rankscope
