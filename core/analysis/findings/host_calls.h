// SPDX-License-Identifier: GPL-3.0-or-later
// What calls of certain kinds cost the hosts: loading data, Python's garbage collection, allocating GPU memory.
//   Example: an allocation takes 5 ms, of which the first use of a library explains 4 ms: 1 ms.
#pragma once
#include <vector>

#include "core/analysis/findings/host_first_use.h"

namespace rankscope {

/// first: its times are left out.
std::vector<HostFault> faults_of_host_calls(const FindingContext& context, const FirstUses& first);

} // namespace rankscope
