// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that become slower inside the run while no rank, link or host stands out.
//   Example: steps 1 to 6 take 100 ms, steps 7 to 12 take 110 ms: "From step 7 on a step takes 110.00 ms instead of
//   100.00 ms", cost 5 ms a step.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/step_alike.h"
#include "core/analysis/findings/step_growth.h"
#include "core/analysis/findings/step_kernels.h"
#include "core/analysis/graph/step_ranges.h"

namespace rankscope {
namespace {

constexpr double kLeastRaise = 1.01; ///< times what a step takes before
constexpr double kNamedPart = 0.15;  ///< of what a step takes longer

Message when_words(const FindingContext& c, const SeriesOfSteps& series, const RaisedLevel& level) {
    const bool steps = c.inputs.steps.unit == StepAccount::Unit::profiler_steps;
    const auto number = [&](std::size_t i) { return series.numbers[i]; };
    const std::string usual = time_words(level.usual);
    const std::string raised = time_words(level.raised);
    if (level.gradual)
        return steps
                   ? "Steps become slower, by and by: step %1 takes %2, step %3 %4 (a line through all of them)"_text(
                         number(0), usual, number(level.last), raised)
                   : "Steps become slower, by and by: repetition %1 takes %2, repetition %3 %4 (a line through all of "
                     "them)"_text(number(0), usual, number(level.last), raised);
    const std::int64_t first = number(level.first);
    if (level.last + 1 < series.numbers.size())
        return steps ? "In steps %1 to %2 a step takes %3 instead of %4"_text(first, number(level.last), raised, usual)
                     : "In repetitions %1 to %2 a step takes %3 instead of %4"_text(first, number(level.last), raised,
                                                                                    usual);
    if (!steps)
        return "From repetition %1 on a step takes %2 instead of %3"_text(first, raised, usual);
    const std::int64_t before = number(level.first - 1);
    const bool next = std::ranges::find(c.numbers(), before) + 1 == std::ranges::find(c.numbers(), first);
    if (!c.numbers().empty() && next && before + 1 != first)
        return "From step %1 (the one recorded before it is %2) on a step takes %3 instead of %4"_text(first, before,
                                                                                                       raised, usual);
    return "From step %1 on a step takes %2 instead of %3"_text(first, raised, usual);
}

/// Which steps beside the level are so far from their neighbours that its words leave them out; empty: none.
Message outlier_words(const SeriesOfSteps& series, const RaisedLevel& level) {
    std::vector<int> numbers;
    for (std::size_t i = 0; i < series.numbers.size(); ++i)
        if (!level.gradual && level.outlier[i] && (i < level.first || i > level.last))
            numbers.push_back(static_cast<int>(series.numbers[i]));
    if (numbers.empty())
        return {};
    return plural(numbers.size(), " (not counting an outlier: %1)"_one,
                  " (not counting outliers: %1)"_many)(rank_numbers(numbers));
}

/// What the steps of the level cost, ns a step, and no finding so far explains; nothing where these explain most of it.
std::optional<double> unexplained_cost(const FindingContext& c, const AlikeSteps& alike, const RaisedLevel& level,
                                       std::span<const Finding> found) {
    const SeriesOfSteps& series = alike.series;
    double cost = alike.part * cost_of_level(level, series.wall);
    if (c.repaired.changed()) {
        const std::vector<TimeRange> ranges =
            step_ranges(c.graph, replay(c.graph, c.repaired.times()), c.repaired.times());
        const double left = alike.part * cost_of_level(level, mean_walls(c, series, ranges));
        if (left < (1 - kMostOf) * cost)
            return {};
        cost = std::min(cost, left);
    }
    // Operations are not repaired: there a worker that is slow from that step on tells it.
    double told = 0;
    for (const Finding& finding : found)
        if (finding.code == FindingCode::straggler && !level.gradual &&
            finding.first_iteration == series.numbers[level.first])
            told += finding.cost;
    return c.share(cost) < kLeastFault || told >= kMostOf * cost ? std::nullopt : std::optional(cost);
}

/// What grew; marks the finding as inherent where more kernels are most of it.
Message growth_words(const FindingContext& c, const SeriesOfSteps& series, const RaisedLevel& level,
                     const std::vector<GrownPart>& parts, const std::set<std::size_t>& ranks, Finding& finding) {
    const bool operations = c.inputs.run.source == TraceSource::operations;
    // Who waits for a rank that is not traced seems to communicate for longer.
    const bool not_traced = std::ranges::any_of(c.communication, &CommunicationNode::lone);
    Message words;
    std::string separator = ": ";
    for (const GrownPart& part : parts) {
        if (part.growth < kNamedPart * (level.raised - level.usual))
            continue;
        words += Message(separator);
        // Operations alone do not say what the GPU does between them.
        const bool between = operations && part.field == &StepParts::idle;
        words += between ? "no operation runs for %1 more"_text(time_words(part.growth))
                         : part.words(time_words(part.growth));
        separator = ", ";
        if (part.field == &StepParts::transfer && not_traced)
            words += " (not all members of the calls are traced, so waits for them count too)"_text();
        if (part.field == &StepParts::compute) {
            const KernelWords kernels = kernel_words(c, series, level, ranks);
            words += kernels.words;
            finding.inherent = kernels.more_kernels && &part == parts.data();
        }
    }
    return words;
}

std::vector<FindingFact> facts_of_level(const RaisedLevel& level, const std::vector<GrownPart>& parts) {
    std::vector<FindingFact> facts{
        {level.gradual ? FactName::first_step_us : FactName::usual_step_us, level.usual / 1000, {}},
        {level.gradual ? FactName::last_step_us : FactName::slower_step_us, level.raised / 1000, {}}};
    for (const auto& [field, name] : {std::pair(&StepParts::compute, FactName::computation_us_longer),
                                      std::pair(&StepParts::transfer, FactName::exposed_communication_us_longer),
                                      std::pair(&StepParts::wait, FactName::waiting_us_longer),
                                      std::pair(&StepParts::bubble, FactName::bubble_us_longer),
                                      std::pair(&StepParts::copies, FactName::exposed_copies_us_longer),
                                      std::pair(&StepParts::idle, FactName::idle_us_longer)})
        for (const GrownPart& part : parts)
            if (part.field == field)
                facts.push_back({name, part.growth / 1000, {}});
    return facts;
}

/// The first slow step, and the last one before it; where the steps grow by and by, the last and the first one.
std::vector<FindingEvent> steps_shown(const FindingContext& c, const SeriesOfSteps& series, const RaisedLevel& level,
                                      const std::set<std::size_t>& ranks) {
    std::uint32_t rank = 0;
    while (rank + 1 < series.place.size() && (ranks.empty() ? series.place[rank].empty() : !ranks.contains(rank)))
        ++rank;
    std::vector<FindingEvent> events;
    for (const std::size_t i : {level.gradual ? level.last : level.first, level.gradual ? 0 : level.first - 1})
        events.push_back({rank, kNoEvent, c.inputs.steps.windows[rank][series.place[rank][i]]});
    return events;
}

std::optional<Finding> slower_among(const FindingContext& c, const AlikeSteps& alike, std::span<const Finding> found) {
    const SeriesOfSteps& series = alike.series;
    const auto level = raised_level(series.wall);
    if (!level || level->raised < kLeastRaise * level->usual)
        return {};
    const std::optional<double> cost = unexplained_cost(c, alike, *level, found);
    if (!cost)
        return {};
    const std::set<std::size_t> ranks = ranks_that_grew(c, series, *level, level->raised - level->usual);
    const std::vector<GrownPart> parts = parts_that_grew(c, series, *level, ranks);
    Finding finding;
    finding.code = FindingCode::slower_steps;
    finding.cause = parts.front().cause;
    finding.title = when_words(c, series, *level);
    finding.title += outlier_words(series, *level);
    if (!alike.words.empty())
        finding.title += " (%1)"_text(alike.words);
    finding.title += growth_words(c, series, *level, parts, ranks, finding);
    for (const std::size_t rank : ranks)
        finding.ranks.push_back(c.inputs.run.ranks[rank]->rank);
    std::ranges::sort(finding.ranks);
    if (!ranks.empty())
        finding.title += plural(finding.ranks.size(), ", on rank %1 alone"_one,
                                ", on ranks %1 alone"_many)(rank_numbers(finding.ranks));
    finding.inherent = finding.inherent || level->gradual || !alike.work_known;
    finding.facts = facts_of_level(*level, parts);
    if (c.graph.profiler_steps && !level->gradual) {
        Onset onset{{}, level->chance};
        onset.steps.insert(series.numbers.begin() + static_cast<std::ptrdiff_t>(level->first),
                           series.numbers.begin() + static_cast<std::ptrdiff_t>(level->last + 1));
        set_onset(c, onset, finding);
    } else {
        finding.facts.push_back({FactName::onset_chance_of_noise, level->chance, {}});
    }
    finding.events = steps_shown(c, series, *level, ranks);
    finding.cost = *cost;
    const std::size_t slow = level->last - level->first + 1;
    finding.confidence = confidence_of(slow, slow);
    return finding;
}

} // namespace

void find_slower_steps(const FindingContext& c, std::vector<Finding>& found) {
    std::optional<SeriesOfSteps> series = series_of_steps(c);
    if (!series)
        return;
    std::optional<Finding> most;
    for (const AlikeSteps& alike : alike_steps(c, std::move(*series)))
        if (auto finding = slower_among(c, alike, found); finding && (!most || finding->cost > most->cost))
            most = std::move(finding);
    if (most)
        found.push_back(std::move(*most));
}

} // namespace rankscope
