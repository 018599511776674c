// SPDX-License-Identifier: GPL-3.0-or-later
// Which waits a fault causes: those that are not there when the run is replayed without it.
#pragma once
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// By transfer, as StepGraph::matched: FindingInputs::waiting's origins, but where the replay without a fault that was
/// told has at most half of the waiting, the fault's rank and what it takes out there. Of several faults that which
/// ends most of the waiting. Faults of most ranks tell no origin.
std::vector<WaitOrigin> origins_by_faults(const FindingContext& context);

} // namespace rankscope
