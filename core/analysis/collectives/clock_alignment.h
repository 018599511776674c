// SPDX-License-Identifier: GPL-3.0-or-later
// How far the ranks' clocks differ, told by collectives that end together (metrics.md, "Clock alignment").
#pragma once
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

enum class Align : std::uint8_t { automatic, none, collectives };

/// offset[i]: what the clock of rank i (index in Run::ranks) is ahead of its root's, the lowest rank it shares
/// collectives or messages with, directly or through others; all 0 when not applied. A clock that runs faster than its
/// root's is that much ahead at origin, in the middle of the calls.
struct ClockAlignment {
    bool applied = false;
    std::vector<TimeNs> offset{};
    std::vector<double> drift{}; ///< by rank: what it gains on its root, of the time that passes; empty: no clock does
    TimeNs origin = 0;           ///< aligned
    TimeNs largest_difference = 0; ///< of the pairs' median end differences, as recorded
    TimeNs residual = 0; ///< median |difference of ends| that the offsets leave; 0 without synchronising calls
    /// Of one synchronising call in ten, at least so long lies between the end of one member and the start of another
    /// that is later, as aligned: clocks that agree never show that. 0: they fit.
    TimeNs contradiction = 0;
    [[nodiscard]] std::string_view method() const { return applied ? "collectives" : "none"; }
    /// What the rank recorded, on the clock of its root; and back.
    [[nodiscard]] TimeNs aligned(std::size_t rank, TimeNs recorded) const;
    [[nodiscard]] TimeNs recorded(std::size_t rank, TimeNs aligned) const;
    [[nodiscard]] TimeRange aligned(std::size_t rank, TimeRange recorded) const {
        return {aligned(rank, recorded.begin), aligned(rank, recorded.end)};
    }
    [[nodiscard]] TimeRange recorded(std::size_t rank, TimeRange aligned) const {
        return {recorded(rank, aligned.begin), recorded(rank, aligned.end)};
    }
};

/// The clock of one rank (index in Run::ranks).
struct RankClock {
    const ClockAlignment& clock;
    std::size_t rank = 0;
    template <typename Time>
    [[nodiscard]] Time aligned(Time recorded) const {
        return clock.aligned(rank, recorded);
    }
    template <typename Time>
    [[nodiscard]] Time recorded(Time aligned) const {
        return clock.recorded(rank, aligned);
    }
};

/// automatic: applied when some pair's median difference exceeds 50 us and is at least twenty times the residual, or,
/// where the clocks as recorded contradict the calls, five times. Members of a call over sockets end apart by a tenth
/// of its transfer, always in the same order: that is no clock. Clocks drift where a line through each pair's
/// differences halves the residual.
ClockAlignment align_clocks(const CollectiveMatching& matching, std::size_t ranks, Align align);

/// Offsets across all ranks: clock's, and where only messages connect sets of ranks, these sets by
/// them as well. A receive ends no earlier than its send; sets stay as they are where the clocks as they are keep that
/// within 50 us, in both directions. Else a message is taken to end together at both ends.
std::vector<TimeNs> offsets_by_messages(const CollectiveMatching& matching, const ClockAlignment& clock);

/// clock with these offsets, after what clocks of such sets gain on each other, where that is more than 50 us and a
/// line through the ends of messages that waited for each other shows it. applied where either moves a set.
ClockAlignment joined_by_messages(const CollectiveMatching& matching, ClockAlignment clock);

} // namespace rankscope
