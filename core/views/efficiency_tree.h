// SPDX-License-Identifier: GPL-3.0-or-later
// The factors of parallel efficiency as a tree, each with what to look at where it is low.
#pragma once
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// Below this, POP says, a factor is worth attention.
inline constexpr double kLowEfficiency = 0.8;

struct EfficiencyRow {
    int depth = 0;
    Message name;
    double value = 1;
    Message look_at; ///< empty where the factor is not low
    [[nodiscard]] bool low() const { return value < kLowEfficiency; }
};

/// Depth first, the whole first. Empty where there is none.
std::vector<EfficiencyRow> efficiency_tree(const RunAnalysis& analysis);

struct ScalingEfficiency {
    double computation_scaling = 1; ///< useful time of the baseline over that of the test, over all ranks of a step
    double global = 1;              ///< x parallel efficiency of the test
};
ScalingEfficiency scaling_efficiency(const ParallelEfficiency& baseline, const ParallelEfficiency& test);

} // namespace rankscope
