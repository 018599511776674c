// SPDX-License-Identifier: GPL-3.0-or-later
// One sheet each of the numbers behind a report, all runs below each other; the last column, "source", names the run.
#pragma once
#include <span>

#include "core/compare/analysed_run.h"
#include "core/report/sheet.h"

namespace rankscope {

/// GB/s to GiB/s, in which TraceLens prints bandwidths.
inline constexpr double kGibPerGb = 1e9 / 1073741824.0;

using Runs = std::span<const AnalysedRun>;

Sheet metrics_sheet(Runs runs);           ///< a row for each metric
Sheet gpu_mean_sheet(Runs runs);          ///< GPU timeline: type, mean over ranks
Sheet gpu_rank_sheet(Runs runs);          ///< GPU timeline: type, rank
Sheet gpu_rank_times_sheet(Runs runs);    ///< GPU timeline in ms: a column for each rank
Sheet gpu_rank_percents_sheet(Runs runs); ///< the same in percent of the rank's total
Sheet steps_sheet(Runs runs);             ///< rank, profiler step
Sheet implicit_sync_sheet(Runs runs);     ///< TraceLens's nccl_summary_implicit_sync
Sheet long_collectives_sheet(Runs runs);  ///< TraceLens's nccl_summary_long
Sheet all_to_allv_sheet(Runs runs);       ///< TraceLens's nccl_summary_all2allv
Sheet stragglers_sheet(Runs runs);        ///< TraceLens's straggler_summary

} // namespace rankscope
