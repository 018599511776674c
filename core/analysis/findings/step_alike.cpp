// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps compute alike: all of a training run; of a serving engine those of the same work on all ranks.
#include "core/analysis/findings/step_alike.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace rankscope {
namespace {

SeriesOfSteps part_of_series(const SeriesOfSteps& all, const std::vector<std::size_t>& kept) {
    SeriesOfSteps part;
    part.place.resize(all.place.size());
    for (const std::size_t i : kept) {
        part.numbers.push_back(all.numbers[i]);
        part.wall.push_back(all.wall[i]);
        for (std::size_t r = 0; r < all.place.size(); ++r)
            if (!all.place[r].empty())
                part.place[r].push_back(all.place[r][i]);
    }
    return part;
}

} // namespace

std::vector<AlikeSteps> alike_steps(const FindingContext& c, SeriesOfSteps all) {
    const WorkOfSteps& work = c.inputs.work;
    std::vector<AlikeSteps> alike;
    if (work.empty()) {
        alike.push_back({std::move(all), {}, 1, true});
        return alike;
    }
    std::map<std::int64_t, std::optional<EngineStepName>> of_step; // nothing where the ranks differ
    for (std::size_t s = 0; s < work.size(); ++s) {
        const auto [known, added] = of_step.emplace(c.graph.steps[s].number, work[s]);
        if (!added && !(known->second && work[s] && is_like_work(*known->second, *work[s])))
            known->second.reset();
    }
    struct Kind {
        EngineStepName work;
        std::vector<std::size_t> steps;
    };
    std::vector<Kind> kinds;
    // Others last until the next one starts; of the last one that is not known.
    const std::size_t count = all.numbers.empty() ? 0 : all.numbers.size() - 1;
    std::vector<std::size_t> untold;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& own = of_step[all.numbers[i]];
        if (!own) {
            untold.push_back(i);
            continue;
        }
        const auto kind = std::ranges::find_if(kinds, [&](const Kind& one) { return is_equal_work(one.work, *own); });
        (kind == kinds.end() ? kinds.emplace_back(Kind{*own, {}}) : *kind).steps.push_back(i);
    }
    const auto part = [&](std::size_t steps) {
        return static_cast<double>(steps) / static_cast<double>(all.numbers.size());
    };
    for (const Kind& kind : kinds)
        alike.push_back({part_of_series(all, kind.steps),
                         kinds.size() + untold.size() == 1 ? Message() : steps_of_work_words(kind.work),
                         part(kind.steps.size()), true});
    if (kinds.empty())
        alike.push_back({part_of_series(all, untold), {}, part(untold.size()), false});
    return alike;
}

} // namespace rankscope
