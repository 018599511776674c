// SPDX-License-Identifier: GPL-3.0-or-later
// Each rank of a hang: what it finished last, what it called last, and in which calls it waits for whom.
#pragma once
#include <vector>

#include "core/analysis/hang/hang_verdicts.h"
#include "core/analysis/hang/wait_graph.h"

namespace rankscope {

/// Those of which something was said, as in Hang::ranks.
std::vector<HangRank> describe_ranks(const HangVerdicts& verdicts, const HangWaits& waits, const WaitGraph& graph);

} // namespace rankscope
