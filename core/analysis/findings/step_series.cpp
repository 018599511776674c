// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps all ranks have, and the mean over the ranks of how long each takes.
#include "core/analysis/findings/step_series.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/analysis/graph/step_ranges.h"

namespace rankscope {
namespace {

/// numbers_of: rank -> numbers of its steps.
template <typename NumbersOf>
SeriesOfSteps steps_of_all(const FindingContext& c, const NumbersOf& numbers_of) {
    SeriesOfSteps series;
    const auto& parts = c.inputs.steps.parts;
    std::map<std::int64_t, std::size_t> ranks_with;
    std::size_t ranks = 0;
    std::vector<std::map<std::int64_t, std::size_t>> places(parts.size()); // by number: a rank may have it twice
    for (std::uint32_t r = 0; r < parts.size(); ++r) {
        const std::vector<std::int64_t> own = numbers_of(r);
        ranks += own.empty() ? 0 : 1;
        for (std::size_t i = 0; i < own.size(); ++i)
            ranks_with[own[i]] += places[r].try_emplace(own[i], i).second ? 1 : 0;
    }
    for (const auto& [number, count] : ranks_with)
        if (count == ranks)
            series.numbers.push_back(number);
    for (const auto& of_rank : places) {
        std::vector<std::size_t>& place = series.place.emplace_back();
        for (const std::int64_t number : series.numbers)
            if (!of_rank.empty())
                place.push_back(of_rank.at(number));
    }
    return series;
}

std::vector<double> means_of_steps(const SeriesOfSteps& series, const std::vector<std::vector<double>>& by_rank) {
    std::vector<double> walls(series.numbers.size());
    double ranks = 0;
    for (std::size_t r = 0; r < by_rank.size(); ++r) {
        if (series.place[r].empty())
            continue;
        ++ranks;
        for (std::size_t i = 0; i < walls.size(); ++i)
            walls[i] += by_rank[r][series.place[r][i]];
    }
    for (double& wall : walls)
        wall /= ranks;
    return walls;
}

} // namespace

std::vector<double> mean_walls(const FindingContext& c, const SeriesOfSteps& series,
                               const std::vector<TimeRange>& ranges) {
    std::vector<std::vector<double>> lengths(c.inputs.run.ranks.size());
    for (std::size_t s = 0; s < ranges.size(); ++s)
        lengths[c.graph.steps[s].rank].push_back(static_cast<double>(ranges[s].length()));
    return means_of_steps(series, lengths);
}

std::optional<SeriesOfSteps> series_of_steps(const FindingContext& c) {
    const StepAccount& account = c.inputs.steps;
    if (c.graph.profiler_steps) {
        std::vector<std::vector<std::int64_t>> numbers(c.inputs.run.ranks.size());
        for (const GraphStep& step : c.graph.steps)
            numbers[step.rank].push_back(step.number);
        for (std::size_t r = 0; r < numbers.size(); ++r)
            if (account.parts[r].size() != numbers[r].size())
                return {};
        SeriesOfSteps series = steps_of_all(c, [&](std::uint32_t r) { return numbers[r]; });
        series.wall = mean_walls(c, series, step_ranges(c.graph));
        return series;
    }
    // What a fault costs in each is not known.
    if (account.unit == StepAccount::Unit::window || c.repaired.changed())
        return {};
    // Repetitions of ranks whose recordings differ in length may not be the same ones. Steps that a device marks have
    // numbers.
    std::size_t count = 0;
    for (const auto& parts : account.parts) {
        if (account.unit == StepAccount::Unit::inferred && count != 0 && !parts.empty() && parts.size() != count)
            return {};
        count = std::max(count, parts.size());
    }
    SeriesOfSteps series = steps_of_all(c, [&](std::uint32_t r) { return account.numbers[r]; });
    std::vector<std::vector<double>> walls;
    for (const auto& parts : account.parts)
        std::ranges::transform(parts, std::back_inserter(walls.emplace_back()),
                               [](const StepParts& step) { return static_cast<double>(step.wall); });
    series.wall = means_of_steps(series, walls);
    return series;
}

} // namespace rankscope
