// SPDX-License-Identifier: GPL-3.0-or-later
// How far values scatter, whatever a few of them are.
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/statistics.h"

namespace rankscope {

/// Standard deviation of a normal distribution, over the median of the distances from the median.
inline constexpr double kNormalDeviation = 1.4826;

/// Standard deviation of a normal distribution, from the median of the distances from the median. values: not empty.
inline double robust_deviation(std::vector<double> values) {
    const double median = middle_median(values);
    for (double& value : values)
        value = std::abs(value - median);
    return kNormalDeviation * middle_median(std::move(values));
}

} // namespace rankscope
