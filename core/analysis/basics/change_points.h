// SPDX-License-Identifier: GPL-3.0-or-later
// At which places of a series its level changes for good: nightly runs, steps of one run.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace rankscope {

struct ChangePoint {
    std::size_t first = 0; ///< of the values on the new level
    double before = 0;     ///< mean of the values since the change before this one
    double after = 0;      ///< mean of the values up to the next change
    double chance = 1;     ///< at most: that values without a change look like this somewhere in the series
};

/// Largest chance at which a change is told: one false one in 2000 series.
inline constexpr double kChangeChance = 5e-4;
/// Values on each side of a change.
inline constexpr std::size_t kLeastOfALevel = 3;

/// Binary segmentation: the split with the largest t statistic of two means (of equal variance), its chance times the
/// number of splits (Bonferroni), on each side again. The noise is told by what the split leaves and by differences of
/// neighbours, and the smaller chance of the two, doubled, counts. A change of the means that the medians do not share
/// is an outlier, and none. Ascending. Values have to be finite. O(n^2) at worst.
std::vector<ChangePoint> change_points(std::span<const double> values);

/// P(|T| > t) of Student's distribution.
double student_tail(double t, double degrees);

} // namespace rankscope
