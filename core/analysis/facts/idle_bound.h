// SPDX-License-Identifier: GPL-3.0-or-later
// The most that hosts can be to blame for.
//   A GPU has nothing to do for 12.7 of 77.5 ms: whatever its host does, 12.7 ms are the most that this costs.
#pragma once
#include <vector>

#include "core/analysis/facts/facts.h"

namespace rankscope {

/// ns of a step of step_ns, which may start with a launch before the first GPU work that facts count from. Of some
/// ranks the most that the GPU of one of them has nothing to do, be it in a bubble, or that one comes last by alone: a
/// host that launches late delays work that others wait for, also where its own GPU has other work meanwhile. Of all
/// ranks (none given) the mean that they have nothing to do, with the waits for each other, which pass a delay on.
double most_that_hosts_cost_ns(const Facts& facts, const std::vector<int>& ranks, double step_ns);

} // namespace rankscope
