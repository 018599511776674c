// SPDX-License-Identifier: GPL-3.0-or-later
// A row of a table that knows only the sums over all runs of a kernel, where no events were recorded.
#pragma once
#include <cstdint>

#include "core/trace/event_table.h"

namespace rankscope {

struct KernelSum {
    NameId name = 0;
    EventKind kind = EventKind::kernel;
    std::int64_t count = 0;
    TimeNs total = 0;
    TimeNs min = 0;
    TimeNs max = 0;
    double mean = 0;               ///< ns
    double median = 0;             ///< ns; 0 when not given
    double standard_deviation = 0; ///< ns, of the sample
};

} // namespace rankscope
