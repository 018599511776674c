// SPDX-License-Identifier: GPL-3.0-or-later
// In which steps of a run something is there, and how findings say so.
//   Example: a pause costs 30 ms in step 4 of 6, and 8 ms in step 6: it is there in step 4, as 8 ms is below half
//   of 30. Then "; only in step 4". In steps 14 to 20 of 20: "; since step 14".
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "core/analysis/basics/change_points.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/base/statistics.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

/// In which of all the steps something is there.
struct StepRange {
    enum class Kind : std::uint8_t { all, scattered, one, from, range } kind = Kind::all;
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// Some of the steps whose numbers are known, and not all.
bool are_some(const FindingContext& c, const std::set<std::int64_t>& steps) {
    return !steps.empty() && steps.size() < c.numbers().size() && std::ranges::includes(c.numbers(), steps);
}

StepRange range_of(const FindingContext& c, const std::set<std::int64_t>& steps) {
    using enum StepRange::Kind;
    if (!are_some(c, steps))
        return {};
    const std::int64_t first = *steps.begin();
    const std::int64_t last = *steps.rbegin();
    const auto between = std::ranges::upper_bound(c.numbers(), last) - std::ranges::lower_bound(c.numbers(), first);
    if (static_cast<std::size_t>(between) != steps.size())
        return {scattered, first, last};
    if (first == last)
        return {one, first, last};
    return {last == c.numbers().back() ? from : range, first, last};
}

/// "7, 11 and 15": where they are few.
Message listed_steps(const std::set<std::int64_t>& steps) {
    constexpr std::size_t kFew = 6;
    if (steps.size() > kFew || *steps.rbegin() > std::numeric_limits<int>::max())
        return {};
    const std::vector<int> numbers(steps.begin(), steps.end());
    return rank_runs(numbers);
}

/// Where a repetition begins, its calls tell: what holds a rank up before the first one may count for the repetition
/// before. So these are the ones only if they are longer by most of that.
bool shows_in_lengths(const FindingContext& c, const std::map<std::int64_t, double>& by_step,
                      const std::set<std::int64_t>& steps) {
    if (!are_some(c, steps))
        return true;
    double told = 0;
    for (const std::int64_t number : steps)
        if (const auto own = by_step.find(number); own != by_step.end())
            told += own->second / static_cast<double>(steps.size());
    return longer_than_others(c, steps) >= kMostOf * told;
}

} // namespace

double longer_than_others(const FindingContext& c, const std::set<std::int64_t>& steps) {
    double sum = 0;
    double count = 0;
    std::vector<double> others;
    for (const StepFacts& step : c.inputs.facts.by_step)
        if (!steps.contains(step.number)) {
            others.push_back(step.fill.step_ns);
        } else {
            sum += step.fill.step_ns;
            ++count;
        }
    return count == 0 || others.empty() ? 0 : sum / count - middle_median(std::move(others));
}

Onset onset_of(const FindingContext& c, const std::map<std::int64_t, double>& by_step) {
    Onset onset;
    std::vector<double> costs;
    for (const std::int64_t number : c.numbers()) {
        const auto own = by_step.find(number);
        costs.push_back(own == by_step.end() ? 0 : own->second);
    }
    if (costs.empty())
        return onset;
    const auto level = raised_level(costs);
    if (level ? level->gradual : grows_steadily(costs)) { // there in all steps, more and more
        onset.grows = true;
        onset.steps.insert(c.numbers().begin(), c.numbers().end());
        return onset;
    }
    const bool starts = level && level->usual <= level->raised / 2;
    if (starts)
        onset.chance = level->chance;
    // Real runs with a pause of 30 ms in one step had up to 8 ms in another one, which cost nothing.
    const double least = kTogether * std::ranges::max(costs);
    for (std::size_t i = 0; i < costs.size(); ++i)
        if (starts ? i >= level->first && i <= level->last : costs[i] > 0 && costs[i] >= least)
            onset.steps.insert(c.numbers()[i]);
    return c.graph.profiler_steps || shows_in_lengths(c, by_step, onset.steps) ? onset : Onset();
}

bool in_some_steps(const FindingContext& c, const Onset& onset) { return are_some(c, onset.steps); }

Message onset_words(const FindingContext& c, const std::set<std::int64_t>& steps) {
    const StepRange range = range_of(c, steps);
    switch (range.kind) {
    case StepRange::Kind::all: break;
    case StepRange::Kind::scattered:
        if (const Message few = listed_steps(steps); !few.empty())
            return " in steps %1"_text(few);
        return " in %1 of %2 steps, between %3 and %4"_text(steps.size(), c.numbers().size(), range.first, range.last);
    case StepRange::Kind::one: return " in step %1"_text(range.first);
    case StepRange::Kind::from: return " from step %1 on"_text(range.first);
    case StepRange::Kind::range: return " in steps %1 to %2"_text(range.first, range.last);
    }
    return {};
}

Message since_words(const FindingContext& c, const std::set<std::int64_t>& steps) {
    const StepRange range = range_of(c, steps);
    switch (range.kind) {
    case StepRange::Kind::all: break;
    case StepRange::Kind::scattered:
        if (const Message few = listed_steps(steps); !few.empty())
            return "; only in steps %1"_text(few);
        return "; only in %1 of %2 steps, between %3 and %4"_text(steps.size(), c.numbers().size(), range.first,
                                                                  range.last);
    case StepRange::Kind::one: return "; only in step %1"_text(range.first);
    case StepRange::Kind::from: return "; since step %1"_text(range.first);
    case StepRange::Kind::range: return "; only in steps %1 to %2"_text(range.first, range.last);
    }
    return {};
}

void set_onset(const FindingContext& c, const Onset& onset, Finding& finding) {
    if (!in_some_steps(c, onset))
        return;
    finding.first_iteration = *onset.steps.begin();
    finding.last_iteration = *onset.steps.rbegin();
    finding.iterations.assign(onset.steps.begin(), onset.steps.end());
    finding.when = onset_words(c, onset.steps);
    if (onset.chance)
        finding.facts.push_back({FactName::onset_chance_of_noise, *onset.chance, {}});
}

} // namespace rankscope
