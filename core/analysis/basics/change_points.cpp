// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/basics/change_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// Regularised incomplete beta function by its continued fraction (NIST DLMF 8.17.22), evaluated by Lentz's method.
double incomplete_beta(double a, double b, double x) {
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    if (x > (a + 1) / (a + b + 2))
        return 1 - incomplete_beta(b, a, 1 - x);
    constexpr double kTiny = 1e-300;
    constexpr int kMostTerms = 500;
    const auto away_from_0 = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x)) / a;
    double c = 1;
    double d = 1 / away_from_0(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m < kMostTerms; ++m) {
        for (const double term : {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                                  -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
            d = 1 / away_from_0(1 + term * d);
            c = away_from_0(1 + term / c);
            fraction *= c * d;
        }
        if (std::abs(c * d - 1) < std::numeric_limits<double>::epsilon())
            break;
    }
    return front * fraction;
}

double level_mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double level_median(std::span<const double> values) {
    return middle_median(std::vector<double>(values.begin(), values.end()));
}

/// The most telling split of [begin, end), and those on each side of it.
void split_levels(std::span<const double> all, std::size_t begin, std::size_t end, std::vector<std::size_t>& places,
                  std::vector<ChangePoint>& found) {
    const std::span<const double> values = all.subspan(begin, end - begin);
    const std::size_t n = values.size();
    if (n < 2 * kLeastOfALevel)
        return;
    const double mean = level_mean(values); // taken off, so that sums of squares keep their digits
    double all_squares = 0;
    for (const double value : values)
        all_squares += (value - mean) * (value - mean);
    double left_sum = 0;
    double best = -1;
    std::size_t place = 0;
    for (std::size_t k = 1; k + kLeastOfALevel <= n; ++k) {
        left_sum += values[k - 1] - mean;
        if (k < kLeastOfALevel)
            continue;
        const auto left = static_cast<double>(k);
        const auto right = static_cast<double>(n - k);
        const double between = left_sum * left_sum * (1 / left + 1 / right); // sum of squares that the split explains
        if (between > best) {
            best = between;
            place = k;
        }
    }
    const double within = std::max(0.0, all_squares - best);
    const double smallest = std::abs(mean) * 1e-12; // what rounding alone can make
    if (place == 0 || best <= smallest * smallest * static_cast<double>(n))
        return;
    // The noise, told in two ways: by what the split leaves, and by neighbours, which other changes do not disturb.
    double differences = 0;
    for (std::size_t i = 1; i < n; ++i)
        differences += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
    const auto chance_of = [&](double variance, double degrees) {
        const double least = smallest * smallest + std::numeric_limits<double>::min();
        return student_tail(std::sqrt(best / std::max(variance, least)), degrees);
    };
    const double left = static_cast<double>(n - 2);
    const double between_neighbours = 2 * static_cast<double>(n - 1); // as a variance two thirds of n - 1 degrees
    const double chance =
        2 * static_cast<double>(all.size()) *
        std::min(chance_of(within / left, left), chance_of(differences / between_neighbours, between_neighbours / 3));
    const double means = level_mean(values.subspan(place)) - level_mean(values.first(place));
    const double medians = level_median(values.subspan(place)) - level_median(values.first(place));
    if (chance > kChangeChance || medians * means <= 0 || std::abs(medians) < std::abs(means) / 2)
        return;
    split_levels(all, begin, begin + place, places, found);
    places.push_back(begin + place);
    ChangePoint change;
    change.first = begin + place;
    change.chance = chance;
    found.push_back(change);
    split_levels(all, begin + place, end, places, found);
}

} // namespace

double student_tail(double t, double degrees) { return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)); }

std::vector<ChangePoint> change_points(std::span<const double> values) {
    std::vector<std::size_t> places;
    std::vector<ChangePoint> found;
    split_levels(values, 0, values.size(), places, found);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t begin = i == 0 ? 0 : places[i - 1];
        const std::size_t end = i + 1 == found.size() ? values.size() : places[i + 1];
        found[i].before = level_mean(values.subspan(begin, found[i].first - begin));
        found[i].after = level_mean(values.subspan(found[i].first, end - found[i].first));
    }
    return found;
}

} // namespace rankscope
