// SPDX-License-Identifier: GPL-3.0-or-later
// What must end before each operation of a step can start, from what one pipeline ran (Lin et al., OSDI '25).
//   Stage 1: forward-recv 0, forward-compute 0, forward-send 0. Each one of these waits for the one before it, and
//   forward-recv 0 ends together with forward-send 0 of stage 0.
#pragma once
#include <vector>

#include "core/analysis/slowdown/worker_operations.h"

namespace rankscope {

/// Sets nodes, dependencies, groups and order of the graph, or why it is unavailable. stages: what each ran.
void build_structure(OperationGraph& graph, bool data_parallel,
                     const std::vector<const std::vector<WorkerOperation>*>& stages);

} // namespace rankscope
