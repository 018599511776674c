// SPDX-License-Identifier: GPL-3.0-or-later
// What grew in the memory snapshots of two runs, by category and by place in the program: memory_diff.csv, a sheet and
// a section of report.html.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"
#include "core/report/sheet.h"

namespace rankscope {

/// Whether two snapshots of one rank can be compared.
bool has_memory_changes(std::span<const AnalysedRun> runs);

/// memory_diff.csv: one row for each category and each place in the program that changed, of each rank; the largest
/// change first.
std::string memory_diff_csv(std::span<const AnalysedRun> runs);

/// The same of one test as a sheet of the comparison's workbook.
Sheet memory_diff_sheet(const AnalysedRun& baseline, const AnalysedRun& test);

/// Sentences, and tables of the rank that changed most. Empty without snapshots to compare.
std::string memory_diff_section(const AnalysedRun& test);

} // namespace rankscope
