// SPDX-License-Identifier: GPL-3.0-or-later
// The marked range as drawn: what lies outside is veiled, the edges have handles on the ruler.
#pragma once
#include "widgets/custom_plot.h"
#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

class RangeOverlay : public QCPLayerable {
    Q_OBJECT
public:
    RangeOverlay(QCustomPlot* plot, const TimelineScene& scene);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    const TimelineScene& scene_;
};

/// The range's length between two handles. area: the ruler's.
void drawRangeOnRuler(QPainter& painter, const TimelineScene& scene, const QRect& area);

} // namespace rankscope
