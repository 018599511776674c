// SPDX-License-Identifier: GPL-3.0-or-later
// Mean, median and percentiles, in linear time.
#include "core/analysis/basics/distribution.h"

#include <algorithm>
#include <numeric>

#include "core/base/statistics.h"

namespace rankscope {

Distribution distribution_of(std::vector<TimeNs> values) {
    Distribution d;
    if (values.empty())
        return d;
    d.count = static_cast<std::int64_t>(values.size());
    d.sum = std::accumulate(values.begin(), values.end(), TimeNs{0});
    d.mean = static_cast<double>(d.sum) / static_cast<double>(d.count);
    d.median = middle_median(values);
    d.p50 = nearest_rank_percentile(values, 0.50);
    d.p95 = nth_value(values, nearest_rank(0.95, values.size()));
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    d.min = *least;
    d.max = *most;
    return d;
}

} // namespace rankscope
