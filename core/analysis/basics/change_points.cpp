// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/basics/change_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/analysis/basics/robust_deviation.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// std::lgamma() also writes a global sign: two threads must not call it at once.
double log_gamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

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
        std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x)) / a;
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

constexpr double kOutlier = 5;                  ///< deviations
constexpr double kOfTheChange = 0.25;           ///< an outlier that is nearer to a level than this is on it
constexpr std::size_t kMostForStretches = 4000; ///< values: there are n^2 / 2 stretches

std::optional<double> median_beside(std::span<const double> values, std::size_t begin, std::size_t end) {
    if (begin >= end)
        return {};
    return level_median(values.subspan(begin, end - begin));
}

/// Values that neither those before them nor those after them share, brought to the nearer of the two.
std::vector<double> without_outliers(std::span<const double> values, std::vector<bool>& outlier) {
    const std::size_t n = values.size();
    std::vector<double> result(values.begin(), values.end());
    outlier.assign(n, false);
    std::vector<double> distances;
    for (std::size_t i = 1; i < n; ++i)
        distances.push_back(std::abs(values[i] - values[i - 1]) / std::sqrt(2.0));
    if (distances.empty())
        return result;
    const double deviation = kNormalDeviation * level_median(distances);
    const double least = std::max(kOutlier * deviation, std::abs(level_mean(values)) * 1e-9);
    std::size_t start = 0; // the first value that is no outlier: those before it are no neighbours
    for (std::size_t i = 0; i < n; ++i) {
        const auto before = median_beside(values, std::max(start, i - std::min(i, kLeastOfALevel)), i);
        const auto after = median_beside(values, i + 1, std::min(n, i + 1 + kLeastOfALevel));
        const double below = before ? values[i] - *before : values[i] - *after;
        const double above = after ? values[i] - *after : values[i] - *before;
        outlier[i] = below * above > 0 && std::min(std::abs(below), std::abs(above)) > least;
        if (outlier[i])
            result[i] = values[i] - (std::abs(below) < std::abs(above) ? below : above);
        if (outlier[i] && start == i)
            start = i + 1;
    }
    return result;
}

/// Sum of the squared distances from the line through the values.
double beside_line(std::span<const double> values) {
    const auto [first, last] = line_ends(values);
    const double slope = (last - first) / static_cast<double>(values.size() - 1);
    double left = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double distance = values[i] - first - slope * static_cast<double>(i);
        left += distance * distance;
    }
    return left;
}

/// Stretches between changes.
struct Level {
    std::size_t begin = 0;
    std::size_t end = 0;
    double mean = 0;
};

std::vector<Level> levels_of(std::span<const double> values, const std::vector<ChangePoint>& changes) {
    std::vector<Level> levels;
    std::size_t begin = 0;
    const auto add = [&](std::size_t end) {
        levels.push_back({begin, end, level_mean(values.subspan(begin, end - begin))});
        begin = end;
    };
    for (const ChangePoint& change : changes)
        add(change.first);
    add(values.size());
    return levels;
}

double beside_levels(std::span<const double> values, const std::vector<Level>& levels) {
    double left = 0;
    for (const Level& level : levels)
        for (std::size_t i = level.begin; i < level.end; ++i)
            left += (values[i] - level.mean) * (values[i] - level.mean);
    return left;
}

/// The stretch inside the values whose mean differs most from that of all others, by the t statistic of two means, its
/// chance times the number of stretches: a level that comes back is none of two halves.
std::vector<Level> inner_stretch(std::span<const double> values, double& chance) {
    const std::size_t n = values.size();
    if (n < 3 * kLeastOfALevel || n > kMostForStretches)
        return {};
    const double mean = level_mean(values);
    std::vector<double> sums{0};
    double all_squares = 0;
    for (const double value : values) {
        sums.push_back(sums.back() + value - mean);
        all_squares += (value - mean) * (value - mean);
    }
    double best = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    for (std::size_t i = kLeastOfALevel; i + 2 * kLeastOfALevel <= n; ++i)
        for (std::size_t j = i + kLeastOfALevel; j + kLeastOfALevel <= n; ++j) {
            const auto inside = static_cast<double>(j - i);
            const double between =
                (sums[j] - sums[i]) * (sums[j] - sums[i]) * (1 / inside + 1 / (static_cast<double>(n) - inside));
            if (between > best) {
                best = between;
                begin = i;
                end = j;
            }
        }
    const double least = std::abs(mean) * 1e-12 + std::numeric_limits<double>::min();
    if (best <= least * least * static_cast<double>(n))
        return {};
    const auto degrees = static_cast<double>(n - 2);
    const double variance = std::max(all_squares - best, 0.0) / degrees;
    chance =
        static_cast<double>(n * n) / 2 * student_tail(std::sqrt(best / std::max(variance, least * least)), degrees);
    std::vector<double> outside(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(begin));
    outside.insert(outside.end(), values.begin() + static_cast<std::ptrdiff_t>(end), values.end());
    const double means = level_mean(values.subspan(begin, end - begin)) - level_mean(outside);
    const double medians = level_median(values.subspan(begin, end - begin)) - level_median(outside);
    if (chance > kChangeChance || medians * means <= 0 || std::abs(medians) < std::abs(means) / 2)
        return {};
    return {{0, begin, level_mean(values.first(begin))},
            {begin, end, level_mean(values.subspan(begin, end - begin))},
            {end, n, level_mean(values.subspan(end))}};
}

} // namespace

double deviation_around_levels(std::span<const double> values) {
    std::vector<double> rest(values.begin(), values.end());
    std::size_t levels = 1;
    const auto level_out = [&](std::size_t first, std::size_t last) {
        double sum = 0;
        for (std::size_t i = first; i < last; ++i)
            sum += values[i];
        for (std::size_t i = first; i < last; ++i)
            rest[i] -= sum / static_cast<double>(last - first);
    };
    std::size_t first = 0;
    for (const ChangePoint& change : change_points(values)) {
        level_out(first, change.first);
        first = change.first;
        ++levels;
    }
    level_out(first, values.size());
    double squares = 0;
    for (const double value : rest)
        squares += value * value;
    return std::sqrt(squares / static_cast<double>(values.size() - levels));
}

std::optional<RaisedLevel> raised_level(std::span<const double> values) {
    RaisedLevel result;
    const std::vector<double> clean = without_outliers(values, result.outlier);
    auto changes = change_points(clean);
    std::vector<Level> levels = levels_of(clean, changes);
    if (changes.empty()) {
        double chance = 1;
        levels = inner_stretch(clean, chance);
        for (std::size_t i = 1; i < levels.size(); ++i)
            changes.push_back({levels[i].begin, levels[i - 1].mean, levels[i].mean, chance});
    }
    if (changes.empty())
        return {};
    const auto [lowest, highest] = std::ranges::minmax_element(levels, {}, &Level::mean);
    result.chance = 0;
    const auto n = static_cast<double>(values.size());
    // Each level costs a mean and a place, a line two numbers; what is left is compared per degree of freedom.
    const double degrees = std::max(1.0, n + 1 - 2 * static_cast<double>(levels.size()));
    if (beside_line(clean) / (n - 2) <= beside_levels(clean, levels) / degrees) {
        result.gradual = true;
        std::tie(result.usual, result.raised) = line_ends(clean);
        result.last = values.size() - 1;
        for (const ChangePoint& change : changes)
            result.chance = std::max(result.chance, change.chance);
        return result.raised > result.usual ? std::optional(result) : std::nullopt;
    }
    const double middle = (lowest->mean + highest->mean) / 2;
    const auto is_raised = [&](const Level& level) { return level.mean > middle; };
    const auto first = std::ranges::find_if(levels, is_raised);
    const auto after = std::find_if_not(first, levels.end(), is_raised);
    if (first == levels.begin() || std::any_of(after, levels.end(), is_raised))
        return {};
    result.first = first->begin;
    result.last = std::prev(after)->end - 1;
    for (const ChangePoint& change : changes)
        if (change.first == result.first || change.first == result.last + 1)
            result.chance = std::max(result.chance, change.chance);
    // Whether an outlier beside the change is part of the level cannot be told, unless it lies near it.
    const double near = kOfTheChange * (highest->mean - lowest->mean);
    const auto is_apart = [&](std::size_t i) { return result.outlier[i] && std::abs(values[i] - clean[i]) > near; };
    while (result.first < result.last && is_apart(result.first))
        ++result.first;
    while (result.first < result.last && is_apart(result.last))
        --result.last;
    double usual = 0;
    double raised = 0;
    std::size_t raised_count = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (result.outlier[i])
            continue;
        const bool high = i >= result.first && i <= result.last;
        (high ? raised : usual) += values[i];
        ++(high ? raised_count : count);
    }
    if (raised_count == 0 || count == 0)
        return {};
    result.usual = usual / static_cast<double>(count);
    result.raised = raised / static_cast<double>(raised_count);
    return result;
}

bool grows_steadily(std::span<const double> values) {
    const std::size_t n = values.size();
    if (n < 2 * kLeastOfALevel)
        return false;
    const auto [first, last] = line_ends(values);
    const double left = beside_line(values);
    const auto degrees = static_cast<double>(n - 2);
    const double explained = beside_levels(values, {{0, n, level_mean(values)}}) - left;
    const double least = std::numeric_limits<double>::min();
    if (last <= first || student_tail(std::sqrt(explained / std::max(left / degrees, least)), degrees) > kChangeChance)
        return false;
    for (std::size_t k = 1; k < n; ++k) { // two levels: two means and a place
        const std::vector<Level> levels{{0, k, level_mean(values.first(k))}, {k, n, level_mean(values.subspan(k))}};
        if (beside_levels(values, levels) / (degrees - 1) < left / degrees)
            return false;
    }
    return true;
}

std::pair<double, double> line_ends(std::span<const double> values) {
    const auto n = static_cast<double>(values.size());
    const double mean = level_mean(values);
    double products = 0;
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double x = static_cast<double>(i) - (n - 1) / 2;
        products += x * (values[i] - mean);
        squares += x * x;
    }
    const double half = products / squares * (n - 1) / 2;
    return {mean - half, mean + half};
}

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
