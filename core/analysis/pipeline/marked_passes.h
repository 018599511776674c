// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of a pipeline as annotations of the host mark them.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/pipeline/pipeline_actions.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What is launched inside belongs to the pass, or to both of two that run together.
struct MarkedPass {
    TimeRange range;                     ///< the rank's own clock
    std::vector<PipelineAction> actions; ///< one or two; their stage is -1 where the name does not tell it
    [[nodiscard]] bool forward() const;
    [[nodiscard]] bool backward() const; ///< or a part of it
};

/// What an annotation marks: "PP:3F4" and "PP:(0F7;7B3)OVERLAP_F_B" as PyTorch's schedules write, "Forward 3",
/// "backward_1", "stage 0 microbatch 2 forward". Empty where it marks no pass.
std::vector<PipelineAction> actions_marked(std::string_view annotation);

/// Of a rank, by start.
std::vector<MarkedPass> marked_passes(const RankTrace& rank);
/// The last one that starts by then, if it has not ended (passes of a rank do not overlap); nullptr without.
const MarkedPass* pass_at(const std::vector<MarkedPass>& passes, TimeNs time);

} // namespace rankscope
