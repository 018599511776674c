// SPDX-License-Identifier: GPL-3.0-or-later
// Small statistics and JSON numbers shared by the metrics. JSON never holds NaN: a value that does not exist is left
// out.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "core/metrics/metric.h"

namespace rankscope {

/// 100 * part / whole; NaN when whole is 0.
double percent_of(double part, double whole);
double mean_of(std::span<const double> values);                  ///< NaN when empty
double sample_deviation(std::span<const double> values);         ///< n - 1; 0 for one value, NaN when empty
double nearest_rank(std::vector<double> values, double percent); ///< value at rank ceil(p/100 * n); NaN when empty

/// A computed (mean, deviation) time in ns as microseconds with three decimals.
inline double rounded_us(double ns) { return std::round(ns) / 1000.0; }
/// Six decimals: milliseconds to the nanosecond, and percentages finer than anyone reads.
inline double rounded(double value) { return std::round(value * 1e6) / 1e6; }

/// Writes the value unless it is not finite.
void put(Json& object, std::string_view key, double value);

} // namespace rankscope
