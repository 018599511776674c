// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/step_starts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

bool starts_as_later(const StepStarts& rank, double step_time) {
    return rank.first >= rank.lowest - kSameStart * step_time && rank.first <= rank.highest + kSameStart * step_time;
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
    for (std::vector<double>& of_rank : beside) {
        if (of_rank.size() < 3)
            return {};
        const double first = of_rank.front();
        of_rank.erase(of_rank.begin());
        const auto [lowest, highest] = std::ranges::minmax(of_rank);
        result.push_back({first, lowest, middle_median(std::move(of_rank)), highest});
    }
    return result;
}

bool first_start_is_held(std::span<const StepStarts> recorded, std::span<const StepStarts> replayed, double step_time) {
    const auto as_later = [&](const StepStarts& rank) { return starts_as_later(rank, step_time); };
    const auto apart = [&](const StepStarts& rank) { return std::abs(rank.first) > kSameStart * step_time; };
    return std::ranges::any_of(recorded, apart) && std::ranges::all_of(recorded, as_later) &&
           !std::ranges::all_of(replayed, as_later);
}

} // namespace rankscope
