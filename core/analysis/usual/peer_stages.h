// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks run the same part of the model and can be compared.
#pragma once
#include <vector>

#include "core/analysis/pipeline/pipeline_bubble.h"

namespace rankscope {

/// Per rank (as Run::ranks): its pipeline stage where that is known. Else ranks that are connected by collectives of
/// groups smaller than the run have one number (data-, tensor- and expert-parallel groups lie inside a stage; messages
/// lead from one to the next). Where that tells nothing: a number of its own for each rank of a pipeline, else -1 for
/// all.
std::vector<int> peer_stages(const Run& run, const CollectiveMatching& matching, const PipelineAnalysis& pipeline);

} // namespace rankscope
