// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/step_starts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// What the replay changes at the later steps that the rank started most nearly as the first one.
double usual_shift(const StepStarts& recorded, const StepStarts& replayed) {
    constexpr std::size_t kNearest = 3;
    std::vector<std::pair<double, double>> later; // how far from the first, and by how much the replay shifts it
    for (std::size_t i = 0; i < recorded.later.size() && i < replayed.later.size(); ++i)
        later.emplace_back(std::abs(recorded.later[i] - recorded.first), replayed.later[i] - recorded.later[i]);
    std::ranges::sort(later);
    later.resize(std::min(kNearest, later.size()));
    std::vector<double> shifts;
    for (const auto& [apart, shift] : later)
        shifts.push_back(shift);
    return middle_median(std::move(shifts));
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
    for (std::size_t r = 0; r < recorded.size() && r < replayed.size(); ++r)
        shifts.push_back(recorded[r].first + usual_shift(recorded[r], replayed[r]) - replayed[r].first);
    const bool held = std::ranges::any_of(shifts, [&](double shift) { return std::abs(shift) > same; });
    return held ? shifts : std::vector<double>{};
}

} // namespace rankscope
