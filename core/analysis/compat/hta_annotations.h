// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's statistics of user annotations, and which annotation each kernel ran under (rules-hta.md 8), as run.
#pragma once
#include <string>
#include <vector>

#include "core/analysis/compat/hta_kernels.h"

namespace rankscope {

/// get_gpu_user_annotation_breakdown: statistics per name of the annotations on the GPU, or on the CPU; type is not
/// used. Largest sum first, ties by name.
std::vector<HtaKernel> hta_annotations(const RankTrace& rank, HtaFilter filter, EventKind kind);

} // namespace rankscope
