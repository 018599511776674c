// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that wait for their GPUs in the middle of a step, and therefore launch too late.
//   Example: a step has waits of 10, 15 and 20 ms, in which the GPU works: the first two count (25 ms), the last one
//   ends the step.
#pragma once
#include <optional>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/findings/host_fault.h"

namespace rankscope {

/// Whether any host is seen to wait for its GPU. Else it may do so in a way that is not recorded, and look like a host
/// that works.
bool waits_recorded(const StepGraph& graph);
/// Of each rank, aligned: when its GPU works. A transfer of a call counts from its last arrival on.
std::vector<IntervalSet> busy_times(const FindingContext& context);
/// busy: of busy_times().
std::optional<HostFault> synchronisation_of_hosts(const FindingContext& context, const std::vector<IntervalSet>& busy);

} // namespace rankscope
