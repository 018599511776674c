// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives of compiled programs name all groups that run at the same time; which of them is the rank's follows from
// its number.
#pragma once
#include <string>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// "{0,1},{2,3}", of long lists the start and a checksum: equal lists have equal texts.
std::string replica_groups_text(const std::vector<std::vector<int>>& groups);

/// Gives each collective, among the groups of its description, the one that the rank belongs to.
void choose_replica_groups(RankTrace& rank);

} // namespace rankscope
