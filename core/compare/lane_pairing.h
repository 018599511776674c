// SPDX-License-Identifier: GPL-3.0-or-later
// Which lane of a rank plays the part of which lane of the same rank in another run.
#pragma once
#include <vector>

#include "core/analysis/selection/kernel_class_rules.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What a GPU stream spends most of its busy time on.
enum class StreamRole : std::uint8_t { compute, communication, copy };

/// For every lane of `own` the index of its counterpart in `other`, or -1. Lanes pair within their kind: first those of
/// the same stream number and role, or the same thread name ("pt_autograd_0"; numbers of threads mean nothing in
/// another process), then those of the same role in the order of the trace; each once. classes: how each run's kernels
/// are classified.
std::vector<int> pair_lanes(const RankTrace& own, const RankTrace& other, const KernelClassRules& own_classes = {},
                            const KernelClassRules& other_classes = {});

} // namespace rankscope
