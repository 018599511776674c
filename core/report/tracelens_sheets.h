// SPDX-License-Identifier: GPL-3.0-or-later
// Sheets of report.xlsx under the names and columns of TraceLens's reports, for those who work with them. A rank's rows
// follow each other; the last column names the run. Columns that TraceLens prints and these lack: docs/accuracy.md.
#pragma once
#include "core/report/raw_sheets.h"

namespace rankscope {

Sheet ops_summary_sheet(Runs runs);             ///< by operator and innermost module
Sheet ops_summary_by_category_sheet(Runs runs); ///< by category and module
Sheet ops_unique_args_sheet(Runs runs);         ///< by operator, inputs, module and kernels
Sheet kernel_summary_sheet(Runs runs);          ///< by operator, kernel and stream
/// By the outermost operator that has a performance model, else by the operator that launched.
Sheet unified_perf_summary_sheet(Runs runs);

Sheet serving_steps_sheet(Runs runs); ///< a row for each step of a serving engine
Sheet graphs_sheet(Runs runs);        ///< a row for each node of each replayed graph
Sheet modules_sheet(Runs runs);       ///< a row for each module
/// The same for each of the first 50 steps that the ranks have, where there are several.
Sheet modules_by_step_sheet(Runs runs);

} // namespace rankscope
