// SPDX-License-Identifier: GPL-3.0-or-later
// ops_diff.csv and modules_diff.csv: what ran more or less often, or longer, in each test run than in the baseline.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"

namespace rankscope {

/// One row per device and name of either run, largest change of time first; counts and times are means over ranks.
std::string operator_diff_csv(std::span<const AnalysedRun> runs);

/// Whether a trace names modules.
bool has_module_changes(std::span<const AnalysedRun> runs);
/// One row per module of either run, parents first; numbers are means over ranks.
std::string module_diff_csv(std::span<const AnalysedRun> runs);

} // namespace rankscope
