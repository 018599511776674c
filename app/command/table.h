// SPDX-License-Identifier: GPL-3.0-or-later
// The whole report as aligned text: what --batch --full prints.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"
#include "core/compare/gate.h"
#include "core/report/rank_csv.h"

namespace rankscope {

/// Every run (its metrics by topic, its ranks, its longest kernels), then the comparisons, then the gates. Names from
/// traces are made safe for a terminal.
std::string report_text(std::span<const AnalysedRun> runs, std::span<const GateResult> gates,
                        const NameFilter& kernel_filter);

/// What --list-metrics prints.
std::string metric_list_text(const MetricList& own);

} // namespace rankscope
