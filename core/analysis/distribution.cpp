// SPDX-License-Identifier: GPL-3.0-or-later
// Mean and percentiles, in linear time.
#include "core/analysis/distribution.h"

#include <algorithm>
#include <numeric>

namespace rankscope {

Distribution distribution_of(std::vector<TimeNs> values) {
    Distribution d;
    if (values.empty())
        return d;
    const auto nearest_rank = [&](std::size_t percent) {
        const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() * percent + 99) / 100 - 1);
        std::nth_element(values.begin(), at, values.end());
        return *at;
    };
    d.count = static_cast<std::int64_t>(values.size());
    d.sum = std::accumulate(values.begin(), values.end(), TimeNs{0});
    d.mean = static_cast<double>(d.sum) / static_cast<double>(d.count);
    d.p50 = nearest_rank(50);
    d.p95 = nearest_rank(95);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    d.min = *least;
    d.max = *most;
    return d;
}

} // namespace rankscope
