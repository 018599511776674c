// SPDX-License-Identifier: GPL-3.0-or-later
// A clock that somebody sets while a run is recorded.
#pragma once
#include <optional>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// Calls of a group end together, so the ends that two ranks record differ by what their clocks do: that difference may
/// drift, but does not change at once.
struct ClockJump {
    std::uint32_t rank = 0;      ///< index in Run::ranks
    TimeNs by = 0;               ///< > 0: ahead
    EventIndex event = kNoEvent; ///< its first call after the jump
};
/// The largest; nothing where no clock jumps. Ranks are compared that make the same calls of a group in the same order,
/// whether the calls were matched or not: after a jump they no longer overlap. Of two ranks nobody can tell whose clock
/// it is; then the one that jumps ahead is named.
std::optional<ClockJump> find_clock_jump(const CollectiveMatching& matching);

} // namespace rankscope
