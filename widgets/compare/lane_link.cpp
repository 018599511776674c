// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the lanes of two timelines together.
#include "widgets/compare/lane_link.h"

#include <algorithm>
#include <optional>
#include <set>

#include <QScopedValueRollback>

#include "core/compare/lane_pairing.h"
#include "widgets/timeline/lane_layout.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

LanePairs lanePairs(const RunAnalysis& own, const RunAnalysis& other) {
    LanePairs pairs;
    for (const auto& rank : own.run().ranks)
        if (const RankTrace* twin = twinRank(own.run(), rank->rank, other.run()))
            pairs[rank->rank] = {twin->rank, pair_lanes(*rank, *twin, own.rules().classes, other.rules().classes)};
    return pairs;
}

LaneLink::LaneLink(TimelineView* baseline, TimelineView* test, QObject* parent)
    : QObject(parent), baseline_(baseline), test_(test) {
    for (const CompareSide side : {CompareSide::baseline, CompareSide::test}) {
        connect(
            &timeline(side), &TimelineView::arrangementChanged, this, [this, side] { followArrangement(side); });
        connect(&timeline(side), &TimelineView::scrolled, this, [this, side] { followScroll(side); });
    }
}

void LaneLink::setPairs(LanePairs fromBaseline, LanePairs fromTest) {
    fromBaseline_ = std::move(fromBaseline);
    fromTest_ = std::move(fromTest);
    markUnpaired(CompareSide::baseline);
    markUnpaired(CompareSide::test);
}

/// What the other run lacks has a mark: its line there is not missing by mistake.
void LaneLink::markUnpaired(CompareSide side) {
    const QString meaning = side == CompareSide::baseline
                                ? tr("\u25c7 only in the baseline: the test has no such lane")
                                : tr("\u25c7 only in the test: the baseline has no such lane");
    std::map<LaneId, QString> alone;
    const auto& run = timeline(side).scene().run;
    if (run && !pairs(side).empty())
        for (const auto& rank : run->ranks) {
            if (!counterpart(side, LaneId::ofRank(rank->rank))) {
                alone.emplace(LaneId::ofRank(rank->rank), meaning);
                continue;
            }
            for (std::size_t i = 0; i < rank->lanes.size(); ++i) {
                const LaneId id = LaneId::ofLane(rank->rank, laneGroupOf(rank->lanes[i].kind), static_cast<int>(i));
                if (!counterpart(side, id))
                    alone.emplace(id, meaning);
            }
        }
    timeline(side).markLanes(std::move(alone));
}

std::optional<LaneId> LaneLink::counterpart(CompareSide from, const LaneId& id) const {
    if (pairs(from).empty())
        return id;
    const auto rank = pairs(from).find(id.rank);
    if (rank == pairs(from).end())
        return std::nullopt;
    LaneId twin = id;
    twin.rank = rank->second.twin;
    // Groups are the same in every rank, and counters are named alike.
    if (id.level != LaneLevel::lane || id.group == LaneGroup::counters)
        return twin;
    const auto index = static_cast<std::size_t>(id.lane);
    if (index >= rank->second.lanes.size() || rank->second.lanes[index] < 0)
        return std::nullopt;
    twin.lane = rank->second.lanes[index];
    return twin;
}

void LaneLink::followArrangement(CompareSide leader) {
    if (following_ || !linked_)
        return;
    const QScopedValueRollback guard(following_, true);
    const CompareSide follower = otherSide(leader);
    const LaneArrangement& wanted = timeline(leader).arrangement();
    const LaneArrangement& present = timeline(follower).arrangement();
    LaneArrangement result = wanted;
    // What only the follower has stays as it is there.
    const auto carry = [&](const std::set<LaneId>& from, const std::set<LaneId>& own) {
        std::set<LaneId> carried;
        for (const LaneId& id : from)
            if (const auto twin = counterpart(leader, id))
                carried.insert(*twin);
        for (const LaneId& id : own)
            if (!counterpart(follower, id))
                carried.insert(id);
        return carried;
    };
    // Ranks that are numbered otherwise cannot stand in the same order.
    const bool sameNumbers = std::all_of(wanted.order.begin(), wanted.order.end(), [&](int rank) {
        return counterpart(leader, LaneId::ofRank(rank)) == LaneId::ofRank(rank);
    });
    if (!sameNumbers)
        result.order = present.order;
    result.folded = carry(wanted.folded, present.folded);
    result.hidden = carry(wanted.hidden, present.hidden);
    result.pinned.clear();
    for (const LaneId& id : wanted.pinned)
        if (const auto twin = counterpart(leader, id))
            result.pinned.push_back(*twin);
    timeline(follower).setArrangement(result);
}

void LaneLink::followScroll(CompareSide leader) {
    if (following_ || !linked_)
        return;
    const QScopedValueRollback guard(following_, true);
    if (const auto place = timeline(leader).topPlace())
        if (const auto twin = counterpart(leader, place->id))
            timeline(otherSide(leader)).showAtTop({*twin, place->offset});
}

} // namespace rankscope
