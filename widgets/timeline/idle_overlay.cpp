// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay of idle time: why the GPU is idle, in the row "GPU busy"; of single streams where that row is not shown.
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

/// "GPU busy", or all of a closed rank.
bool isOfWholeGpu(const LaneStrip& strip) {
    return strip.isSummary() && (strip.group == LaneGroup::counters || strip.group == LaneGroup::streams);
}

std::span<const IdleGap> gapsOf(const TimelineScene& scene, const LaneStrip& strip) {
    const auto rank = static_cast<std::size_t>(strip.rankIndex);
    const RankMarks& marks = scene.marks->ranks[rank];
    if (isOfWholeGpu(strip))
        return marks.gpu_idle;
    const bool once = std::ranges::any_of(
        scene.layout.stripsOfRank[rank], [&](std::uint32_t other) { return isOfWholeGpu(scene.layout.strips[other]); });
    if (once || strip.group != LaneGroup::streams || !isFirstRow(*scene.run->ranks[rank], strip))
        return {};
    const auto own = std::ranges::equal_range(marks.idle, static_cast<std::uint32_t>(strip.lane), {}, &IdleGap::lane);
    return {own.begin(), own.end()};
}

void drawIdle(QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
    const std::span<const IdleGap> gaps = gapsOf(scene, strip);
    // Nothing else is in the gaps of the whole GPU.
    const int height = isOfWholeGpu(strip) ? std::max(3, area.height() - 2) : std::clamp(area.height() / 3, 3, 6);
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
            "No stream works, and the next work was launched too late, started late, or neither is known.");
    };
    entry.draw = [](QPainter& painter, const TimelineScene& scene, const LaneStrip& strip, const QRect& area) {
        if (scene.marks && static_cast<std::size_t>(strip.rankIndex) < scene.marks->ranks.size())
            drawIdle(painter, scene, strip, area);
    };
    return entry;
}

} // namespace rankscope
