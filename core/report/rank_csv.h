// SPDX-License-Identifier: GPL-3.0-or-later
// The CSV files with one or more rows per rank. The last column of each names the run.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/compare/analysed_run.h"

namespace rankscope {

/// Which kernel names a table keeps; empty: all.
using NameFilter = std::function<bool(std::string_view)>;

/// ranks.csv: one row per rank, the gpu_timeline fields and the lag at collectives
/// (core/analysis/collectives/straggler.h).
std::string ranks_csv(std::span<const AnalysedRun> runs);
/// iterations.csv: one row per rank and profiler step (core/analysis/gpu/iteration_table.h); start_us counts from the
/// run's first event; computation + exposed comm + exposed memcpy + idle = gpu_total.
std::string iterations_csv(std::span<const AnalysedRun> runs);
/// kernels.csv: one row per rank, kernel name and class.
std::string kernels_csv(std::span<const AnalysedRun> runs, const NameFilter& filter = {});
/// breakdown.csv: HTA's temporal breakdown under HTA's column names, as HTA computes it; then the same with the last
/// profiler step, HTA's overlap, and the exact values of the gpu_timeline. HTA's columns always cover the whole run.
std::string breakdown_csv(std::span<const AnalysedRun> runs);

} // namespace rankscope
