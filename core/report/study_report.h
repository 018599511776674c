// SPDX-License-Identifier: GPL-3.0-or-later
// A study as CSV and JSON.
#pragma once
#include <string>

#include "core/compare/study.h"

namespace rankscope {

/// One row for each run and metric.
std::string study_csv(const Study& study);
/// `rankscope.study.v1`, see docs/cli.md.
std::string study_json(const Study& study);
/// "iter_time: +1.0 % with run_17 (120.3 to 121.5 ms); the chance that noise looks so: 3e-07"
std::string study_change_text(const Study& study, const StudyChange& change);

} // namespace rankscope
