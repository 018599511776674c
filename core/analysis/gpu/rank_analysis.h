// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU work of one rank inside the selection, and its timeline.
#pragma once
#include <optional>
#include <vector>

#include "core/analysis/gpu/gpu_timeline.h"
#include "core/analysis/selection/selection.h"

namespace rankscope {

/// What is known of one rank under the selection.
struct RankAnalysis {
    const RankTrace* trace = nullptr;
    std::vector<GpuSlice> gpu_work;
    std::vector<ProfilerStep> steps;
    /// When the GPU has finished what was queued before the recording (end_of_queued_work()), where that is after the
    /// start of the first of gpu_work.
    std::optional<TimeNs> queued_until;
    GpuTimeline timeline; ///< from then on
    GpuTimeline
        linked_timeline; ///< only events with an arrow from their launch, from the first on (TraceLens's default)

    /// From the start of the first work until then: not known what the GPU did.
    [[nodiscard]] TimeNs queued() const { return queued_until ? *queued_until - gpu_work.front().range.begin : 0; }
};

} // namespace rankscope
