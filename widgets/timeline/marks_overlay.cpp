// SPDX-License-Identifier: GPL-3.0-or-later
// What the analyses found, drawn over the lanes in patterns.
#include "widgets/timeline/marks_overlay.h"

#include <algorithm>

#include "widgets/time_text.h"
#include "widgets/timeline/strips_painted.h"
#include "widgets/wait_text.h"

namespace rankscope {

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
                      ? MarksOverlay::tr("the delay started there: %1").arg(waitCauseText(wait->cause))
                      : MarksOverlay::tr("that one had waited too: the delay started at rank %1, %2")
                            .arg(scene.run->ranks[wait->origin]->rank)
                            .arg(waitCauseText(wait->cause)));
    if (const LateArrival* late = marks.late_of(event))
        lines << (late->members == 2
                      ? MarksOverlay::tr("arrives last, %1 after the other one").arg(durationText(late->lag))
                      : MarksOverlay::tr("arrives last, %1 after the first: the other %2 wait %3 together")
                            .arg(durationText(late->lag))
                            .arg(late->members - 1)
                            .arg(durationText(late->waited)));
    return lines;
}

MarksOverlay::MarksOverlay(QCustomPlot* plot, const TimelineScene& scene) : SceneLayer(plot, scene, Above::slices) {
    for (const OverlayEntry& entry : overlayEntries())
        entries_.push_back(&entry);
    std::ranges::stable_sort(entries_, {}, &OverlayEntry::level);
}

void MarksOverlay::draw(QCPPainter* painter) {
    if (!scene().run || scene().overlays.empty() || scene().size.isEmpty())
        return;
    paintStripsInView(*painter, scene(), [&](const LaneStrip& strip) { drawStrip(*painter, strip); });
    for (const OverlayEntry* entry : entries_)
        if (entry->drawAcross && scene().overlays.contains(entry->id))
            entry->drawAcross(*painter, scene());
}

void MarksOverlay::drawStrip(QCPPainter& painter, const LaneStrip& strip) const {
    if (strip.isCounter())
        return;
    const QRect area(0, scene().viewY(strip.top), scene().size.width(), strip.height - 1);
    for (const OverlayEntry* entry : entries_)
        if (scene().overlays.contains(entry->id))
            entry->draw(painter, scene(), strip, area);
}

} // namespace rankscope
