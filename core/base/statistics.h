// SPDX-License-Identifier: GPL-3.0-or-later
// Medians and percentiles, each definition once and under its own name. All take their values by value or reorder them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace rankscope {

/// The value at this place of the ascending order. place: below values.size(). Values are reordered.
template <typename T, typename Projection = std::identity>
const T& nth_value(std::vector<T>& values, std::size_t place, Projection projection = {}) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::ranges::nth_element(values, at, {}, projection);
    return *at;
}

/// The lower of the two middle values, the middle one of an odd number. values: not empty.
template <typename T>
T lower_median(std::vector<T> values) {
    return nth_value(values, (values.size() - 1) / 2);
}

/// The one of the two middle values that is nearer to zero: of changes that all have the other sign, minus the same.
/// values: not empty.
template <typename T>
T median_nearer_zero(std::vector<T> values) {
    const T lower = nth_value(values, (values.size() - 1) / 2);
    const T upper = nth_value(values, values.size() / 2);
    return std::abs(upper) < std::abs(lower) ? upper : lower;
}

/// The upper of the two middle values. values: not empty.
template <typename T>
T upper_median(std::vector<T> values) {
    return nth_value(values, values.size() / 2);
}

/// The mean of the two middle values, as most tools print it; of integers rounded toward the lower one. values: not
/// empty.
template <typename T>
T middle_median(std::vector<T> values) {
    const T above = nth_value(values, values.size() / 2);
    if (values.size() % 2 == 1)
        return above;
    const T below = *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    if constexpr (std::is_integral_v<T>)
        return below + (above - below) / 2;
    else
        return (below + above) / 2;
}

/// The same of values that are in order already, one that is own left out. sorted: two at least.
template <typename T>
T middle_median_of_others(const std::vector<T>& sorted, T own) {
    const auto skipped = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), own) - sorted.begin());
    const auto other = [&](std::size_t i) { return sorted[i < skipped ? i : i + 1]; };
    const std::size_t count = sorted.size() - 1;
    const T upper = other(count / 2);
    return count % 2 == 1 ? upper : other(count / 2 - 1) + (upper - other(count / 2 - 1)) / 2;
}

/// The middle of values that are in order already, without rounding. sorted: not empty.
template <typename T>
double middle_of_sorted(const std::vector<T>& sorted) {
    return (static_cast<double>(sorted[(sorted.size() - 1) / 2]) + static_cast<double>(sorted[sorted.size() / 2])) / 2;
}

/// The least value that at least this share of the weight does not exceed. sorted: values in order, each with its
/// weight; not empty. share: above 0, at most 1.
inline double weighted_nearest_rank(std::span<const std::pair<double, double>> sorted, double share) {
    double all = 0;
    for (const auto& [value, weight] : sorted)
        all += weight;
    double passed = 0;
    for (const auto& [value, weight] : sorted) {
        passed += weight;
        if (passed >= share * all)
            return value;
    }
    return sorted.back().first;
}

/// The least value up to which half of the weight lies. values: each with its weight; not empty.
inline double weighted_median(std::vector<std::pair<double, double>> values) {
    std::ranges::sort(values);
    return weighted_nearest_rank(values, 0.5);
}

/// The place of a percentile by nearest rank: the least value that at least this share of all values does not exceed.
/// share: above 0, at most 1; count: above 0.
inline std::size_t nearest_rank(double share, std::size_t count) {
    return static_cast<std::size_t>(std::max(1.0, std::ceil(share * static_cast<double>(count)))) - 1;
}

/// The percentile by nearest rank. values: not empty.
template <typename T>
T nearest_rank_percentile(std::vector<T> values, double share) {
    return nth_value(values, nearest_rank(share, values.size()));
}

} // namespace rankscope
