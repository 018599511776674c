// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of GPUs that logs of kernels tell, as lines with a flag over the lanes of the rank's GPU; always drawn, where
// there are any.
#pragma once
#include <cstdint>
#include <vector>

#include "widgets/timeline/lanes_plot.h"

namespace rankscope {

/// A column of the view with errors of a rank's GPU.
struct ErrorMark {
    int column = 0;
    std::uint32_t error = 0; ///< the first of them, in Run::gpu_errors
    std::size_t errors = 0;
};
/// In view, ascending. Cost grows with columns, not with errors.
std::vector<ErrorMark> errorMarks(const TimelineScene& scene, std::size_t rankIndex);
/// The rank's first strip that has such marks; nullptr: its GPU has no lane in the layout.
const LaneStrip* stripOfErrors(const TimelineScene& scene, std::size_t rankIndex);
/// Of an error in that strip, in the lanes' area; empty without the strip.
QRect errorRect(const TimelineScene& scene, std::size_t rankIndex, std::uint32_t error);

/// What the label says of an error, and how many more there are at the same place.
QStringList errorLines(const TimelineScene& scene, std::size_t rankIndex, std::uint32_t error, std::size_t more = 0);
/// Of the mark at a point of the lanes' area; empty: there is none.
QStringList errorLinesAt(const TimelineScene& scene, QPointF point);

class ErrorMarks : public SceneLayer {
    Q_OBJECT
public:
    ErrorMarks(QCustomPlot* plot, const TimelineScene& scene);
    void draw(QCPPainter* painter) override;

private:
    void drawStrip(QCPPainter& painter, const LaneStrip& strip) const;
};

} // namespace rankscope
