// SPDX-License-Identifier: GPL-3.0-or-later
// What the user says of kernels, devices and machines, and measures besides: handed to each RunAnalysis, so that two
// runs may be analysed by different rules side by side.
#pragma once
#include <memory>
#include <vector>

#include "core/analysis/operators/peak_flops.h"
#include "core/analysis/selection/kernel_class_rules.h"

namespace rankscope {

struct Metric; // core/metrics/metric.h

/// Without a word of the user's: the built-in classes and peaks, the built-in metrics alone.
struct AnalysisRules {
    KernelClassRules classes;
    std::vector<DevicePeak> peaks;                      ///< asked before the table, in their order
    std::vector<std::shared_ptr<const Metric>> metrics; ///< the user's own, behind the built-in ones

    int gpus_per_machine = 0; ///< ranks in a row that share one, of runs that do not tell; 0: not known

    bool operator==(const AnalysisRules&) const = default;
};

} // namespace rankscope
