// SPDX-License-Identifier: GPL-3.0-or-later
// Facts (core/analysis/facts) for other programs.
#pragma once
#include "core/metrics/metric.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// Times in us, exact to the nanosecond; ratios as they are; null where there is nothing to compare with. Of what the
/// host was in, the longest 20.
Json facts_json(const RunAnalysis& analysis);

} // namespace rankscope
