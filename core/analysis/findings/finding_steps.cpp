// SPDX-License-Identifier: GPL-3.0-or-later
// Since which step something is there; and steps that become slower while no rank, link or host stands out.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/analysis/basics/change_points.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/graph/step_ranges.h"
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

namespace {

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

namespace {

constexpr double kLeastRaise = 1.01; ///< times what a step takes before
constexpr double kNamedPart = 0.15;  ///< of what a step takes longer
constexpr double kAsManyKernels = 0.02;
constexpr double kAlikeKinds = 0.02; ///< difference of two ratios
constexpr double kOneKind = 0.7;     ///< of what computation takes longer

/// Steps that all ranks have, in order: profiler steps, or repetitions of a recording without any.
struct SeriesOfSteps {
    std::vector<std::int64_t> numbers;
    std::vector<std::vector<std::size_t>> place; ///< by rank: of each, in StepAccount::parts; empty: the rank has none
    std::vector<double> wall;                    ///< ns, mean over the ranks
};

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

std::vector<double> mean_walls(const SeriesOfSteps& series, const std::vector<std::vector<double>>& by_rank) {
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

/// Lengths of the profiler steps of each rank.
std::vector<std::vector<double>> lengths_of(const FindingContext& c, const std::vector<TimeRange>& ranges) {
    std::vector<std::vector<double>> lengths(c.inputs.run.ranks.size());
    for (std::size_t s = 0; s < ranges.size(); ++s)
        lengths[c.graph.steps[s].rank].push_back(static_cast<double>(ranges[s].length()));
    return lengths;
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
        series.wall = mean_walls(series, lengths_of(c, step_ranges(c.graph)));
        return series;
    }
    // Repetitions of ranks whose recordings differ in length may not be the same ones; and what a fault costs in each
    // is not known.
    if (account.unit != StepAccount::Unit::inferred || c.repaired.changed())
        return {};
    std::size_t count = 0;
    for (const auto& parts : account.parts) {
        if (count != 0 && !parts.empty() && parts.size() != count)
            return {};
        count = std::max(count, parts.size());
    }
    SeriesOfSteps series = steps_of_all(c, [&](std::uint32_t r) {
        std::vector<std::int64_t> own(account.parts[r].size());
        std::iota(own.begin(), own.end(), 1);
        return own;
    });
    std::vector<std::vector<double>> walls;
    for (const auto& parts : account.parts)
        std::ranges::transform(parts, std::back_inserter(walls.emplace_back()),
                               [](const StepParts& step) { return static_cast<double>(step.wall); });
    series.wall = mean_walls(series, walls);
    return series;
}

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

/// What all steps together take longer than the usual one, over their number, ns.
double cost_of(const RaisedLevel& level, std::span<const double> values) {
    const double growth = growth_of(level, values);
    if (level.gradual)
        return growth / 2; // the mean of a line
    return growth * static_cast<double>(level.last - level.first + 1) / static_cast<double>(values.size());
}

struct GrownPart {
    TimeNs StepParts::*field;
    FindingCause cause = FindingCause::none;
    Text<1> words;     ///< with a place for the time
    double growth = 0; ///< ns a step, mean over the ranks that are looked at

    /// Other ranks have a part in it.
    [[nodiscard]] bool with_others() const {
        return field == &StepParts::wait || field == &StepParts::bubble || field == &StepParts::transfer;
    }
};

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

/// The ranks that themselves take longer, each by half of what a step does, while no other does by half of the least of
/// them; at most half of all ranks, because what most do is what the program does. Empty: none stand out.
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

/// Kernels that compute, in the usual steps [0] and in the raised ones [1]; of a gradual change in its first and its
/// last third.
struct KernelSums {
    double time[2] = {0, 0};
    double count[2] = {0, 0};
    [[nodiscard]] double ratio() const { return time[0] > 0 ? time[1] / time[0] : 1; }
    [[nodiscard]] double growth() const { return time[1] - time[0]; }
};

std::map<ComputeKind, KernelSums> kernel_sums(const FindingContext& c, const SeriesOfSteps& series,
                                              const RaisedLevel& level, const std::set<std::size_t>& only_ranks) {
    const std::size_t n = series.numbers.size();
    constexpr int kNeither = 2;
    const auto side_of_step = [&](std::size_t i) {
        if (level.outlier[i])
            return kNeither;
        if (!level.gradual)
            return i >= level.first && i <= level.last ? 1 : 0;
        const bool first_third = 3 * i < n;
        const bool last_third = 3 * (i + 1) > 2 * n;
        return first_third ? 0 : last_third ? 1 : kNeither;
    };
    std::vector<int> side;
    double counts[2] = {0, 0};
    for (std::size_t i = 0; i < n; ++i) {
        side.push_back(side_of_step(i));
        if (side[i] != kNeither)
            ++counts[side[i]];
    }
    std::map<ComputeKind, KernelSums> kinds;
    double ranks = 0;
    for (std::uint32_t r = 0; r < series.place.size(); ++r) {
        if (series.place[r].empty() || (!only_ranks.empty() && !only_ranks.contains(r)))
            continue;
        ++ranks;
        const std::vector<TimeRange>& windows = c.inputs.steps.windows[r];
        std::vector<int> side_of(windows.size(), kNeither);
        for (std::size_t i = 0; i < n; ++i)
            side_of[series.place[r][i]] = side[i];
        const RankTrace& trace = *c.inputs.run.ranks[r];
        std::map<NameId, ComputeKind> kind_of;
        for (std::uint32_t node = c.graph.first_gpu_node[r]; node < c.graph.first_node[r + 1]; ++node) {
            if (c.graph.kind[node] != NodeKind::compute)
                continue;
            std::size_t step = c.graph.step[node];
            if (!c.graph.profiler_steps) {
                const TimeNs start = c.graph.clock.recorded(r, c.graph.start[node]);
                const auto after = std::ranges::upper_bound(windows, start, {}, &TimeRange::begin);
                step = after == windows.begin() || !std::prev(after)->contains(start)
                           ? windows.size()
                           : static_cast<std::size_t>(std::prev(after) - windows.begin());
            }
            if (step >= side_of.size() || side_of[step] == kNeither)
                continue;
            const NameId name = trace.events.name[c.graph.event[node]];
            const auto [known, added] = kind_of.try_emplace(name);
            if (added)
                known->second = compute_kind(trace.names->view(name));
            KernelSums& sums = kinds[known->second];
            sums.time[side_of[step]] += static_cast<double>(c.graph.times.duration[node]);
            ++sums.count[side_of[step]];
        }
    }
    for (auto& [kind, sums] : kinds)
        for (const int i : {0, 1}) {
            sums.time[i] /= std::max(1.0, counts[i] * ranks);
            sums.count[i] /= std::max(1.0, counts[i] * ranks);
        }
    return kinds;
}

struct KernelWords {
    Message words;
    bool more_kernels = false; ///< the program does more
};

/// operations: what computes are operations, not kernels.
KernelWords kernel_words(const std::map<ComputeKind, KernelSums>& kinds, bool operations) {
    KernelSums all;
    const std::pair<const ComputeKind, KernelSums>* most = nullptr;
    for (const auto& kind : kinds) {
        for (const int i : {0, 1}) {
            all.time[i] += kind.second.time[i];
            all.count[i] += kind.second.count[i];
        }
        most = most == nullptr || kind.second.growth() > most->second.growth() ? &kind : most;
    }
    if (most == nullptr || all.count[0] <= 0 || all.time[0] <= 0)
        return {};
    if (std::abs(all.count[1] / all.count[0] - 1) > kAsManyKernels) {
        const std::string now = fmt::format("{:.4g}", all.count[1]);
        const std::string before = fmt::format("{:.4g}", all.count[0]);
        return {operations ? " (%1 operations a step instead of %2)"_text(now, before)
                           : " (%1 kernels a step instead of %2)"_text(now, before),
                true};
    }
    // Longer kernels of the same number: of the work in each nothing is known.
    const KernelSums& kind = most->second;
    KernelSums others;
    for (const int i : {0, 1})
        others.time[i] = all.time[i] - kind.time[i];
    const bool one_kind = most->first != ComputeKind::other && others.time[0] > 0 &&
                          kind.growth() >= kOneKind * all.growth() && kind.ratio() > others.ratio() + kAlikeKinds;
    if (!one_kind) {
        const std::string ratio = fmt::format("{:.2f}", all.ratio());
        return {operations ? " (as many operations, %1× as long: slower GPUs, or more work in each)"_text(ratio)
                           : " (as many kernels, %1× as long: slower GPUs, or more work in each)"_text(ratio),
                false};
    }
    const Message word = Message::word(compute_kind_word(most->first));
    const std::string ratio = fmt::format("{:.2f}", kind.ratio());
    const std::string ratio_of_others = fmt::format("{:.2f}", others.ratio());
    return {operations
                ? " (as many operations; %1 operations take %2× as long, the others %3×: slower GPUs, or more work "
                  "in each)"_text(word, ratio, ratio_of_others)
                : " (as many kernels; %1 kernels take %2× as long, the others %3×: slower GPUs, or more work in "
                  "each)"_text(word, ratio, ratio_of_others),
            false};
}

/// Steps that compute alike; of a serving engine these are some of all.
struct AlikeSteps {
    SeriesOfSteps series;
    Message words;          ///< "decode steps of 8 requests"; empty where steps are not told apart
    double part = 1;        ///< of all steps
    bool work_known = true; ///< false: how much each computes is not known
};

SeriesOfSteps part_of(const SeriesOfSteps& all, const std::vector<std::size_t>& kept) {
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

/// Steps of a training run are one series; those of a serving engine one for each amount of work.
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
        alike.push_back({part_of(all, kind.steps),
                         kinds.size() + untold.size() == 1 ? Message() : steps_of_work_words(kind.work),
                         part(kind.steps.size()), true});
    if (kinds.empty())
        alike.push_back({part_of(all, untold), {}, part(untold.size()), false});
    return alike;
}

Message when_words(const FindingContext& c, const SeriesOfSteps& series, const RaisedLevel& level) {
    const bool steps = c.graph.profiler_steps;
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
    double cost = alike.part * cost_of(level, series.wall);
    if (c.repaired.changed()) {
        const std::vector<TimeRange> ranges =
            step_ranges(c.graph, replay(c.graph, c.repaired.times()), c.repaired.times());
        const double left = alike.part * cost_of(level, mean_walls(series, lengths_of(c, ranges)));
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

/// The parts that grew, most first. ranks: those that grew alone; empty: all.
std::vector<GrownPart> parts_that_grew(const FindingContext& c, const SeriesOfSteps& series, const RaisedLevel& level,
                                       const std::set<std::size_t>& ranks) {
    std::vector<GrownPart> parts = grown_parts(c, series, level, ranks);
    if (!ranks.empty()) // that they wait less, or send longer, is not why
        std::erase_if(parts, &GrownPart::with_others);
    std::ranges::stable_sort(parts, std::greater<>(), &GrownPart::growth);
    return parts;
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
            const KernelWords kernels = kernel_words(kernel_sums(c, series, level, ranks), operations);
            words += kernels.words;
            finding.inherent = kernels.more_kernels && &part == parts.data();
        }
    }
    return words;
}

std::vector<FindingFact> facts_of(const RaisedLevel& level, const std::vector<GrownPart>& parts) {
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
    finding.facts = facts_of(*level, parts);
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
