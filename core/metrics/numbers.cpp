// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics shared by the metrics.
#include "core/metrics/numbers.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

} // namespace

double percent_of(double part, double whole) { return whole == 0 ? kNone : 100.0 * part / whole; }

double mean_of(std::span<const double> values) {
    return values.empty() ? kNone
                          : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sample_deviation(std::span<const double> values) {
    if (values.size() < 2)
        return values.empty() ? kNone : 0;
    const double mean = mean_of(values);
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double nearest_rank(std::vector<double> values, double percent) {
    if (values.empty())
        return kNone;
    return nearest_rank_percentile(std::move(values), percent / 100.0);
}

void put(Json& object, std::string_view key, double value) {
    if (std::isfinite(value))
        object[std::string(key)] = value;
}

} // namespace rankscope
