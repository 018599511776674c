// SPDX-License-Identifier: GPL-3.0-or-later
// How far the ranks' clocks differ, told by collectives that end together (metrics.md, "Clock alignment").
#pragma once
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

enum class Align : std::uint8_t { automatic, none, collectives };

/// offset[i]: what the clock of rank i (index in Run::ranks) is ahead of its root's, the lowest rank it shares
/// collectives or messages with, directly or through others; all 0 when not applied. Aligned time = recorded time -
/// offset.
struct ClockAlignment {
    bool applied = false;
    std::vector<TimeNs> offset;
    TimeNs largest_difference = 0; ///< of the pairs' median end differences, as recorded
    TimeNs residual = 0; ///< median |difference of ends| that the offsets leave; 0 without synchronising calls
    [[nodiscard]] std::string_view method() const { return applied ? "collectives" : "none"; }
};

/// automatic: applied when some pair's median difference exceeds 50 us and is at least five times the residual.
ClockAlignment align_clocks(const CollectiveMatching& matching, std::size_t ranks, Align align);

/// Offsets across all ranks: clock's, and where only messages connect sets of ranks, these sets by
/// them as well. A receive ends no earlier than its send; sets stay as they are where the clocks as they are keep that
/// within 50 us, in both directions. Else a message is taken to end together at both ends.
std::vector<TimeNs> offsets_by_messages(const CollectiveMatching& matching, const ClockAlignment& clock);

/// clock with these offsets; applied where they move a set.
ClockAlignment joined_by_messages(const CollectiveMatching& matching, ClockAlignment clock);

} // namespace rankscope
