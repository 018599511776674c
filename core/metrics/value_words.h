// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "core/metrics/metric.h"

namespace rankscope {

/// A metric's value as a screen shows it: "13.69 GB", "59.54 ms", "41.2 %", "0.85". unit: Metric::unit.
std::string value_words(double value, std::string_view unit);
/// "at least 2.61 GB/s" where the recording tells no more (MetricResult::bound).
std::string value_words(const MetricResult& result, std::string_view unit);
/// "at least ", "at most " or "".
std::string_view bound_words(ValueBound bound);
/// "≥ ", "≤ " or "": before a value in a table.
std::string_view bound_sign(ValueBound bound);
/// Digits and a point, never an exponent: 374868 is "374900" with four of them.
std::string plain_digits(double value, int significant = 4);
/// "656.4 ± 210": the value with four digits, the spread with two.
std::string digits_with_spread(double value, double spread);
/// "+10.0 %", "+0.0 %"
std::string change_words(double percent);

} // namespace rankscope
