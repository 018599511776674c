// SPDX-License-Identifier: GPL-3.0-or-later
// Count and duration statistics per kernel name.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/selection/kernel_class_rules.h"
#include "core/analysis/selection/selection.h"

namespace rankscope {

/// Durations in ns; standard deviation is the sample's (n - 1), 0 for a single instance.
struct KernelStatistics {
    NameId name = 0;
    KernelClass kernel_class = KernelClass::compute;
    std::int64_t count = 0;
    TimeNs total = 0;
    TimeNs min = 0;
    TimeNs max = 0;
    double mean = 0;
    double standard_deviation = 0;
};

/// One row per (name, class), largest total first, ties by name text.
std::vector<KernelStatistics> kernel_table(const RankTrace& rank, std::span<const GpuSlice> work,
                                           const KernelClassRules& classes);

} // namespace rankscope
