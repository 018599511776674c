// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace rankscope {

/// A metric's value as a screen shows it: "13.69 GB", "59.54 ms", "41.2 %", "0.85". unit: Metric::unit.
std::string value_words(double value, std::string_view unit);
/// "+10.0 %"
std::string change_words(double percent);

} // namespace rankscope
