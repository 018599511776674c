// SPDX-License-Identifier: GPL-3.0-or-later
// How many decimals a number is written with.
#pragma once
#include <cmath>

namespace rankscope {

/// At most `most` decimals, and fewer where the number would have more significant digits than `digits`. Looks at the
/// rounded number: 9.9996 has two decimals, not three, since it is written "10.00".
inline int shown_decimals(double number, int most, int digits = 4) {
    const double size = std::abs(number);
    int decimals = most;
    while (decimals > 0 && !(size < std::pow(10.0, digits - decimals) - 0.5 * std::pow(10.0, -decimals)))
        --decimals;
    return decimals;
}

} // namespace rankscope
