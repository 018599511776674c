// SPDX-License-Identifier: GPL-3.0-or-later
// Which waits a fault causes: those that are not there when the run is replayed without it.
#pragma once
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// By transfer, as StepGraph::matched. Where a replay without a fault that was told has at most half of the waiting,
/// the origin is a rank with that fault; the cause is what the fault makes longest there in the step so far. Of several
/// faults it is the one that ends most of the waiting. Other waits keep the origin of FindingInputs::waiting, and so
/// they do where a fault is one of more than half of the ranks.
std::vector<WaitOrigin> origins_by_faults(const FindingContext& context);

} // namespace rankscope
