// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of an operation timeline would take if some of its operations were as long as on average.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/findings/what_if.h"

namespace rankscope {

/// Each change alone, and, of several, all together. rank, stage, stages and operation only: there are no kernels and
/// no host.
std::vector<Prediction> predict_operations(const Run& run, std::span<const Change> changes);

} // namespace rankscope
