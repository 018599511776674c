// SPDX-License-Identifier: GPL-3.0-or-later
// How the user arranged the timeline's lanes: folded, pinned, hidden, reordered, filtered; and which names of slices
// are shown. A value that can be saved.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <QJsonObject>

#include "widgets/timeline/name_filter.h"

namespace rankscope {

/// A rank's lanes in groups, in this order. GPU synchronisation records count as annotations; what is neither stream
/// nor thread ("Spans") comes last among the threads.
enum class LaneGroup : std::uint8_t { streams, counters, annotations, threads };
inline constexpr std::size_t kLaneGroupCount = 4;

enum class LaneLevel : std::uint8_t { rank, group, lane };

/// A rank, a group of its lanes or one lane; by rank number, so that it holds while ranks arrive.
struct LaneId {
    int rank = 0;
    LaneLevel level = LaneLevel::rank;
    LaneGroup group = LaneGroup::streams; ///< of groups and lanes
    int lane = -1;                        ///< of lanes: in RankTrace::lanes; of counters: in SliceIndex::counters

    static LaneId ofRank(int rank) { return {rank, LaneLevel::rank, LaneGroup::streams, -1}; }
    static LaneId ofGroup(int rank, LaneGroup group) { return {rank, LaneLevel::group, group, -1}; }
    static LaneId ofLane(int rank, LaneGroup group, int lane) { return {rank, LaneLevel::lane, group, lane}; }
    friend auto operator<=>(const LaneId&, const LaneId&) = default;
};

/// fit: as high as lets all ranks into the view, between readable and comfortable, else normal.
enum class LaneHeight : std::uint8_t { fit, compact, normal, tall };

/// What the colour of a single slice says: what it is for, its name, the operator that launched it, or how long it
/// takes beside others of its name on all ranks.
enum class ColourBy : std::uint8_t { sliceClass, name, op, deviation };

/// What is at the top of the scrolled lanes. offset: pixels of the rank, group or lane that lie above the place.
struct LanePlace {
    LaneId id;
    int offset = 0;
    friend bool operator==(const LanePlace&, const LanePlace&) = default;
};

struct LaneArrangement {
    /// Opened or closed by the user: holds only what differs from the start. Ranks and lanes start open; groups other
    /// than the streams closed (one summary row), except where few ranks leave room for their threads.
    std::set<LaneId> folded;
    std::vector<LaneId> pinned; ///< stay at the top of the view, in this order
    std::set<LaneId> hidden;
    std::vector<int> order; ///< of all ranks, once one was moved; others follow by number
    std::string filter;     ///< only lanes with this in "rank 3 stream 7", case ignored; empty: all
    SliceNameFilter names;  ///< of slices
    LaneHeight height = LaneHeight::fit;
    ColourBy colour = ColourBy::sliceClass;

    void toggleFold(const LaneId& id);
    [[nodiscard]] bool isPinned(const LaneId& id) const;
    void togglePin(const LaneId& id); ///< pinning a rank takes its lanes' own pins away
    friend bool operator==(const LaneArrangement&, const LaneArrangement&) = default;
};

/// Moves a rank by so many places among the given ones (in their present order), as far as there are any.
void moveRank(LaneArrangement& arrangement, std::vector<int> shown, int rank, int places);

QJsonObject toJson(const LanePlace& place);
std::optional<LanePlace> lanePlaceFrom(const QJsonValue& json);
QJsonObject toJson(const LaneArrangement& arrangement);
/// What is not understood is left out: a session must open whatever it holds.
LaneArrangement laneArrangementFrom(const QJsonObject& json);

} // namespace rankscope
