// SPDX-License-Identifier: GPL-3.0-or-later
// Mean, median and percentiles of times, for tables that need no more.
#pragma once
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// ns. p50 and p95 by nearest rank; all 0 without values.
struct Distribution {
    std::int64_t count = 0;
    TimeNs sum = 0;
    double mean = 0;
    TimeNs min = 0;
    TimeNs median = 0; ///< of an even number the mean of the two middle ones
    TimeNs p50 = 0;    ///< the lower of them
    TimeNs p95 = 0;
    TimeNs max = 0;
};

Distribution distribution_of(std::vector<TimeNs> values);

} // namespace rankscope
