// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks the places of operation timelines are, once all files of a run are read.
#pragma once
#include <vector>

#include "core/input/find/run_folder.h"

namespace rankscope {

/// Numbers the ranks as Megatron-LM does by default, tp innermost, then dp, then pp, and gives their groups the
/// members. Sizes of the mesh are those of the operations, or larger ones from the job's meta file beside a timeline:
/// meta-NAME.yaml beside timeline-NAME.json, or the only meta*.yaml of the folder (dp_size, pp_size, tp_size,
/// dsp_size). Ranks without operations stay as they are.
void place_operation_ranks(const std::vector<RankFile>& files, std::vector<Result<RankTraces>>& results,
                           Notices& notices);

} // namespace rankscope
