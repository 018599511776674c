// SPDX-License-Identifier: GPL-3.0-or-later
// In which steps the calls of which groups are slow.
//   Example: a group's call takes 2 ms in each of 4 steps, other groups take 1 ms: ratio 2.0, 4 calls, 4 ms too long.
//   Example: all groups of a dimension take 1 ms in steps 1 to 6 and 2 ms in steps 7 to 10: one SlowLink.
#pragma once
#include <cstdint>
#include <map>

#include "core/analysis/findings/link_calls.h"
#include "core/analysis/findings/link_fault.h"

namespace rankscope {

/// Calls of each group together, and dimensions of which all groups are slow in the same steps.
struct SlowGroups {
    std::map<std::uint32_t, SlowLink> by_group;
    std::map<GroupLayout, SlowLink> dimensions;
};
SlowGroups slow_groups(const FindingContext& context, const std::map<SameCalls, CallsByGroup>& calls);

} // namespace rankscope
