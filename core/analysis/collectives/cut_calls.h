// SPDX-License-Identifier: GPL-3.0-or-later
// Collective calls that a time range cuts.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/base/time.h"

namespace rankscope {

/// windows: per rank, the range as its clock shows it. A call of which a part lies outside the range is no evidence of
/// who was late: a member that came after the end of the range is not even seen. By place in matching.matched.
std::vector<bool> cut_calls(const CollectiveMatching& matching, std::span<const TimeRange> windows);

} // namespace rankscope
