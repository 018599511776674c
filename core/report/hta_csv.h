// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of Holistic Trace Analysis under its names of columns, as HTA computes them: the whole run without its last
// profiler step. The last column names the run.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"

namespace rankscope {

/// hta_idle.csv: get_idle_time_breakdown, per rank, stream and cause; us.
std::string hta_idle_csv(std::span<const AnalysedRun> runs);
/// hta_queue.csv: get_queue_length_summary, per rank and stream.
std::string hta_queue_csv(std::span<const AnalysedRun> runs);
/// hta_kernel_types.csv: the first table of get_gpu_kernel_breakdown; us, over all ranks.
std::string hta_kernel_types_csv(std::span<const AnalysedRun> runs);

} // namespace rankscope
