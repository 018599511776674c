// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the hosts launch work: a cause of GPUs that wait for them.
#pragma once
#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// "the host takes 20.0 us -> 40.0 us from one launch to the next (900 launches an iteration)" where both runs launch
/// as often and that, times the launches, is at least half of the change; else empty. The median over all ranks, so
/// that one slow host is none of it, and only where the step changed the same way. change: of the time that GPUs wait
/// for their hosts, ns an iteration.
Message launch_pace_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                          const StepAccount& after, double change);

} // namespace rankscope
