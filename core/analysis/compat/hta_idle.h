// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's get_idle_time_breakdown.
#pragma once
#include <vector>

#include "core/analysis/compat/hta_describe.h"
#include "core/analysis/compat/hta_rows.h"
#include "core/analysis/gpu/idle_causes.h"

namespace rankscope {

/// One line of HTA's get_idle_time_breakdown, in its rounding; ratio is NaN when the stream is never idle.
struct HtaIdle {
    std::int64_t stream = -1;
    IdleCause cause = IdleCause::other;
    double time_us = 0;
    double ratio = 0;
    HtaDescription intervals; ///< its interval statistics, us, two decimals
};

/// Causes that never occur have no line, other always has one. Unlike ours a gap counts from the row before even when
/// an earlier one ends later, so it may be negative.
std::vector<HtaIdle> hta_idle(const RankTrace& rank, const std::vector<HtaRow>& rows);

} // namespace rankscope
