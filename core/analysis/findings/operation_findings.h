// SPDX-License-Identifier: GPL-3.0-or-later
// What costs time in an operation timeline: replays of its operations, which hold no kernels, launches and sizes.
#pragma once
#include <vector>

#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/slowdown/operation_graph.h"

namespace rankscope {

/// Of the steps that are looked at.
OperationGraph operation_graph_of(const FindingInputs& inputs);
/// Workers that are slower than the others of their stage, uneven stages, uneven microbatches, communication, and
/// operations that start late.
void find_in_operations(const FindingContext& context, const OperationGraph& graph, std::vector<Finding>& found);
Judged judge_operations(const OperationGraph& graph);

} // namespace rankscope
