// SPDX-License-Identifier: GPL-3.0-or-later
// The marked range as drawn: what lies outside is veiled, the edges have handles on the ruler.
#pragma once
#include "widgets/timeline/lanes_plot.h"

namespace rankscope {

class RangeOverlay : public SceneLayer {
    Q_OBJECT
public:
    RangeOverlay(QCustomPlot* plot, const TimelineScene& scene);
    void draw(QCPPainter* painter) override;
};

/// Names a range among those that are compared: A, B ...
QString rangeLetter(std::size_t number);
/// The range's length between two handles. area: the ruler's.
void drawRangeOnRuler(QPainter& painter, const TimelineScene& scene, const QRect& area);

} // namespace rankscope
