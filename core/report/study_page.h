// SPDX-License-Identifier: GPL-3.0-or-later
// A study as a page, and as sheets of a workbook.
#pragma once
#include <string>
#include <vector>

#include "core/compare/study.h"
#include "core/report/sheet.h"

namespace rankscope {

/// report.html of --study: the runs as a table, changes of level in words, efficiency, and each metric that all runs
/// have as a small chart.
std::string study_html(const Study& study);

/// "Study": a row for each run, a column for each metric and one for its spread. "Changes": a row for each change of
/// level, where there are any.
std::vector<Sheet> study_sheets(const Study& study);

} // namespace rankscope
