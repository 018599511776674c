// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's temporal breakdown, as HTA runs it (rules-hta.md 2-6): its class patterns, its step filter, its rounding.
#pragma once
#include "core/analysis/compat/hta_rows.h"
#include "core/trace/run.h"

namespace rankscope {

/// Times in whole microseconds as HTA prints them; percentages of kernel_time with two decimals.
struct TemporalBreakdown {
    int rank = 0;
    std::int64_t idle_us = 0;
    std::int64_t compute_us = 0;
    std::int64_t non_compute_us = 0;
    std::int64_t kernel_us = 0;
    double idle_percent = 0;
    double compute_percent = 0;
    double non_compute_percent = 0;
    double comm_comp_overlap_percent = 0; ///< get_comm_comp_overlap; NaN without communication
};

TemporalBreakdown temporal_breakdown(const RankTrace& rank, const std::vector<HtaRow>& rows);

} // namespace rankscope
