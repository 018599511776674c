// SPDX-License-Identifier: GPL-3.0-or-later
// The straight line that fits points best, by least squares.
#pragma once
#include <cstddef>
#include <vector>

namespace rankscope {

struct StraightLine {
    double slope = 0;
    double at_zero = 0;  ///< y at x = 0
    double explains = 0; ///< of the variance of y: 1 where all points lie on the line; 0 where all y are equal
};

/// x, y: of equal size, not empty. Level where all x are equal.
inline StraightLine straight_line(const std::vector<double>& x, const std::vector<double>& y) {
    const auto count = static_cast<double>(x.size());
    double mean_x = 0;
    double mean_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mean_x += x[i] / count;
        mean_y += y[i] / count;
    }
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    const double slope = xx > 0 ? xy / xx : 0;
    return {slope, mean_y - slope * mean_x, xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0};
}

} // namespace rankscope
