// SPDX-License-Identifier: GPL-3.0-or-later
// What the analyses found, drawn over the lanes in patterns: waits at collectives, late ranks, bubbles, idle causes,
// the critical path.
#pragma once
#include <vector>

#include "widgets/timeline/overlays.h"

namespace rankscope {

/// What is known of one event: for whom it waits and how long, or who waits for it.
QStringList markLines(const TimelineScene& scene, std::size_t rankIndex, EventIndex event);

class MarksOverlay : public SceneLayer {
    Q_OBJECT
public:
    MarksOverlay(QCustomPlot* plot, const TimelineScene& scene);
    void draw(QCPPainter* painter) override;

private:
    void drawStrip(QCPPainter& painter, const LaneStrip& strip) const;

    std::vector<const OverlayEntry*> entries_; ///< in the order in which they are drawn
};

} // namespace rankscope
