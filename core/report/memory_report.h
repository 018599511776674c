// SPDX-License-Identifier: GPL-3.0-or-later
// Memory snapshots as JSON and as CSV (docs/cli.md, "memory").
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/compare/analysed_run.h"
#include "core/compare/memory_comparison.h"
#include "core/metrics/metric.h"

namespace rankscope {

bool has_memory_snapshots(std::span<const AnalysedRun> runs);

/// Only of a run with snapshots.
Json snapshot_memory_json(const RunAnalysis& analysis);

/// How the snapshots of two runs differ; null where no two are of one rank and device.
Json memory_comparison_json(const std::vector<DeviceMemoryComparison>& pairs);

/// memory.csv: one row for each device of each snapshot.
std::string memory_csv(std::span<const AnalysedRun> runs);
/// memory_live.csv: what was live at the peaks, by place in the program.
std::string memory_live_csv(std::span<const AnalysedRun> runs);
/// memory_history.csv: active, reserved and fragmented bytes after each event.
std::string memory_history_csv(std::span<const AnalysedRun> runs);

} // namespace rankscope
