// SPDX-License-Identifier: GPL-3.0-or-later
// pandas' describe(), which is how HTA sums up intervals, queue lengths and bandwidths.
#pragma once
#include <cstdint>
#include <vector>

namespace rankscope {

/// std: n - 1; all but count NaN without values, std also with one. Quartiles by linear interpolation.
struct HtaDescription {
    std::int64_t count = 0;
    double mean = 0;
    double std = 0;
    double min = 0;
    double q25 = 0;
    double q50 = 0;
    double q75 = 0;
    double max = 0;
};

HtaDescription hta_describe(std::vector<double> values);
/// As pandas' quantile(), q in [0, 1]: linear between the two values next to it. values: not empty; are reordered.
double hta_quantile(std::vector<double>& values, double q);
/// As pandas rounds: half to even.
double hta_two_decimals(double value);

} // namespace rankscope
