// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of which nothing tells who took part.
#pragma once
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// The group is guessed from a stream and has messages to unlike neighbours, which part_unknown_calls() has parted.
bool has_messages(const CommGroup& group, const std::vector<MatchedCall>& calls);

/// Calls of which nothing tells the ranks become one of each member. unlike_stages: ranks of the run send messages to
/// unlike neighbours, so that a guessed group may be one of each stage, whose calls end when the stage is done.
void part_unknown_calls(const CollectiveMatching& matching, const CommGroup& group, bool unlike_stages,
                        std::vector<MatchedCall>& calls);

} // namespace rankscope
