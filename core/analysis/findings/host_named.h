// SPDX-License-Identifier: GPL-3.0-or-later
// What the hosts do while their GPUs wait for them: launch one piece of work after the other, or something else that
// has a name.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// Sums over the steps of all ranks.
struct HostNamed {
    TimeNs launching = 0; ///< waits of less than a millisecond: one launch comes after the other
    TimeNs other = 0;     ///< longer ones
    std::string name; ///< of what half of the longer ones are spent in, the innermost event that holds so much; else
                      ///< of what most of them are
    TimeNs named = 0; ///< that
    FindingEvent longest{.rank = 0, .event = kNoEvent, .range = {}}; ///< of that name, during such a wait

    [[nodiscard]] bool mostly_launches() const { return launching >= other; }
};
/// ranks: indices of those that are looked at.
/// only_in: steps by number; empty: all.
HostNamed name_host_time(const FindingContext& context, std::span<const std::uint32_t> ranks,
                         const std::set<std::int64_t>& only_in = {});

} // namespace rankscope
