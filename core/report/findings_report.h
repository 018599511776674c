// SPDX-License-Identifier: GPL-3.0-or-later
// Findings with their evidence, as sheets of a workbook and as a section of report.html.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"
#include "core/report/sheet.h"

namespace rankscope {

/// One row per finding, in the order of findings.csv.
Sheet findings_sheet(std::span<const AnalysedRun> runs);
/// One row per event or number that shows one; column "finding" counts within a run, from 1.
Sheet evidence_sheet(std::span<const AnalysedRun> runs);
/// The summary, and each finding with what shows it. Times count from the run's first event, as in the timeline.
std::string findings_section(const AnalysedRun& run);

} // namespace rankscope
