// SPDX-License-Identifier: GPL-3.0-or-later
// Which stage of a pipeline a rank runs.
#pragma once
#include <vector>

#include "core/analysis/collectives/parallel_dimension.h"

namespace rankscope {

/// What told the stages. groups: the place of the rank in a recorded group of pipeline stages; messages: the first
/// message of the first stage goes to the second one, and so on; mesh: the order of the dimensions is not recorded, so
/// the usual one is assumed (pp outermost).
enum class StageMethod : std::uint8_t { none, groups, messages, mesh };

struct PipelineStages {
    StageMethod method = StageMethod::none;
    std::vector<int> stage; ///< per rank, as Run::ranks; -1: unknown
};

/// stage_count: what the configuration says, 0 when it says nothing. A method counts when it tells the stage of every
/// rank; else the next one is asked.
PipelineStages pipeline_stages(const Run& run, const CollectiveMatching& matching, int stage_count);

} // namespace rankscope
