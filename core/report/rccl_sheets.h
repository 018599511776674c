// SPDX-License-Identifier: GPL-3.0-or-later
// final_analysis_report.xlsx: runs side by side in the sheets that the users of the RCCL comparison know (metrics.md,
// "Comparing runs").
#pragma once
#include <span>
#include <vector>

#include "core/compare/analysed_run.h"
#include "core/report/sheet.h"

namespace rankscope {

/// runs: the baseline first, at least two. For every test run its set of sheets ("GPU_Summary_Cmp", then
/// "GPU_Summary_Cmp_2" ...), then the raw numbers of all runs on hidden ones.
std::vector<Sheet> comparison_sheets(std::span<const AnalysedRun> runs);

} // namespace rankscope
