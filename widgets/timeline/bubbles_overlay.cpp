// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay of pipeline bubbles.
#include <algorithm>

#include <QPainter>

#include "widgets/language.h"
#include "widgets/palette.h"
#include "widgets/time_text.h"
#include "widgets/timeline/mark_painting.h"
#include "widgets/timeline/overlays.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

OverlayEntry bubblesOverlay();

namespace {

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

QString bubbleLabel(BubbleKind kind) {
    switch (kind) {
    case BubbleKind::warmup: return OverlayTexts::tr("warm-up");
    case BubbleKind::steady: return OverlayTexts::tr("steady");
    case BubbleKind::cooldown: return OverlayTexts::tr("cool-down");
    case BubbleKind::unplaced: return OverlayTexts::tr("bubble");
    }
    return {};
}

void drawBubbles(QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
    // Bubbles are the computing lane's; the others say by themselves what they do meanwhile.
    const RankTrace& trace = *scene.run->ranks[static_cast<std::size_t>(strip.rankIndex)];
    const bool first = strip.isSummary() || (strip.lane == 0 && isFirstRow(trace, strip));
    if (!first)
        return;
    const std::vector<BubbleSpan>& bubbles = scene.marks->ranks[static_cast<std::size_t>(strip.rankIndex)].bubbles;
    for (const MarkedColumns& columns : columnsOfMarks<BubbleSpan>(bubbles, scene.axis())) {
        const BubbleSpan& bubble = bubbles[columns.span];
        const QRect rect(columns.left, area.top(), columns.right - columns.left, area.height());
        painter.fillRect(rect, faded(scene.palette.color(QPalette::Base), 0.35F));
        painter.fillRect(rect, bubbleBrush(bubble.kind, scene.palette));
        drawMarkLabel(painter, scene, rect,
                      bubbleLabel(bubble.kind) + QChar(u' ') + durationText(bubble.range.length()));
    }
}

} // namespace

OverlayEntry bubblesOverlay() {
    OverlayEntry entry{kBubblesOverlay, OverlayTexts::tr("Pipeline bubbles"), u"overlay-bubbles"_s, Qt::Key_2, 0};
    entry.swatches = [](const QPalette& colours) {
        std::vector<OverlaySwatch> all;
        for (const BubbleKind kind : {BubbleKind::warmup, BubbleKind::steady, BubbleKind::cooldown})
            all.push_back({bubbleBrush(kind, colours), bubbleLabel(kind)});
        return all;
    };
    entry.obstacle = [](const MarkedSpans& marks) {
        if (!marks.no_bubbles.empty())
            return messageText(marks.no_bubbles);
        const bool none = std::ranges::all_of(
            marks.ranks, [](const RankMarks& rank) { return rank.bubbles.empty(); });
        return none ? OverlayTexts::tr("No bubble was found.") : QString();
    };
    entry.explanation = [](bool) {
        return OverlayTexts::tr(
            "No compute, waiting for a neighbour: before the first backward pass, between, after the last "
            "forward pass.");
    };
    entry.draw = [](QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
        if (hasMarks(scene, strip))
            drawBubbles(painter, scene, strip, area);
    };
    return entry;
}

} // namespace rankscope
