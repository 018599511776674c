// SPDX-License-Identifier: GPL-3.0-or-later
// nsys_trace.csv and nsys_sum.csv: the tables cuda_gpu_trace and cuda_gpu_sum of `nsys stats --format csv`, for what
// reads those.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"
#include "core/report/rank_csv.h"

namespace rankscope {

/// Whether a run comes from Nsight Systems: only then these files are written.
bool has_nsys_tables(std::span<const AnalysedRun> runs);

/// The columns of cuda_gpu_trace (times in ns from the start of the session, sizes in MB of 10^6), then Rank and Run.
/// Events of the selection, whole even where they cross its border, as with --filter-time. Ordered by start. Header
/// alone where only sums are known.
std::string nsys_trace_csv(std::span<const AnalysedRun> runs, const NameFilter& filter = {});
/// The columns of cuda_gpu_sum over all ranks of a run, then Run. Percentages are of the rows listed.
std::string nsys_sum_csv(std::span<const AnalysedRun> runs, const NameFilter& filter = {});

} // namespace rankscope
