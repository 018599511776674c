// SPDX-License-Identifier: GPL-3.0-or-later
// What grew with the level of the steps: the difference of the means, or along the line where steps grow by and by.
#include "core/analysis/findings/step_growth.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace rankscope {
namespace {

/// How much a series grows with the level: from the usual steps to the raised ones, or along its line.
double growth_of(const RaisedLevel& level, std::span<const double> values) {
    if (level.gradual) {
        const auto [first, last] = line_ends(values);
        return last - first;
    }
    double sums[2] = {0, 0};
    double counts[2] = {0, 0};
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (level.outlier[i])
            continue;
        const auto raised = static_cast<std::size_t>(i >= level.first && i <= level.last);
        sums[raised] += values[i];
        ++counts[raised];
    }
    return counts[0] > 0 && counts[1] > 0 ? sums[1] / counts[1] - sums[0] / counts[0] : 0;
}

std::vector<GrownPart> grown_parts(const FindingContext& c, const SeriesOfSteps& series, const RaisedLevel& level,
                                   const std::set<std::size_t>& only_ranks) {
    std::vector<GrownPart> parts{
        {&StepParts::compute, FindingCause::computation, "computation takes %1 longer"_text},
        {&StepParts::transfer, FindingCause::communication, "exposed communication takes %1 longer"_text},
        {&StepParts::wait, FindingCause::waiting, "ranks wait %1 longer for each other"_text},
        {&StepParts::bubble, FindingCause::waiting, "bubbles of the pipeline take %1 longer"_text},
        {&StepParts::copies, FindingCause::copies, "exposed copies take %1 longer"_text},
        {&StepParts::idle, FindingCause::idle, "the GPU is idle %1 longer"_text}};
    for (GrownPart& part : parts) {
        std::vector<double> values(series.numbers.size());
        double ranks = 0;
        for (std::size_t r = 0; r < series.place.size(); ++r) {
            if (series.place[r].empty() || (!only_ranks.empty() && !only_ranks.contains(r)))
                continue;
            ++ranks;
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] += static_cast<double>(c.inputs.steps.parts[r][series.place[r][i]].*part.field);
        }
        part.growth = ranks > 0 ? growth_of(level, values) / ranks : 0;
    }
    return parts;
}

} // namespace

double cost_of_level(const RaisedLevel& level, std::span<const double> values) {
    const double growth = growth_of(level, values);
    if (level.gradual)
        return growth / 2; // the mean of a line
    return growth * static_cast<double>(level.last - level.first + 1) / static_cast<double>(values.size());
}

std::set<std::size_t> ranks_that_grew(const FindingContext& c, const SeriesOfSteps& series, const RaisedLevel& level,
                                      double growth) {
    std::vector<std::pair<double, std::size_t>> own;
    for (std::size_t r = 0; r < series.place.size(); ++r) {
        if (series.place[r].empty())
            continue;
        double sum = 0;
        for (const GrownPart& part : grown_parts(c, series, level, {r}))
            if (!part.with_others())
                sum += part.growth;
        own.emplace_back(sum, r);
    }
    std::ranges::sort(own, std::greater<>());
    const auto grew =
        static_cast<std::size_t>(std::ranges::count_if(own, [&](const auto& one) { return one.first >= growth / 2; }));
    if (grew == 0 || 2 * grew > own.size() || own[grew].first > own[grew - 1].first / 2)
        return {};
    std::set<std::size_t> ranks;
    for (std::size_t i = 0; i < grew; ++i)
        ranks.insert(own[i].second);
    return ranks;
}

std::vector<GrownPart> parts_that_grew(const FindingContext& c, const SeriesOfSteps& series, const RaisedLevel& level,
                                       const std::set<std::size_t>& ranks) {
    std::vector<GrownPart> parts = grown_parts(c, series, level, ranks);
    if (!ranks.empty()) // that they wait less, or send longer, is not why
        std::erase_if(parts, &GrownPart::with_others);
    std::ranges::stable_sort(parts, std::greater<>(), &GrownPart::growth);
    return parts;
}

} // namespace rankscope
