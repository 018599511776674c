// SPDX-License-Identifier: GPL-3.0-or-later
// At which places of a series its level changes for good: nightly runs, steps of one run.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
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

/// Where a series is on a higher level than usual for a while, or from some value on.
struct RaisedLevel {
    std::size_t first = 0;     ///< of the values on the higher level
    std::size_t last = 0;      ///< included
    double usual = 0;          ///< mean of the other values, outliers left out
    double raised = 0;         ///< mean of those on the higher level, likewise
    double chance = 1;         ///< as ChangePoint::chance, the largest of its ends
    bool gradual = false;      ///< a line fits better than levels: usual and raised are its ends, and all values count
    std::vector<bool> outlier; ///< per value: one or two values apart from those before and after them, or a start that
                               ///< takes longer; brought to what is near before levels are looked for
};

/// Sample deviation of values in their order, around each of their levels where the level changes for good: a run that
/// becomes slower half way does not spread for that. Two values or more.
double deviation_around_levels(std::span<const double> values);

/// By change_points(), or, where there are none, the stretch that differs most from what is before and after it (three
/// values or more each). Nothing where the series starts on the higher level, where there are several higher stretches,
/// or where the level is lower at the end. A slow start and slow values now and then (each n-th) are no level.
std::optional<RaisedLevel> raised_level(std::span<const double> values);

/// The line through the values (least squares) rises and fits better than any two levels. By chance that is so in one
/// of 2000 series at most. Twice kLeastOfALevel values or more.
bool grows_steadily(std::span<const double> values);

/// First and last value of the line through the values (least squares). Two values or more.
std::pair<double, double> line_ends(std::span<const double> values);

/// P(|T| > t) of Student's distribution.
double student_tail(double t, double degrees);

} // namespace rankscope
