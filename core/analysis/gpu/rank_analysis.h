// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU work of one rank inside the selection, and its timeline.
#pragma once
#include <vector>

#include "core/analysis/gpu/gpu_timeline.h"
#include "core/analysis/selection/selection.h"

namespace rankscope {

/// What is known of one rank under the selection.
struct RankAnalysis {
    const RankTrace* trace = nullptr;
    std::vector<GpuSlice> gpu_work;
    std::vector<ProfilerStep> steps;
    GpuTimeline timeline;
    GpuTimeline linked_timeline; ///< only events with an arrow from their launch (TraceLens's default)
};

} // namespace rankscope
