// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/step_places.h"

#include <algorithm>

#include "core/analysis/graph/step_ranges.h"

namespace rankscope {
namespace {

/// By rank, aligned; empty where repetitions of one number are not at the same time on all ranks.
std::vector<std::vector<TimeRange>> common_repetitions(const StepGraph& graph, const StepAccount& account) {
    if (account.unit != StepAccount::Unit::inferred || account.windows.empty() ||
        account.windows.size() != graph.first_gpu_node.size())
        return {};
    std::vector<std::vector<TimeRange>> by_rank;
    for (std::size_t r = 0; r < account.windows.size(); ++r) {
        if (account.numbers[r] != account.numbers.front())
            return {};
        std::vector<TimeRange>& of_rank = by_rank.emplace_back();
        TimeNs in_both = 0;
        TimeNs all = 0;
        for (std::size_t s = 0; s < account.windows[r].size(); ++s) {
            const TimeRange window = graph.clock.aligned(r, account.windows[r][s]);
            const TimeRange first = by_rank.front().size() > s ? by_rank.front()[s] : window;
            in_both += std::max<TimeNs>(0, std::min(window.end, first.end) - std::max(window.begin, first.begin));
            all += window.length();
            of_rank.push_back(window);
        }
        if (2 * in_both < all)
            return {};
    }
    return by_rank;
}

} // namespace

StepPlaces step_places(const StepGraph& graph, const StepAccount& account) {
    StepPlaces places;
    places.of_node.assign(graph.first_node.back(), kNoNode);
    if (graph.profiler_steps) {
        places.numbers = step_numbers(graph);
        for (std::uint32_t n = 0; n < places.of_node.size(); ++n)
            if (const GraphStep* const step = graph.step_of(n))
                places.of_node[n] = static_cast<std::uint32_t>(std::ranges::lower_bound(places.numbers, step->number) -
                                                               places.numbers.begin());
        return places;
    }
    const std::vector<std::vector<TimeRange>> repetitions = common_repetitions(graph, account);
    if (repetitions.empty() || account.numbers.front().size() < 2)
        return places;
    places.numbers = account.numbers.front();
    for (std::uint32_t n = 0; n < places.of_node.size(); ++n) {
        const std::vector<TimeRange>& windows = repetitions[graph.rank[n]];
        const auto behind = std::ranges::upper_bound(windows, graph.start[n], {}, &TimeRange::begin);
        if (behind != windows.begin() && graph.start[n] < std::prev(behind)->end)
            places.of_node[n] = static_cast<std::uint32_t>(std::prev(behind) - windows.begin());
    }
    return places;
}

} // namespace rankscope
