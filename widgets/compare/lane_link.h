// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the lanes of two timelines together: what is folded, pinned, hidden or scrolled in one is so in the other.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include <QObject>

#include "widgets/compare/run_link.h"
#include "widgets/timeline/lane_arrangement.h"

namespace rankscope {

class TimelineView;

/// A rank's counterpart in the other run, and for every lane its own there, or -1.
struct RankPair {
    int twin = 0;
    std::vector<int> lanes;
};
/// By rank number; ranks without a counterpart are left out.
using LanePairs = std::map<int, RankPair>;
LanePairs lanePairs(const RunAnalysis& own, const RunAnalysis& other);

class LaneLink : public QObject {
    Q_OBJECT
public:
    LaneLink(TimelineView* baseline, TimelineView* test, QObject* parent = nullptr);

    /// Counterparts of the baseline's lanes in the test and the other way round; empty: everything pairs by its number.
    void setPairs(LanePairs fromBaseline, LanePairs fromTest);
    void setLinked(bool linked) { linked_ = linked; }

    /// The same rank, group or lane in the other timeline; nothing when the other run has no such lane.
    [[nodiscard]] std::optional<LaneId> counterpart(CompareSide from, const LaneId& id) const;

private:
    void markUnpaired(CompareSide side);
    void followArrangement(CompareSide leader);
    void followScroll(CompareSide leader);
    [[nodiscard]] TimelineView& timeline(CompareSide side) const {
        return side == CompareSide::baseline ? *baseline_ : *test_;
    }
    [[nodiscard]] const LanePairs& pairs(CompareSide from) const {
        return from == CompareSide::baseline ? fromBaseline_ : fromTest_;
    }

    TimelineView* baseline_;
    TimelineView* test_;
    LanePairs fromBaseline_;
    LanePairs fromTest_;
    bool linked_ = true;
    bool following_ = false;
};

} // namespace rankscope
