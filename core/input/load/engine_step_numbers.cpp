// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/engine_step_numbers.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/statistics.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

using Steps = std::vector<ProfilerStep>;

constexpr std::size_t kLeastSteps = 3; ///< fewer do not tell a rhythm
constexpr double kTogether = 0.3;      ///< of the distance of two steps: at the same time
constexpr double kApart = 0.7;

bool has_rhythm(const RankTrace& rank) { return rank.steps.size() >= kLeastSteps && has_engine_steps(rank); }

TimeNs distance_of_steps(const Steps& steps) {
    std::vector<TimeNs> distances;
    for (std::size_t k = 0; k + 1 < steps.size(); ++k)
        distances.push_back(steps[k + 1].range.begin - steps[k].range.begin);
    return lower_median(std::move(distances));
}

/// Median of how far the steps start from those of the first rank, so many places on.
TimeNs off_by(const Steps& first, const Steps& steps, std::size_t places) {
    std::vector<TimeNs> off;
    for (std::size_t k = 0; k < steps.size() && k + places < first.size(); ++k)
        off.push_back(std::abs(steps[k].range.begin - first[k + places].range.begin));
    return lower_median(std::move(off));
}

} // namespace

void number_engine_steps_together(std::vector<std::shared_ptr<const RankTrace>>& ranks) {
    const RankTrace* first = nullptr;
    for (const auto& rank : ranks)
        if (has_rhythm(*rank) &&
            (first == nullptr || rank->steps.front().range.begin < first->steps.front().range.begin))
            first = rank.get();
    if (first == nullptr)
        return;
    const auto distance = static_cast<double>(distance_of_steps(first->steps));
    for (auto& rank : ranks) {
        if (rank.get() == first || !has_rhythm(*rank) || rank->steps.size() >= first->steps.size())
            continue;
        std::pair<TimeNs, std::size_t> best{off_by(first->steps, rank->steps, 0), 0};
        const TimeNs as_numbered = best.first;
        for (std::size_t places = 1; places < first->steps.size(); ++places)
            best = std::min(best, std::pair(off_by(first->steps, rank->steps, places), places));
        if (best.second == 0 || static_cast<double>(best.first) > kTogether * distance ||
            static_cast<double>(as_numbered) < kApart * distance)
            continue;
        auto numbered = std::make_shared<RankTrace>(*rank);
        for (ProfilerStep& step : numbered->steps)
            step.number += static_cast<std::int64_t>(best.second);
        rank = std::move(numbered);
    }
}

} // namespace rankscope
