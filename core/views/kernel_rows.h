// SPDX-License-Identifier: GPL-3.0-or-later
// GPU work by name with its spread, and how long launches take: what the table of kernels shows.
#pragma once
#include <vector>

#include "core/analysis/basics/distribution.h"
#include "core/analysis/selection/selected_time.h"
#include "core/run/run_analysis.h"

namespace rankscope {

struct KernelRow {
    NameId name = 0;
    KernelClass kernel_class = KernelClass::compute;
    ComputeKind compute_kind = ComputeKind::other; ///< of compute
    Distribution time;                             ///< durations, as the selection clips them
    double share = 0;                              ///< of the sum of all rows, 0 to 1
};
/// By name and class; largest sum first, ties by name.
std::vector<KernelRow> kernel_rows(const RunAnalysis& analysis, RankChoice rank);

/// Start on the GPU - start of the call, as LaunchAnalysis::delay counts it, ns.
std::vector<TimeNs> launch_delays(const RunAnalysis& analysis, RankChoice rank);

/// Leaf operators of the rank, or of all as one; largest direct time first.
std::vector<OperatorRow> chosen_leaves(const RunAnalysis& analysis, RankChoice rank);
/// Likewise OperatorAnalysis::modelled: what the roofline shows.
std::vector<OperatorRow> chosen_modelled(const RunAnalysis& analysis, RankChoice rank);

} // namespace rankscope
