// SPDX-License-Identifier: GPL-3.0-or-later
// Collective calls of two runs, paired by what they send and by their place.
#pragma once
#include <optional>

#include "core/run/run_analysis.h"

namespace rankscope {

/// Half of the 95 % interval of the change of the bus bandwidth, GB/s. The n-th call of a size in a group is held
/// against the n-th one of the other run: that large and small messages are not equally fast is no uncertainty. Nothing
/// without two pairs of some size.
std::optional<double> bandwidth_interval(const RunAnalysis& baseline, const RunAnalysis& test);

} // namespace rankscope
