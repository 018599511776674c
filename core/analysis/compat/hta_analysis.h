// SPDX-License-Identifier: GPL-3.0-or-later
// What HTA reports for a run, gathered in one pass over each rank's HTA rows.
#pragma once
#include <vector>

#include "core/analysis/compat/hta_annotations.h"
#include "core/analysis/compat/hta_idle.h"
#include "core/analysis/compat/hta_kernels.h"
#include "core/analysis/compat/hta_launches.h"
#include "core/analysis/compat/temporal_breakdown.h"

namespace rankscope {

/// How the host fed one rank's GPU. With the last step: the idle times only.
struct HtaHost {
    std::vector<HtaIdle> idle;
    std::vector<HtaQueueSummary> queues;
    std::vector<HtaBandwidthSummary> bandwidths;
    HtaDescription launch_delay_us; ///< over the rows of get_cuda_kernel_launch_stats
    TimeNs start_span = 0;
};

struct HtaAnalysis {
    std::vector<TemporalBreakdown> breakdowns;   ///< per rank
    std::vector<std::vector<HtaKernel>> kernels; ///< per rank
    std::vector<HtaKernelType> types;            ///< of all ranks
    std::vector<HtaKernelType> types_without_memory;
    std::vector<HtaHost> host; ///< per rank
};

/// The whole run: HTA knows no selection but its own step filter.
HtaAnalysis hta_analysis(const Run& run, bool include_last_step);

} // namespace rankscope
