// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows of which lanes lie where on the timeline, given what is folded. Plain geometry: no widget, no painting.
#pragma once
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

/// A rank's lanes in three groups, in this order. GPU synchronisation records count as annotations; what is neither
/// stream nor thread ("Spans") comes last among the threads.
enum class LaneGroup : std::uint8_t { streams, annotations, threads };
LaneGroup laneGroupOf(LaneKind kind);

/// Heights in pixels.
struct LaneMetrics {
    int streamRow = 16;
    int threadRow = 15;
    int summaryRow = 12;
    int rankGap = 5;        ///< below each rank
    int rankMinimum = 24;   ///< a rank is never lower than this: its label has to fit
};

/// What the user opened or closed, by rank number, so that it survives ranks arriving while the run loads. Holds only
/// what differs from the start: ranks and lanes open; annotations and threads closed (drawn as one summary row),
/// except where few ranks leave room for them.
struct LaneFolding {
    std::set<int> ranks;
    std::set<std::pair<int, LaneGroup>> groups;
    std::set<std::pair<int, int>> lanes; ///< (rank, index of lane); a closed lane shows its outermost row only
};

/// One row of pixels across the timeline. A lane's row, or a summary of several rows.
struct LaneStrip {
    int top = 0;
    int height = 0;
    int rankIndex = 0; ///< in Run::ranks
    LaneGroup group = LaneGroup::streams;
    int lane = -1;     ///< in RankTrace::lanes; -1: a summary
    std::vector<std::uint32_t> rows; ///< in RankTrace::rows; one, unless a summary

    [[nodiscard]] int bottom() const { return top + height; }
    [[nodiscard]] bool isSummary() const { return lane < 0; }
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
};

/// Everything sorted by top; strips do not overlap.
struct LaneLayout {
    std::vector<LaneStrip> strips;
    std::vector<LaneHeader> headers;
    std::vector<RankBlock> ranks;
    int height = 0;

    /// Strips that reach into [top, bottom).
    [[nodiscard]] std::span<const LaneStrip> stripsBetween(int top, int bottom) const;
    [[nodiscard]] const LaneStrip* stripAt(int y) const;
    /// The strip that shows this row by itself, or nullptr while it is folded away.
    [[nodiscard]] const LaneStrip* stripOf(int rankIndex, std::uint32_t row) const;
};

LaneLayout layoutLanes(const Run& run, const LaneFolding& folding, const LaneMetrics& metrics);

/// Rows as high as fit `height` without scrolling, between readable and comfortable; the usual ones where none fit.
LaneMetrics metricsFitting(const Run& run, int height);

} // namespace rankscope
