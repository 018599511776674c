// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/study.h"
#include "core/base/text.h"
#include "core/base/text_match.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>
#include <span>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/basics/change_points.h"
#include "core/metrics/value_words.h"

namespace rankscope {
namespace {

constexpr TimeNs kYear2000 = TimeNs{946'684'800} * 1'000'000'000; ///< times before it count from something else

std::string date_text(TimeNs time) {
    return time == 0
               ? std::string()
               : fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(time / 1'000'000'000)));
}

/// The whole name of a configuration key.
Result<std::string> config_key(const std::vector<StudyRun>& runs, const std::string& key) {
    std::set<std::string> ending;
    std::set<std::string> all;
    for (const StudyRun& run : runs)
        for (const auto& [name, value] : run.config) {
            if (name == key)
                return name;
            all.insert(name);
            if (name.ends_with('.' + key))
                ending.insert(name);
        }
    if (ending.size() == 1)
        return *ending.begin();
    if (!ending.empty())
        return tl::unexpected<Error>(Error{Error::Code::usage, "--by %1: several settings end so: %2"_text(
                                                                   key, fmt::to_string(fmt::join(ending, ", ")))});
    constexpr std::size_t kListed = 8;
    std::vector<std::string> some(all.begin(), all.end());
    some.resize(std::min(some.size(), kListed));
    return tl::unexpected<Error>(
        Error{Error::Code::usage, "--by %1: no run has that setting; there are date, world_size, name%2%3%4"_text(
                                      key, some.empty() ? "" : ", ", fmt::to_string(fmt::join(some, ", ")),
                                      all.size() > some.size() ? " ..." : "")});
}

std::vector<std::optional<StudyEfficiency>> scaling_of(const std::vector<StudyRun>& runs) {
    std::vector<std::optional<StudyEfficiency>> result(runs.size());
    const std::string_view id = step_metric(runs);
    const StudyRun* base = nullptr;
    const auto has_time = [&](const StudyRun& run) {
        const StudyValue* time = run.find(id);
        return time != nullptr && time->value > 0 && run.world_size > 0;
    };
    for (const StudyRun& run : runs)
        if (has_time(run) && (base == nullptr || run.world_size < base->world_size))
            base = &run;
    if (base == nullptr)
        return result;
    const double base_time = base->find(id)->value;
    bool scales = false;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (const StudyRun& run = runs[i]; has_time(run) && do_same_work(base->work, run.work)) {
            const double time = run.find(id)->value;
            result[i] = StudyEfficiency{base_time * base->world_size / (time * run.world_size), base_time / time};
            scales = scales || run.world_size != base->world_size;
        }
    if (!scales)
        std::ranges::fill(result, std::nullopt);
    return result;
}

/// Every number as one "#".
std::string without_numbers(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (!is_digit(text[i]))
            result += text[i];
        else if (i == 0 || !is_digit(text[i - 1]))
            result += '#';
    return result;
}

/// The names differ in numbers only: those tell an order.
bool numbered(const std::vector<StudyRun>& runs) {
    return !runs.empty() && std::ranges::all_of(
                                runs,
                                [&](const StudyRun& run) {
                                    const std::string form = without_numbers(run.label);
                                    return form.find('#') != std::string::npos &&
                                           form == without_numbers(runs.front().label);
                                });
}

/// A share is better or worse only where the time that it stands for is (metric_comparison.h).
ChangeStatus status_of_change(std::span<const StudyRun> runs, const StudyChange& change) {
    if (change.metric->better == Better::none)
        return ChangeStatus::changed;
    const ChangeStatus status = (change.after < change.before) == (change.metric->better == Better::lower)
                                    ? ChangeStatus::better
                                    : ChangeStatus::worse;
    double sums[2] = {0, 0};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto time = time_of_share(*change.metric, [&](std::string_view id) {
            const StudyValue* value = runs[i].find(id);
            return value == nullptr ? std::nullopt : std::optional(value->value);
        });
        if (!time)
            return status;
        sums[i < change.run ? 0 : 1] += *time;
    }
    const double before = sums[0] / static_cast<double>(change.run);
    const double after = sums[1] / static_cast<double>(runs.size() - change.run);
    return (after < before) == (status == ChangeStatus::better) ? status : ChangeStatus::changed;
}

} // namespace

std::string_view step_metric(const std::vector<StudyRun>& runs) {
    const bool on_gpu = std::ranges::all_of(
        runs, [](const StudyRun& run) { return run.find("step_time") != nullptr || run.find("iter_time") == nullptr; });
    return on_gpu ? "step_time" : "iter_time";
}

std::string StudyRun::ranks_text() const {
    return traced == world_size ? fmt::format("{}", world_size) : fmt::format("{} of {}", traced, world_size);
}

const StudyValue* StudyRun::find(std::string_view metric) const {
    const auto found =
        std::ranges::find_if(values, [&](const StudyValue& value) { return value.metric->id == metric; });
    return found == values.end() ? nullptr : &*found;
}

bool may_be_ranked(const StudyRun& a, const StudyRun& b) {
    const auto differs = [&](const StudyValue& value) {
        const StudyValue* const other = b.find(value.metric->id);
        return other != nullptr && !same_shares(value.batches, other->batches);
    };
    return std::ranges::none_of(a.values, differs) && do_same_work(a.work, b.work);
}

std::string study_key_text(const StudyRun& run, const std::string& key) {
    if (key == "date")
        return date_text(run.first);
    if (key == "world_size")
        return fmt::format("{}", run.world_size);
    if (key == "name")
        return run.label;
    const auto found = run.config.find(key);
    return found == run.config.end() ? std::string() : found->second;
}

std::optional<double> study_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value)
                                                                                            : std::nullopt;
}

StudyRun study_run(const RunAnalysis& analysis, std::string label, std::span<const std::string> ids,
                   const std::stop_token& stop) {
    const Run& run = analysis.run();
    StudyRun result;
    result.label = std::move(label);
    result.path = run.path.string();
    result.world_size = run.world_size;
    result.traced = static_cast<int>(run.ranks.size());
    result.first = run.span.begin >= kYear2000 ? run.span.begin : 0;
    result.config = run.config;
    const MetricReport report = compute_metrics(analysis, ids, stop);
    result.ends_early = report.ends_early;
    for (const auto& [metric, measured] : report.entries)
        if (measured.available && (!report.ends_early || metric->needs == Needs::nothing)) {
            StudyValue value{metric, measured.judged().value, measured.judged().spread};
            value.per_iteration = measured.per_iteration.has_value();
            value.value = measured.per_iteration.value_or(value.value);
            if (metric->by_batch)
                value.batches = batch_shares(metric->by_batch(analysis));
            result.values.push_back(std::move(value));
        }
    result.work = work_profile(analysis);
    return result;
}

MetricList metrics_of(std::span<const StudyRun> runs) {
    MetricList metrics;
    for (const StudyRun& run : runs)
        for (const StudyValue& value : run.values)
            metrics.push_back(value.metric);
    return in_catalogue_order(metrics);
}

namespace {

/// Places of runs that do not do the work of the run before them.
std::set<std::size_t> other_work(std::span<const StudyRun> runs) {
    std::set<std::size_t> places;
    for (std::size_t i = 1; i < runs.size(); ++i)
        if (!do_same_work(runs[i - 1].work, runs[i].work))
            places.insert(i);
    return places;
}

/// Whether the step's time became better, or worse, with the same run.
bool with_the_step(std::span<const StudyChange> changes, std::string_view step, const StudyChange& told) {
    return std::ranges::any_of(
        changes,
        [&](const StudyChange& change) {
            return change.metric->id == step && change.run == told.run && change.status == told.status;
        });
}

} // namespace

Result<Study> make_study(std::vector<StudyRun> runs, const std::string& asked) {
    Study study;
    std::string key = asked;
    bool ordered = true;
    const auto dated = std::ranges::count_if(runs, [](const StudyRun& run) { return run.first != 0; });
    if (key == "date" && dated == 0 && runs.size() > 1) {
        key = "name";
        ordered = numbered(runs);
        study.note = ordered ? "No run says when it was recorded: they are in the order of the numbers in their names."
                             : "No run says when it was recorded: they are in the order of their names. Which came "
                               "first is not known, so no change of level is sought; --by gives another order.";
    } else if (key != "date" && key != "world_size" && key != "name") {
        const auto found = config_key(runs, key);
        if (!found)
            return tl::unexpected<Error>(found.error());
        key = *found;
    }
    study.key = key;
    const bool numbers = key != "date" && key != "name" && std::ranges::all_of(runs, [&](const StudyRun& run) {
                             const std::string text = study_key_text(run, key);
                             return text.empty() || study_number(text);
                         });
    std::ranges::stable_sort(runs, [&](const StudyRun& a, const StudyRun& b) {
        const std::string left = study_key_text(a, key);
        const std::string right = study_key_text(b, key);
        if (left.empty() != right.empty())
            return right.empty();
        if (numbers && !left.empty() && *study_number(left) != *study_number(right))
            return *study_number(left) < *study_number(right);
        if (key == "date" && a.first != b.first)
            return a.first < b.first;
        if (!numbers && key != "date" && left != right)
            return by_numbers_inside(left, right);
        return a.first != b.first ? a.first < b.first : by_numbers_inside(a.label, b.label);
    });
    for (const StudyRun& run : runs)
        study.texts.push_back(study_key_text(run, key));
    const auto placed = static_cast<std::size_t>(
        std::ranges::count_if(study.texts, [](const std::string& text) { return !text.empty(); }));
    if (placed < runs.size() && runs.size() > 1)
        study.note = fmt::format("{} of {} runs have no {}: they come last, and no change of level is sought in them.",
                                 runs.size() - placed, runs.size(), key == "date" ? "time of recording" : key);
    study.scaling = scaling_of(runs);
    const std::set<std::size_t> breaks = other_work(std::span(runs).first(placed));
    if (!breaks.empty() && study.note.empty())
        study.note =
            fmt::format("{} does not do the same work as the run before it: no change of level is sought there.",
                        runs[*breaks.begin()].label);
    const std::string_view step = step_metric(runs);
    for (const MetricPointer& metric : metrics_of(runs)) { // the step's time comes first
        std::vector<double> series;
        for (const StudyRun& run : std::span(runs).first(placed))
            if (const StudyValue* value = run.find(metric->id))
                series.push_back(value->value);
        if (!ordered || series.size() != placed)
            continue;
        for (const ChangePoint& change : change_points(series)) {
            // With files of more ranks, sums over ranks are larger, and the worst of them is another one.
            if (breaks.contains(change.first))
                continue;
            const StudyRun& before = runs[change.first - 1];
            const StudyRun& after = runs[change.first];
            if (metric->of_iteration != OfIteration::time && before.world_size == after.world_size &&
                before.traced != after.traced)
                continue;
            StudyChange& told = study.changes.emplace_back(
                StudyChange{metric, change.first, change.before, change.after, change.chance});
            told.status = status_of_change(std::span(runs).first(placed), told);
            if (metric->id != step && !metric->stands_for_itself && !with_the_step(study.changes, step, told))
                told.status = ChangeStatus::changed;
        }
    }
    study.runs = std::move(runs);
    for (const StudyRun& run : study.runs)
        if (run.ends_early)
            study.note += fmt::format("{}What was recorded of {} ends early: what it takes is not known.",
                                      study.note.empty() ? "" : " ", run.label);
    return study;
}

namespace {

/// Lower is better; nothing: the run has no value.
std::optional<double> to_rank_by(const StudyRun& run, const Metric& metric) {
    const StudyValue* const value = run.find(metric.id);
    if (value == nullptr)
        return {};
    return metric.better == Better::higher ? -value->value : value->value;
}

} // namespace

std::vector<std::optional<double>> against_best(const Study& study, const Metric& metric) {
    std::vector<std::optional<double>> percents(study.runs.size());
    const StudyRun* best = nullptr;
    for (const StudyRun& run : study.runs)
        if (const auto value = to_rank_by(run, metric);
            value && (best == nullptr || *value < *to_rank_by(*best, metric)))
            best = &run;
    if (best == nullptr || metric.better == Better::none)
        return percents;
    const double least = best->find(metric.id)->value;
    for (std::size_t i = 0; i < percents.size(); ++i) {
        const StudyRun& run = study.runs[i];
        const StudyValue* const value = run.find(metric.id);
        if (value != nullptr && least != 0 && (&run == best || may_be_ranked(*best, run)))
            percents[i] = 100 * (value->value - least) / std::abs(least);
    }
    return percents;
}

Result<void> rank_study(Study& study, const MetricPointer& metric) {
    if (metric->better == Better::none)
        return tl::unexpected<Error>(
            Error{Error::Code::usage, "--rank-by %1: more of it is neither better nor worse"_text(metric->id)});
    std::vector<std::size_t> order(study.runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const auto left = to_rank_by(study.runs[a], *metric);
        const auto right = to_rank_by(study.runs[b], *metric);
        return left && (!right || *left < *right);
    });
    if (order.empty() || !to_rank_by(study.runs[order.front()], *metric))
        return tl::unexpected<Error>(Error{Error::Code::usage, "--rank-by %1: no run has it"_text(metric->id)});
    Study ranked{
        study.key, fmt::format("Ranked by {}: no change of level is sought.", metric->id), {}, {}, {}, {}, metric->id,
        {}};
    for (const std::size_t place : order) {
        ranked.runs.push_back(study.runs[place]);
        ranked.texts.push_back(study.texts[place]);
        ranked.scaling.push_back(study.scaling[place]);
    }
    ranked.against_best = against_best(ranked, *metric);
    study = std::move(ranked);
    return {};
}

std::vector<StudySetting> settings_that_differ(const Study& study, std::size_t most) {
    std::set<std::string> keys;
    for (const StudyRun& run : study.runs)
        for (const auto& [key, value] : run.config)
            keys.insert(key);
    std::vector<StudySetting> settings;
    for (const bool of_recording : {false, true})
        for (const std::string& key : keys) {
            if (key == "run.folder" || key == study.key || key.starts_with("trace.") != of_recording)
                continue;
            StudySetting setting{key, {}};
            for (const StudyRun& run : study.runs)
                setting.values.push_back(study_key_text(run, key));
            const auto other = [&](const std::string& value) { return value != setting.values.front(); };
            if (settings.size() < most && std::ranges::any_of(setting.values, other))
                settings.push_back(std::move(setting));
        }
    return settings;
}

std::string fastest_and_slowest(const Study& study) {
    const MetricList metrics = metrics_of(study.runs);
    const std::string_view id = step_metric(study.runs);
    const auto metric = std::ranges::find(metrics, id, [](const MetricPointer& each) { return each->id; });
    if (metric == metrics.end())
        return {};
    const auto percents = against_best(study, **metric);
    std::optional<std::size_t> best;
    std::optional<std::size_t> worst;
    for (std::size_t i = 0; i < percents.size(); ++i) {
        if (percents[i] && (!best || *percents[i] < *percents[*best]))
            best = i;
        if (percents[i] && (!worst || *percents[i] > *percents[*worst]))
            worst = i;
    }
    if (!best || *best == *worst)
        return {};
    bool all_alike = true;
    for (std::size_t i = 0; i < percents.size(); ++i)
        all_alike = all_alike && (percents[i] || study.runs[i].find(id) == nullptr);
    const auto words = [&](std::size_t run) { return value_words(study.runs[run].find(id)->value, (*metric)->unit); };
    return fmt::format("{} takes the least time for a step, {}, and {} the most{}, {} ({}).", study.runs[*best].label,
                       words(*best), study.runs[*worst].label, all_alike ? "" : " of the runs that do its work",
                       words(*worst), change_words(*percents[*worst]));
}

std::vector<bool> best_runs(const Study& study, const Metric& metric) {
    std::vector<bool> best(study.runs.size(), false);
    std::optional<double> least;
    std::optional<double> most;
    for (const StudyRun& run : study.runs) {
        const auto value = to_rank_by(run, metric);
        if (!value)
            continue;
        if (!may_be_ranked(study.runs.front(), run))
            return best;
        least = std::min(least.value_or(*value), *value);
        most = std::max(most.value_or(*value), *value);
    }
    if (metric.better != Better::none && least != most)
        for (std::size_t i = 0; i < best.size(); ++i)
            best[i] = to_rank_by(study.runs[i], metric) == least;
    return best;
}

} // namespace rankscope
