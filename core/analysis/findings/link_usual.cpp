// SPDX-License-Identifier: GPL-3.0-or-later
// How long calls usually take.
//   Example: 8 steps at 1.00, 1.01 and six times 2 ms: two steps lie far below the others, so their mean (1.005 ms) is
//   usual, not the lower quartile (2 ms).
#include "core/analysis/findings/link_usual.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kLeastDeviation = 0.02; ///< of a call's time: no run repeats itself better
constexpr double kSpreadsBelow = 3;      ///< times its own spread, the better steps lie below the others

/// How far calls lie from their group's median, as a share of it.
double deviation_of(const std::vector<LinkCall>& calls, double median) {
    std::vector<double> times;
    std::ranges::transform(calls, std::back_inserter(times), &LinkCall::time);
    return robust_deviation(std::move(times)) / median;
}

/// Of the times of steps, ascending: the lower quartile. Where two steps or more lie well below the others and close
/// together, their mean: they may be fewer than a quarter.
double time_of_better_steps(const std::vector<double>& times) {
    const std::size_t quarter = times.size() / 4;
    for (std::size_t lower = 2; lower <= quarter; ++lower) {
        const double spread = std::max(times[lower - 1] - times[0], kLeastDeviation * times[0]);
        if (times[lower] >= kSlowLink * times[lower - 1] && times[lower] - times[lower - 1] >= kSpreadsBelow * spread)
            return std::accumulate(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(lower), 0.0) /
                   static_cast<double>(lower);
    }
    return times[quarter];
}

/// What each call of a step takes in the steps that are not slow, in order: some run beside others, and some do not.
std::vector<double> usual_of_places(const CallsByStep& steps, double time) {
    std::vector<double> sums(steps.begin()->second.size(), 0);
    double good = 0;
    for (const auto& [step, calls] : steps) {
        if (calls.size() != sums.size())
            return {};
        if (median_time(calls) >= kSlowLink * time)
            continue;
        ++good;
        for (std::size_t i = 0; i < calls.size(); ++i)
            sums[i] += calls[i].time;
    }
    if (good < 2)
        return {};
    for (double& sum : sums)
        sum /= good;
    return sums;
}

/// The median of the others; between two clear levels the lower one, because no link is as fast as their mean.
double usual_of_others(std::vector<double> sorted, double own) {
    sorted.erase(std::ranges::lower_bound(sorted, own));
    const double lower = sorted[(sorted.size() - 1) / 2];
    const double upper = sorted[sorted.size() / 2];
    return upper >= kSlowLink * lower ? lower : (lower + upper) / 2;
}

} // namespace

TimesOfGroups::TimesOfGroups(const CallsByGroup& groups) {
    for (const auto& [group, calls] : groups) {
        median[group] = median_time(calls);
        deviation[group] = deviation_of(calls, median[group]);
        medians.push_back(median[group]);
        deviations.push_back(deviation[group]);
    }
    std::ranges::sort(medians);
    std::ranges::sort(deviations);
}

UsualOfCalls usual_of_steps(const CallsByStep& steps) {
    if (steps.size() < kStepsOfScatter)
        return {};
    std::vector<double> medians;
    std::vector<double> deviations;
    for (const auto& [step, calls] : steps) {
        medians.push_back(median_time(calls));
        deviations.push_back(deviation_of(calls, medians.back()));
    }
    std::ranges::sort(medians);
    const double time = time_of_better_steps(medians);
    return {time, std::max(kLeastDeviation, middle_median(std::move(deviations))), SlowLink::Against::own_steps,
            usual_of_places(steps, time)};
}

UsualOfCalls usual_time(const TimesOfGroups& times, std::uint32_t group, const CallsByStep& steps) {
    if (times.medians.size() < 2)
        return usual_of_steps(steps);
    return {usual_of_others(times.medians, times.median.at(group)),
            std::max(kLeastDeviation, middle_median_of_others(times.deviations, times.deviation.at(group))),
            SlowLink::Against::other_groups};
}

} // namespace rankscope
