// SPDX-License-Identifier: GPL-3.0-or-later
// Where the GPU time of every iteration of a rank went.
#pragma once
#include <vector>

#include "core/analysis/gpu/rank_analysis.h"

namespace rankscope {

/// One profiler step: its wall time on the CPU, and the timeline of the GPU work that belongs to it (launched in it, as
/// in selection.h). That work may end after the step does, so gpu.total and the step's duration differ.
struct IterationRow {
    ProfilerStep step;
    GpuTimeline gpu;
};

/// In order of the steps.
std::vector<IterationRow> iteration_table(const RankAnalysis& rank);

} // namespace rankscope
