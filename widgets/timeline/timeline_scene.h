// SPDX-License-Identifier: GPL-3.0-or-later
// All that painting the timeline needs to know: the parts of the view share one and only the view changes it.
#pragma once
#include <memory>
#include <vector>

#include <QFont>
#include <QPalette>
#include <QRect>

#include "widgets/timeline/coordinates.h"
#include "widgets/timeline/lane_layout.h"
#include "widgets/timeline/slice_index.h"
#include "widgets/view_state.h"

namespace rankscope {

/// The slice under the pointer and how many share its column.
struct HoveredSlice {
    EventRef event;
    std::uint32_t count = 1;
};

struct TimelineScene {
    std::shared_ptr<const Run> run; ///< nullptr: nothing to show
    std::vector<std::shared_ptr<const SliceIndex>> indexes; ///< one per rank; nullptr while it is being built
    LaneFolding folding;
    LaneMetrics metrics;
    LaneLayout layout;
    TimeRange visible;
    int scroll = 0; ///< the layout's y at the top of the view
    QSize size;     ///< of the lanes' area
    QPalette palette;
    QFont font;     ///< of labels
    bool focused = false;

    std::optional<EventRef> selection;
    std::optional<TimeRange> range; ///< marked for its statistics
    std::shared_ptr<const SearchHits> hits;
    std::optional<HoveredSlice> hover;
    QPoint pointer; ///< in the lanes' area

    [[nodiscard]] TimeAxis axis() const { return {visible, static_cast<double>(std::max(1, size.width()))}; }
    [[nodiscard]] int indexOfRank(int rank) const; ///< in Run::ranks, or -1
    /// Where an event is drawn, in the lanes' area (it may lie outside of what is visible); empty when folded away.
    [[nodiscard]] QRectF rectOf(const EventRef& event) const;
    /// What is drawn at a point of the lanes' area.
    [[nodiscard]] std::optional<HoveredSlice> hit(QPointF point) const;
};

} // namespace rankscope
