// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's get_temporal_breakdown and get_comm_comp_overlap for one rank.
#include "core/analysis/compat/temporal_breakdown.h"

#include <cmath>
#include <limits>

#include "core/analysis/compat/hta_rows.h"

namespace rankscope {
namespace {

/// As pandas rounds: half to even, on the product.
double percent_of(TimeNs part, TimeNs whole) {
    if (whole == 0)
        return std::numeric_limits<double>::quiet_NaN();
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return std::nearbyint(percent * 100.0) / 100.0;
}

std::int64_t whole_us(TimeNs ns) { return static_cast<std::int64_t>(std::llround(static_cast<double>(ns) / 1000.0)); }

} // namespace

TemporalBreakdown temporal_breakdown(const RankTrace& rank, const std::vector<HtaRow>& rows) {
    TemporalBreakdown result;
    result.rank = rank.rank;
    result.comm_comp_overlap_percent = std::numeric_limits<double>::quiet_NaN();
    if (rows.empty())
        return result;
    const std::vector<TimeRange> busy = hta_merge(rows);
    const std::vector<TimeRange> computation = hta_merge(rows, HtaClass::computation);
    const std::vector<TimeRange> communication = hta_merge(rows, HtaClass::communication);
    const TimeNs span = busy.back().end - busy.front().begin;
    const TimeNs idle = span - hta_measure(busy);
    const TimeNs compute = hta_measure(computation);
    result.kernel_us = whole_us(span);
    result.idle_us = whole_us(idle);
    result.compute_us = whole_us(compute);
    result.non_compute_us = result.kernel_us - result.compute_us - result.idle_us;
    result.idle_percent = percent_of(idle, span);
    result.compute_percent = percent_of(compute, span);
    result.non_compute_percent = percent_of(span - compute - idle, span);
    if (!communication.empty()) {
        const TimeNs both = measure(intersect(merge(computation), merge(communication)));
        result.comm_comp_overlap_percent = percent_of(both, hta_measure(communication));
    }
    return result;
}

} // namespace rankscope
