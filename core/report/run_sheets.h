// SPDX-License-Identifier: GPL-3.0-or-later
// report.xlsx: what the individual and collective reports of the RCCL workflow hold, in one workbook.
#pragma once
#include <span>
#include <vector>

#include "core/compare/analysed_run.h"
#include "core/report/rank_csv.h"
#include "core/report/sheet.h"

namespace rankscope {

/// Per rank: GPU timeline, steps, operators, kernels, short kernels, GEMM, attention and convolution performance. All
/// ranks: metrics and collective summaries. The last column of each names the run. filter: of the kernel sheets.
std::vector<Sheet> run_sheets(std::span<const AnalysedRun> runs, const NameFilter& filter = {});

} // namespace rankscope
