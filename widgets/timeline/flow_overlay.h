// SPDX-License-Identifier: GPL-3.0-or-later
// The selected event's connections as curves with an arrow at the end.
#pragma once
#include <QPainterPath>

#include "widgets/timeline/lanes_plot.h"

namespace rankscope {

/// A link as drawn, in the lanes' area. An end that is folded away lies on the strip that stands for it.
struct FlowLine {
    FlowKind kind = FlowKind::launch;
    QPointF from;
    QPointF to;
    bool fromFolded = false;
    bool toFolded = false;
    [[nodiscard]] QPainterPath path() const;
};
/// Links whose ends are both shown somewhere; what lies far outside of the view is drawn no further than just outside.
std::vector<FlowLine> flowLines(const TimelineScene& scene);

class FlowOverlay : public SceneLayer {
    Q_OBJECT
public:
    FlowOverlay(QCustomPlot* plot, const TimelineScene& scene);
    void draw(QCPPainter* painter) override;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
};

} // namespace rankscope
