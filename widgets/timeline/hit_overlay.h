// SPDX-License-Identifier: GPL-3.0-or-later
// What a search found, and what the filter of names keeps, as drawn: everything else is veiled, hits are underlined.
#pragma once
#include <span>

#include "widgets/timeline/lanes_plot.h"

namespace rankscope {

/// Columns [left, right).
struct ColumnSpan {
    int left = 0;
    int right = 0;
    friend bool operator==(const ColumnSpan&, const ColumnSpan&) = default;
};

/// Sets the columns covered by these events of one row (ascending) in `covered`, one entry per column of the axis; each
/// has one at least. Cost grows with columns, not with events.
void coverColumns(const EventTable& events, std::span<const EventIndex> ascending, const TimeAxis& axis,
                  std::vector<std::uint8_t>& covered);
/// Stretches of equal columns with that value.
std::vector<ColumnSpan> spansOf(const std::vector<std::uint8_t>& covered, bool value);

class HitOverlay : public SceneLayer {
    Q_OBJECT
public:
    HitOverlay(QCustomPlot* plot, const TimelineScene& scene);
    void draw(QCPPainter* painter) override;

private:
    enum class Show { kept, hits };
    /// slices: per rank, ascending.
    void draw(QCPPainter& painter, const std::vector<std::vector<EventIndex>>& slices, Show show) const;
    void drawStrip(QCPPainter& painter, const LaneStrip& strip, const std::vector<EventIndex>& slices, Show show) const;
};

} // namespace rankscope
