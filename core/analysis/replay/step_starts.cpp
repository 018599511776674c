// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/step_starts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// What the replay changes at the later steps that the rank started most nearly as the first one. 0 where it changes
/// the earlier ones otherwise than the later ones: ranks that no longer wait for each other come apart step by step.
double usual_shift(const StepStarts& recorded, const StepStarts& replayed, double same) {
    constexpr std::size_t kNearest = 3;
    constexpr double kSteady = 0.5;
    const std::size_t count = std::min(recorded.later.size(), replayed.later.size());
    std::vector<std::pair<double, double>> later; // how far from the first, and by how much the replay shifts it
    for (std::size_t i = 0; i < count; ++i)
        later.emplace_back(std::abs(recorded.later[i] - recorded.first), replayed.later[i] - recorded.later[i]);
    const auto median = [&](std::size_t begin, std::size_t end) {
        std::vector<double> shifts;
        for (std::size_t i = begin; i < end; ++i)
            shifts.push_back(later[i].second);
        return middle_median(std::move(shifts));
    };
    const double early = median(0, (count + 1) / 2);
    const double late = median(count / 2, count);
    std::ranges::stable_sort(later, {}, &std::pair<double, double>::first);
    const double shift = median(0, std::min(kNearest, count));
    return std::abs(late - early) <= same + kSteady * std::abs(shift) ? shift : 0;
}

} // namespace

std::vector<StepStarts> step_starts(const StepGraph& graph, std::span<const TimeNs> starts) {
    std::map<std::int64_t, std::pair<double, double>> sums; // by number: of the starts, and how many
    for (std::size_t i = 0; i < starts.size(); ++i) {
        sums[graph.steps[i].number].first += static_cast<double>(starts[i]);
        sums[graph.steps[i].number].second += 1;
    }
    std::vector<std::vector<double>> beside(graph.first_gpu_node.size());
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto& [sum, count] = sums[graph.steps[i].number];
        beside[graph.steps[i].rank].push_back(static_cast<double>(starts[i]) - sum / count);
    }
    std::vector<StepStarts> result;
    for (const std::vector<double>& of_rank : beside) {
        if (of_rank.size() < 3)
            return {};
        result.push_back({of_rank.front(), {of_rank.begin() + 1, of_rank.end()}});
    }
    return result;
}

std::vector<double> shifts_of_first_starts(std::span<const StepStarts> recorded, std::span<const StepStarts> replayed,
                                           double step_time) {
    const double same = kSameStart * step_time;
    const auto as_later = [&](const StepStarts& rank) {
        const auto [lowest, highest] = std::ranges::minmax(rank.later);
        return rank.first >= lowest - same && rank.first <= highest + same;
    };
    const auto apart = [&](const StepStarts& rank) { return std::abs(rank.first) > same; };
    constexpr double kMost = 0.75;
    if (std::ranges::none_of(recorded, apart) ||
        static_cast<double>(std::ranges::count_if(recorded, as_later)) < kMost * static_cast<double>(recorded.size()))
        return {};
    std::vector<double> shifts;
    for (std::size_t r = 0; r < recorded.size() && r < replayed.size(); ++r) {
        const double shift = recorded[r].first + usual_shift(recorded[r], replayed[r], same) - replayed[r].first;
        shifts.push_back(std::abs(shift) > same ? shift : 0);
    }
    const bool held = std::ranges::any_of(shifts, [](double shift) { return shift != 0; });
    return held ? shifts : std::vector<double>{};
}

} // namespace rankscope
