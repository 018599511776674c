// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay of idle streams: why they are idle.
#include <algorithm>

#include <QPainter>

#include "widgets/palette.h"
#include "widgets/time_text.h"
#include "widgets/timeline/mark_painting.h"
#include "widgets/timeline/overlays.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

OverlayEntry idleOverlay();

namespace {

QBrush idleBrush(IdleCause cause, const QPalette& palette) {
    const bool dark = isDark(palette);
    switch (cause) {
    case IdleCause::host_wait: return {hue(Hue::bad, dark), Qt::SolidPattern};
    case IdleCause::kernel_wait: return {hue(Hue::overlap, dark), Qt::VerPattern};
    case IdleCause::other: return {hue(Hue::other, dark), Qt::Dense4Pattern};
    }
    return {};
}

QString idleLabel(IdleCause cause) {
    switch (cause) {
    case IdleCause::host_wait: return OverlayTexts::tr("host late");
    case IdleCause::kernel_wait: return OverlayTexts::tr("kernel hand-over");
    case IdleCause::other: return OverlayTexts::tr("other");
    }
    return {};
}

void drawIdle(QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
    const RankTrace& trace = *scene.run->ranks[static_cast<std::size_t>(strip.rankIndex)];
    if (!isFirstRow(trace, strip))
        return;
    const std::vector<IdleGap>& all = scene.marks->ranks[static_cast<std::size_t>(strip.rankIndex)].idle;
    const auto own = std::ranges::equal_range(all, static_cast<std::uint32_t>(strip.lane), {}, &IdleGap::lane);
    const std::span<const IdleGap> gaps(own.begin(), own.end());
    const int height = std::clamp(area.height() / 3, 3, 6);
    const auto same = [&](const MarkedColumns& a, const MarkedColumns& b) {
        return gaps[a.span].cause == gaps[b.span].cause && isNarrow(b);
    };
    for (const MarkedColumns& columns : joinedColumns(columnsOfMarks<IdleGap>(gaps, scene.axis()), same)) {
        const IdleCause cause = gaps[columns.span].cause;
        const QRect bar(columns.left, area.center().y() - height / 2, columns.right - columns.left, height);
        painter.fillRect(bar, idleBrush(cause, scene.palette));
    }
}

} // namespace

OverlayEntry idleOverlay() {
    OverlayEntry entry{kIdleOverlay, OverlayTexts::tr("Idle causes"), u"overlay-idle"_s, Qt::Key_3, 1};
    entry.swatches = [](const QPalette& colours) {
        std::vector<OverlaySwatch> all;
        for (const IdleCause cause : {IdleCause::host_wait, IdleCause::kernel_wait, IdleCause::other})
            all.push_back({idleBrush(cause, colours), idleLabel(cause)});
        return all;
    };
    entry.obstacle = [](const MarkedSpans& marks) {
        const bool none = std::ranges::all_of(
            marks.ranks, [](const RankMarks& rank) { return rank.idle.empty(); });
        return none ? OverlayTexts::tr("No GPU stream is ever idle.") : QString();
    };
    entry.explanation = [](bool) {
        return OverlayTexts::tr(
            "Idle streams: launched only after they ran dry; launched in time, slow to start; anything else.");
    };
    entry.draw = [](QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
        if (hasMarks(scene, strip))
            drawIdle(painter, scene, strip, area);
    };
    return entry;
}

} // namespace rankscope
