// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows of which lanes lie where on the timeline, given how they are arranged. Plain geometry: no widget, no
// painting.
#pragma once
#include <span>
#include <vector>

#include "core/trace/run.h"
#include "widgets/timeline/lane_arrangement.h"

namespace rankscope {

LaneGroup laneGroupOf(LaneKind kind);
/// The rows that make up a group's summary: all of the streams, the outermost few of other lanes (nested ones lie
/// inside them, and the outermost of a thread are annotations).
std::vector<std::uint32_t> summaryRows(const RankTrace& trace, LaneGroup group);

/// Heights in pixels.
struct LaneMetrics {
    int streamRow = 16;
    int threadRow = 15;
    int summaryRow = 12;
    int rankGap = 5;      ///< below each rank
    int rankMinimum = 24; ///< a rank is never lower than this: its label has to fit
    int counterRow = 40;
};

/// One row of pixels across the timeline. A lane's row, a summary of several rows, or a counter.
struct LaneStrip {
    int top = 0;
    int height = 0;
    int rankIndex = 0; ///< in Run::ranks
    LaneGroup group = LaneGroup::streams;
    int lane = -1;                   ///< as in LaneId; -1: a summary
    std::vector<std::uint32_t> rows; ///< in RankTrace::rows; one, unless a summary; none of a counter

    [[nodiscard]] int bottom() const { return top + height; }
    [[nodiscard]] bool isSummary() const { return lane < 0; }
    [[nodiscard]] bool isCounter() const { return lane >= 0 && group == LaneGroup::counters; }
};

/// What the header column writes beside one lane, group or closed rank.
struct LaneHeader {
    int top = 0;
    int height = 0;
    int rankIndex = 0;
    LaneGroup group = LaneGroup::streams;
    int lane = -1; ///< -1: the group (or, when the rank is closed, all of it)
    int lanes = 0; ///< of a group: how many
    bool foldable = false;
    bool open = true;
};

struct RankBlock {
    int top = 0;
    int height = 0;
    int rankIndex = 0;
    bool open = true;
    bool whole = true; ///< false: some pinned lanes of the rank
};

/// Everything sorted by top; strips do not overlap. What is pinned comes first, in [0, pinnedHeight).
struct LaneLayout {
    std::vector<LaneStrip> strips;
    std::vector<LaneHeader> headers;
    std::vector<RankBlock> ranks;
    std::vector<std::vector<std::uint32_t>> stripsOfRank; ///< by index in Run::ranks: positions in strips
    int height = 0;
    int pinnedHeight = 0;

    /// Strips that reach into [top, bottom); headers and ranks likewise.
    [[nodiscard]] std::span<const LaneStrip> stripsBetween(int top, int bottom) const;
    [[nodiscard]] std::span<const LaneHeader> headersBetween(int top, int bottom) const;
    [[nodiscard]] std::span<const RankBlock> ranksBetween(int top, int bottom) const;
    [[nodiscard]] const LaneStrip* stripAt(int y) const;
    /// The strip that shows this row by itself, or nullptr while it is folded away, hidden or filtered out.
    [[nodiscard]] const LaneStrip* stripOf(int rankIndex, std::uint32_t row) const;
};

/// Names of a rank's counters.
using CounterNames = std::vector<std::string>;

/// counters: by index in Run::ranks; of ranks beyond its end nothing is known yet.
LaneLayout layoutLanes(const Run& run, const LaneArrangement& arrangement, const LaneMetrics& metrics,
                       std::span<const CounterNames> counters = {});

/// Rows as high as fit `height` without scrolling, between readable and comfortable; the usual ones where not even half
/// of the readable ones fit. readable: the lowest row that a label fits, pixels.
LaneMetrics metricsFitting(const Run& run, int height, int readable, std::span<const CounterNames> counters = {});
LaneMetrics metricsFor(const Run& run, LaneHeight wanted, int height, int readable,
                       std::span<const CounterNames> counters = {});

/// Rank numbers in the order they are shown, hidden ones too.
std::vector<int> rankOrder(const Run& run, const LaneArrangement& arrangement);

} // namespace rankscope
