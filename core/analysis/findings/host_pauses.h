// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that pause: they take longer in some steps at a place where they usually do not.
//   Example: steps of 100 ms; at one place a host takes 1 ms and scatters by 0.1 ms; in step 10 it takes 31 ms: it
//   pauses for 30 ms. Less than 2 ms (2 % of a step) would be no pause.
#pragma once
#include <optional>

#include "core/analysis/findings/host_fault.h"

namespace rankscope {

/// The host takes longer in some steps at a place where it does not in most, or its peers do not: it writes a
/// checkpoint, a log, or collects garbage that is not recorded.
std::optional<HostFault> pauses_of_hosts(const FindingContext& context);

} // namespace rankscope
