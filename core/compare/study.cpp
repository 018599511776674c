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
    const StudyRun* base = nullptr;
    std::set<int> sizes;
    for (const StudyRun& run : runs)
        if (const StudyValue* time = run.find("iter_time"); time != nullptr && time->value > 0 && run.world_size > 0) {
            sizes.insert(run.world_size);
            if (base == nullptr || run.world_size < base->world_size)
                base = &run;
        }
    if (sizes.size() < 2)
        return result;
    const double base_time = base->find("iter_time")->value;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (const StudyValue* time = runs[i].find("iter_time");
            time != nullptr && time->value > 0 && runs[i].world_size > 0)
            result[i] = StudyEfficiency{base_time * base->world_size / (time->value * runs[i].world_size),
                                        base_time / time->value};
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

std::string StudyRun::ranks_text() const {
    return traced == world_size ? fmt::format("{}", world_size) : fmt::format("{} of {}", traced, world_size);
}

const StudyValue* StudyRun::find(std::string_view metric) const {
    const auto found =
        std::ranges::find_if(values, [&](const StudyValue& value) { return value.metric->id == metric; });
    return found == values.end() ? nullptr : &*found;
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
    for (const auto& [metric, measured] : compute_metrics(analysis, ids, stop).entries)
        if (measured.available)
            result.values.push_back({metric, measured.judged().value, measured.judged().spread});
    return result;
}

MetricList metrics_of(std::span<const StudyRun> runs) {
    MetricList metrics;
    for (const StudyRun& run : runs)
        for (const StudyValue& value : run.values)
            metrics.push_back(value.metric);
    return in_catalogue_order(metrics);
}

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
    for (const MetricPointer& metric : metrics_of(runs)) {
        std::vector<double> series;
        for (const StudyRun& run : std::span(runs).first(placed))
            if (const StudyValue* value = run.find(metric->id))
                series.push_back(value->value);
        if (!ordered || series.size() != placed)
            continue;
        for (const ChangePoint& change : change_points(series)) {
            // With files of more ranks, sums over ranks are larger, and the worst of them is another one.
            const StudyRun& before = runs[change.first - 1];
            const StudyRun& after = runs[change.first];
            if (metric->of_iteration != OfIteration::time && before.world_size == after.world_size &&
                before.traced != after.traced)
                continue;
            StudyChange& told = study.changes.emplace_back(
                StudyChange{metric, change.first, change.before, change.after, change.chance});
            told.status = status_of_change(std::span(runs).first(placed), told);
        }
    }
    study.runs = std::move(runs);
    return study;
}

} // namespace rankscope
