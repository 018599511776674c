// SPDX-License-Identifier: GPL-3.0-or-later
// Work that only one of two runs does, by name.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"
#include "core/compare/operator_diff.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// "aten::index_add_ is new: +0.800 ms on all ranks" where kernels of one run only account for at least half of the
/// change, and none of the other run stand in their place; the operator that launches them where it is new as well,
/// else the kernel. The time is of the ranks that are named. kernels: of an iteration of a rank, largest change first.
/// change_us: of computation.
Message new_work_cause(const RunAnalysis& baseline, const RunAnalysis& test, const std::vector<OperatorChange>& kernels,
                       double change_us);

/// Names short enough to read. What two names have in common is left out where they differ too late to be seen.
std::string name_apart(std::string_view name, std::string_view other);

} // namespace rankscope
