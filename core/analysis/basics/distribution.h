// SPDX-License-Identifier: GPL-3.0-or-later
// Mean and percentiles of times, for tables that need no more.
#pragma once
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// ns. Percentiles by nearest rank; all 0 without values.
struct Distribution {
    std::int64_t count = 0;
    TimeNs sum = 0;
    double mean = 0;
    TimeNs min = 0;
    TimeNs p50 = 0;
    TimeNs p95 = 0;
    TimeNs max = 0;
};

Distribution distribution_of(std::vector<TimeNs> values);

} // namespace rankscope
