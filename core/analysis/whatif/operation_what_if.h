// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of an operation timeline would take if some of its operations took another time.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/slowdown/operation_graph.h"
#include "core/analysis/whatif/what_if.h"

namespace rankscope {

/// Each change alone, and, of several, all together. graph: of the run's operations; findings: of the same steps. There
/// are no launches, groups and hosts to change.
std::vector<Prediction> predict_operations(const Run& run, const OperationGraph& graph, const Findings& findings,
                                           std::span<const Change> changes);

} // namespace rankscope
