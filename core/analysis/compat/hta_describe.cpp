// SPDX-License-Identifier: GPL-3.0-or-later
// pandas' describe().
#include "core/analysis/compat/hta_describe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/statistics.h"

namespace rankscope {

double hta_quantile(std::vector<double>& values, double q) {
    const double position = q * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    const double at = nth_value(values, low);
    const auto above = values.begin() + static_cast<std::ptrdiff_t>(low) + 1;
    const double next = above == values.end() ? at : *std::min_element(above, values.end());
    return at + (next - at) * (position - static_cast<double>(low));
}

HtaDescription hta_describe(std::vector<double> values) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (values.empty())
        return {0, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const auto [least, most] = std::ranges::minmax(values);
    const double median = hta_quantile(values, 0.5);
    return {static_cast<std::int64_t>(values.size()),
            mean,
            values.size() > 1 ? std::sqrt(squares / (count - 1)) : kNone,
            least,
            hta_quantile(values, 0.25),
            median,
            hta_quantile(values, 0.75),
            most};
}

double hta_two_decimals(double value) { return std::nearbyint(value * 100.0) / 100.0; }

} // namespace rankscope
