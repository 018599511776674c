// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/step_split.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/basics/change_points.h"
#include "core/analysis/basics/robust_deviation.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kLeastChange = 0.01;    ///< of the mean iteration
constexpr double kOfTheDifference = 0.3; ///< what the iterations that differ have to account for
constexpr double kOthersAtMost = 0.5;    ///< times what the differing iterations differ by
constexpr double kNoiseTimes = 8;        ///< standard deviations from the typical difference
constexpr double kOfTheLargest = 0.25;   ///< of the largest deviation
constexpr std::size_t kLeastSteps = 3;
constexpr std::size_t kListedSteps = 8;

/// The iterations that all ranks with any have, in their order.
struct Series {
    std::vector<std::int64_t> numbers;
    std::vector<double> wall; ///< ns, mean over the ranks
    std::vector<std::vector<std::size_t>>
        places; ///< by rank: of each in StepAccount::windows; empty: the rank has none
};

std::optional<Series> series_of(const StepAccount& account) {
    Series series;
    bool any = false;
    for (const auto& numbers : account.numbers) {
        if (numbers.empty())
            continue;
        // Repetitions are counted from the start of each rank: others may be missing there.
        if (any && account.unit == StepAccount::Unit::inferred && numbers.size() != series.numbers.size())
            return {};
        if (!std::exchange(any, true))
            series.numbers = numbers;
        else
            std::erase_if(series.numbers,
                          [&](std::int64_t number) { return !std::ranges::binary_search(numbers, number); });
    }
    if (series.numbers.size() < kLeastSteps)
        return {};
    series.wall.resize(series.numbers.size());
    double ranks = 0;
    for (std::size_t r = 0; r < account.numbers.size(); ++r) {
        const auto& numbers = account.numbers[r];
        std::vector<std::size_t>& places = series.places.emplace_back();
        if (numbers.empty())
            continue;
        ++ranks;
        for (std::size_t i = 0; i < series.numbers.size(); ++i) {
            places.push_back(
                static_cast<std::size_t>(std::ranges::lower_bound(numbers, series.numbers[i]) - numbers.begin()));
            series.wall[i] += static_cast<double>(account.parts[r][places.back()].wall);
        }
    }
    for (double& wall : series.wall)
        wall /= ranks;
    return series;
}

double mean_of_values(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Places of a level that differs from the rest of the series by more.
std::set<std::size_t> level_of(const std::vector<double>& differences) {
    for (const double sign : {1.0, -1.0}) {
        std::vector<double> values = differences;
        for (double& value : values)
            value *= sign;
        const auto level = raised_level(values);
        if (!level || level->gradual)
            continue;
        std::set<std::size_t> inside;
        std::set<std::size_t> outside;
        for (std::size_t i = 0; i < values.size(); ++i)
            (i >= level->first && i <= level->last ? inside : outside).insert(i);
        return std::abs(level->raised) >= std::abs(level->usual) ? inside : outside;
    }
    return {};
}

/// Moves places that a level has left out, or taken in, to the side that they are clearly on.
void settle_borders(const std::vector<double>& differences, std::set<std::size_t>& places) {
    std::vector<double> inside;
    std::vector<double> outside;
    for (std::size_t i = 0; i < differences.size(); ++i)
        (places.contains(i) ? inside : outside).push_back(differences[i]);
    if (inside.empty() || outside.empty())
        return;
    const double level = middle_median(inside);
    const double usual = middle_median(outside);
    const double noise = robust_deviation(std::move(outside));
    if (std::abs(level - usual) <= 2 * kNoiseTimes * noise)
        return;
    for (std::size_t i = 0; i < differences.size(); ++i)
        if ((differences[i] - usual) / (level - usual) > 0.5)
            places.insert(i);
        else
            places.erase(i);
}

/// Places that stand apart from the others in the direction of the change. What is usual is told by the half that
/// differs least that way, so that every second iteration may stand apart.
std::set<std::size_t> apart_from_others(const std::vector<double>& differences, double change) {
    std::vector<double> sorted;
    for (const double difference : differences)
        sorted.push_back(difference * (change > 0 ? 1 : -1));
    std::ranges::sort(sorted);
    const double most = sorted.back();
    sorted.resize((sorted.size() + 1) / 2);
    const double usual = middle_median(sorted);
    const double noise = robust_deviation(std::move(sorted));
    std::set<std::size_t> apart;
    for (std::size_t i = 0; i < differences.size(); ++i)
        if (differences[i] * (change > 0 ? 1 : -1) - usual >
            std::max(kNoiseTimes * noise, kOfTheLargest * (most - usual)))
            apart.insert(i);
    // Clearly apart: by more than the others differ among themselves.
    double least_apart = most;
    double most_of_others = -std::numeric_limits<double>::max();
    double least_of_others = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < differences.size(); ++i) {
        const double value = differences[i] * (change > 0 ? 1 : -1);
        if (apart.contains(i)) {
            least_apart = std::min(least_apart, value);
        } else {
            most_of_others = std::max(most_of_others, value);
            least_of_others = std::min(least_of_others, value);
        }
    }
    return least_apart - most_of_others > most_of_others - least_of_others ? apart : std::set<std::size_t>();
}

/// Iterations at these places of the series, for each rank that has any.
std::vector<std::vector<std::size_t>> chosen(const Series& series, const std::set<std::size_t>& places) {
    std::vector<std::vector<std::size_t>> result;
    for (const auto& own : series.places) {
        result.emplace_back();
        if (!own.empty())
            for (const std::size_t place : places)
                result.back().push_back(own[place]);
    }
    return result;
}

} // namespace

std::optional<StepSplit> split_steps(const StepAccount& baseline, const StepAccount& test) {
    if (baseline.unit != test.unit || baseline.unit == StepAccount::Unit::window)
        return {};
    const auto before = series_of(baseline);
    const auto after = series_of(test);
    if (!before || !after)
        return {};
    const double change = mean_of_values(after->wall) - mean_of_values(before->wall);
    if (std::abs(change) <= kLeastChange * mean_of_values(before->wall))
        return {};
    // Of iterations that only one run has, the difference from the other's typical one.
    const std::size_t common = std::min(before->wall.size(), after->wall.size());
    const std::size_t count = std::max(before->wall.size(), after->wall.size());
    const double typical_before = middle_median(before->wall);
    const double typical_after = middle_median(after->wall);
    std::vector<double> differences;
    for (std::size_t i = 0; i < count; ++i)
        differences.push_back((i < after->wall.size() ? after->wall[i] : typical_after) -
                              (i < before->wall.size() ? before->wall[i] : typical_before));
    std::set<std::size_t> places = level_of(differences);
    if (places.empty())
        places = apart_from_others(differences, change);
    settle_borders(differences, places);
    if (places.empty() || places.size() == count)
        return {};
    double sum = 0;
    std::vector<double> rest;
    for (std::size_t i = 0; i < count; ++i)
        if (places.contains(i))
            sum += differences[i];
        else
            rest.push_back(differences[i]);
    const double differ = sum / static_cast<double>(places.size());
    const double typical_rest = middle_median(rest);
    if ((differ > 0) != (change > 0) || std::abs(typical_rest) > kOthersAtMost * std::abs(differ) ||
        (sum - typical_rest * static_cast<double>(places.size())) / (change * static_cast<double>(count)) <
            kOfTheDifference)
        return {};
    StepSplit split;
    // The run that has them all; of two the one whose iterations stand apart in it.
    const auto contrast = [&](const Series& series) {
        double sums[2] = {0, 0};
        double counts[2] = {0, 0};
        for (std::size_t i = 0; i < series.wall.size(); ++i) {
            const std::size_t inside = places.contains(i) ? 1 : 0;
            sums[inside] += series.wall[i];
            ++counts[inside];
        }
        return counts[0] > 0 && counts[1] > 0 ? std::abs(sums[1] / counts[1] - sums[0] / counts[0]) : 0;
    };
    const bool all_in_test = *places.rbegin() < after->wall.size();
    const bool all_in_baseline = *places.rbegin() < before->wall.size();
    split.in_test = all_in_test && (!all_in_baseline || contrast(*after) >= contrast(*before));
    const Series& own = split.in_test ? *after : *before;
    for (const std::size_t place : places)
        if (place < own.numbers.size())
            split.numbers.push_back(own.numbers[place]);
    split.of = own.numbers.size();
    split.in_a_row = *places.rbegin() - *places.begin() + 1 == places.size();
    split.to_the_end = split.in_a_row && *places.rbegin() + 1 == own.numbers.size();
    std::set<std::size_t> others;
    for (std::size_t i = 0; i < count; ++i)
        if (!places.contains(i))
            others.insert(i);
    const auto within = [](const std::set<std::size_t>& from, std::size_t size) {
        std::set<std::size_t> kept;
        std::ranges::copy_if(from, std::inserter(kept, kept.end()), [&](std::size_t place) { return place < size; });
        return kept;
    };
    const auto pair_of = [&](const std::set<std::size_t>& from, const std::set<std::size_t>& instead) {
        SplitSteps pair;
        const auto of_run = [&](const Series& series) {
            const auto there = within(from, series.wall.size());
            return chosen(series, there.size() == from.size() ? there : within(instead, series.wall.size()));
        };
        pair.baseline = of_run(*before);
        pair.test = of_run(*after);
        return pair;
    };
    if (within(others, common).empty())
        return {};
    split.differing = pair_of(places, others);
    split.others = pair_of(within(others, common), others);
    return split;
}

Message split_words(const StepSplit& split) {
    const bool baseline = !split.in_test;
    const std::int64_t first = split.numbers.front();
    const std::int64_t last = split.numbers.back();
    if (split.numbers.size() == 1)
        return baseline ? "in step %1 of the baseline"_text(first) : "in step %1"_text(first);
    if (split.to_the_end)
        return baseline ? "from step %1 of the baseline on"_text(first) : "from step %1 on"_text(first);
    if (split.in_a_row && split.numbers.size() > 2)
        return baseline ? "in steps %1 to %2 of the baseline"_text(first, last) : "in steps %1 to %2"_text(first, last);
    if (split.in_a_row)
        return baseline ? "in steps %1 and %2 of the baseline"_text(first, last)
                        : "in steps %1 and %2"_text(first, last);
    const Message which = split.numbers.size() <= kListedSteps
                              ? Message(fmt::format("{}", fmt::join(split.numbers, ", ")))
                              : "between %1 and %2"_text(first, last);
    return baseline ? "in %1 of %2 steps of the baseline (%3)"_text(split.numbers.size(), split.of, which)
                    : "in %1 of %2 steps (%3)"_text(split.numbers.size(), split.of, which);
}

} // namespace rankscope
