// SPDX-License-Identifier: GPL-3.0-or-later
// All that painting the timeline needs to know: the parts of the view share one and only the view changes it.
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QFont>
#include <QPalette>
#include <QRect>
#include <QStringList>

#include "core/views/event_flows.h"
#include "core/views/marked_spans.h"
#include "widgets/timeline/coordinates.h"
#include "widgets/timeline/lane_layout.h"
#include "widgets/timeline/path_line.h"
#include "widgets/timeline/slice_colours.h"
#include "widgets/timeline/slice_index.h"
#include "widgets/view_state.h"

namespace rankscope {

/// The slice under the pointer and how many share its column, which may lie a little beside the pointer.
struct HoveredSlice {
    EventRef event;
    std::uint32_t count = 1;
    double x = 0;
};

/// What the ruler's times count from. wallClock: UTC; only where the trace has absolute times.
enum class TimeOrigin { run, step, wallClock };

struct TimelineScene {
    std::shared_ptr<const Run> run;                         ///< nullptr: nothing to show
    std::vector<std::shared_ptr<const SliceIndex>> indexes; ///< one per rank; nullptr while it is being built
    std::vector<CounterNames> counterNames;                 ///< one per rank
    std::map<std::pair<int, int>, std::shared_ptr<const CounterTrack>>
        counters;                                      ///< by index of rank and number; those shown
    std::vector<std::vector<std::uint32_t>> gpuErrors; ///< errors_by_rank()
    LaneArrangement arrangement;
    std::shared_ptr<const ColourKey> colours; ///< nullptr: by class, or not computed yet
    LaneMetrics metrics;
    LaneLayout layout;
    TimeRange visible;
    int scroll = 0;       ///< how far what is not pinned is scrolled
    int pinnedHeight = 0; ///< the layout's first lines that do not scroll; 0 where they would leave no room for others
    QSize size;           ///< of the lanes' area
    TimeOrigin origin = TimeOrigin::run;
    QPalette palette;
    QFont font; ///< of labels
    bool focused = false;

    std::optional<EventRef> selection;
    std::optional<TimeRange> range;         ///< marked for its statistics
    std::vector<TimeRange> comparedRanges;  ///< put beside it
    std::shared_ptr<const KeptSlices> kept; ///< by the filter of names; nullptr: all, or not known yet
    std::shared_ptr<const SearchHits> hits;
    std::set<QString> overlays;                         ///< ids of those that are shown
    std::shared_ptr<const MarkedSpans> marks;           ///< nullptr until the run is analysed
    std::shared_ptr<const std::vector<RankPath>> paths; ///< nullptr until asked for and found
    std::shared_ptr<const PathLine> pathLine;           ///< likewise
    EventFlows flows;                                   ///< of the selection
    /// What the label tells that the keyboard led to: index in Run::ranks, and in Run::gpu_errors.
    std::optional<std::pair<std::size_t, std::uint32_t>> errorShown;
    std::optional<HoveredSlice> hover;
    QStringList hoverLines; ///< beside the pointer; the first is the title
    QPoint pointer;         ///< in the lanes' area

    [[nodiscard]] TimeAxis axis() const { return {visible, static_cast<double>(std::max(1, size.width()))}; }
    /// From the layout's y to that in the lanes' area, and back.
    [[nodiscard]] int viewY(int y) const { return y < pinnedHeight ? y : y - scroll; }
    [[nodiscard]] int layoutY(int y) const { return y < pinnedHeight ? y : y + scroll; }
    /// The layout's lines in view: what is pinned, and the rest.
    [[nodiscard]] std::array<std::pair<int, int>, 2> linesInView() const {
        return {std::pair(0, pinnedHeight),
                std::pair(pinnedHeight + scroll, std::max(pinnedHeight, size.height()) + scroll)};
    }
    [[nodiscard]] std::vector<const LaneStrip*> stripsInView() const;
    [[nodiscard]] std::set<int> ranksInView() const; ///< indexes in Run::ranks
    /// The slices that a strip shows: a row's, or the activity of its lanes. Empty for other counters than "busy", and
    /// while the rank's index is being built.
    [[nodiscard]] RowSlices slicesOf(const LaneStrip& strip) const;
    /// The counter that a strip shows, or nullptr.
    [[nodiscard]] const CounterSource* counterOf(const LaneStrip& strip) const;
    [[nodiscard]] int indexOfRank(int rank) const; ///< in Run::ranks, or -1
    /// Where an event is drawn, in the lanes' area (it may lie outside of what is visible); empty when folded away.
    [[nodiscard]] QRectF rectOf(const EventRef& event) const;
    /// The strip that shows the event, or else stands for it: its lane's first row, its group, its closed rank.
    /// nullptr: hidden.
    [[nodiscard]] const LaneStrip* stripFor(std::uint32_t rankIndex, EventIndex event) const;
    /// What is drawn at a point of the lanes' area.
    [[nodiscard]] std::optional<HoveredSlice> hit(QPointF point) const;
};

} // namespace rankscope
