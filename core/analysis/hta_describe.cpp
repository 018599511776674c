// SPDX-License-Identifier: GPL-3.0-or-later
// pandas' describe().
#include "core/analysis/hta_describe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace rankscope {
namespace {

double quantile(const std::vector<double>& sorted, double q) {
    const double position = q * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (position - static_cast<double>(low));
}

} // namespace

HtaDescription hta_describe(std::vector<double> values) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (values.empty()) {
        return {0, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
    }
    std::sort(values.begin(), values.end());
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return {static_cast<std::int64_t>(values.size()),
            mean,
            values.size() > 1 ? std::sqrt(squares / (count - 1)) : kNone,
            values.front(),
            quantile(values, 0.25),
            quantile(values, 0.5),
            quantile(values, 0.75),
            values.back()};
}

double hta_two_decimals(double value) {
    return std::nearbyint(value * 100.0) / 100.0;
}

} // namespace rankscope
