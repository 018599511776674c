// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/study.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/basics/change_points.h"
#include "core/metrics/iteration_values.h"

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
        return tl::unexpected<Error>(Error{
            Error::Code::usage, fmt::format("--by {}: several settings end so: {}", key, fmt::join(ending, ", "))});
    constexpr std::size_t kListed = 8;
    std::vector<std::string> some(all.begin(), all.end());
    some.resize(std::min(some.size(), kListed));
    return tl::unexpected<Error>(
        Error{Error::Code::usage,
              fmt::format("--by {}: no run has that setting; there are date, world_size, name{}{}{}", key,
                          some.empty() ? "" : ", ", fmt::join(some, ", "), all.size() > some.size() ? " ..." : "")});
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

} // namespace

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
    result.first = run.span.begin >= kYear2000 ? run.span.begin : 0;
    result.config = run.config;
    for (const auto& [metric, measured] : compute_metrics(analysis, ids, stop).entries)
        if (measured.available)
            result.values.push_back({metric, measured.value, spread_of(measured)});
    return result;
}

Result<Study> make_study(std::vector<StudyRun> runs, const std::string& key) {
    Study study;
    study.key = key;
    std::string setting;
    if (key != "date" && key != "world_size" && key != "name") {
        const auto found = config_key(runs, key);
        if (!found)
            return tl::unexpected<Error>(found.error());
        study.key = setting = *found;
    }
    const auto text_of = [&](const StudyRun& run) { return study_key_text(run, setting.empty() ? key : setting); };
    const bool numbers = key != "date" && key != "name" && std::ranges::all_of(runs, [&](const StudyRun& run) {
                             const std::string text = text_of(run);
                             return text.empty() || study_number(text);
                         });
    std::ranges::stable_sort(runs, [&](const StudyRun& a, const StudyRun& b) {
        const std::string left = text_of(a);
        const std::string right = text_of(b);
        if (left.empty() != right.empty())
            return right.empty();
        if (numbers && !left.empty() && *study_number(left) != *study_number(right))
            return *study_number(left) < *study_number(right);
        if (!numbers && key == "date" && a.first != b.first)
            return a.first < b.first;
        if (!numbers && left != right)
            return left < right;
        return a.first != b.first ? a.first < b.first : a.label < b.label;
    });
    for (const StudyRun& run : runs)
        study.texts.push_back(text_of(run));
    study.scaling = scaling_of(runs);
    for (const Metric& metric : metric_catalogue()) {
        std::vector<double> series;
        for (const StudyRun& run : runs)
            if (const StudyValue* value = run.find(metric.id))
                series.push_back(value->value);
        if (series.size() != runs.size())
            continue;
        for (const ChangePoint& change : change_points(series))
            study.changes.push_back({&metric, change.first, change.before, change.after, change.chance});
    }
    study.runs = std::move(runs);
    return study;
}

} // namespace rankscope
