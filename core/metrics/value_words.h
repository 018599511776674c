// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace rankscope {

/// A metric's value as a screen shows it: "13.69 GB", "59.54 ms", "41.2 %", "0.85". unit: Metric::unit.
std::string value_words(double value, std::string_view unit);
/// Digits and a point, never an exponent: 374868 is "374900" with four of them.
std::string plain_digits(double value, int significant = 4);
/// "656.4 ± 210": the value with four digits, the spread with two.
std::string digits_with_spread(double value, double spread);
/// "+10.0 %"
std::string change_words(double percent);

} // namespace rankscope
