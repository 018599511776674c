// SPDX-License-Identifier: GPL-3.0-or-later
// Counts and durations by name, and how they differ.
#include "core/compare/operator_diff.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "core/analysis/compat/hta_clock.h"
#include "core/analysis/selection/selected_time.h"
#include "core/base/work_count.h"
#include "core/compare/in_iterations.h"

namespace rankscope {
namespace {

/// Totals by device and name id, cheap to add to.
class IdTotals {
public:
    explicit IdTotals(const StringTable& names)
        : totals_{std::vector<NameTotal>(names.size()), std::vector<NameTotal>(names.size())} {}
    void add(DiffDevice device, NameId name, double us) {
        NameTotal& total = totals_[device == DiffDevice::gpu ? 1 : 0][name];
        total.count += 1;
        total.time_us += us;
    }
    void add_to(NameTotals& result, const StringTable& names, double weight) const {
        for (const DiffDevice device : {DiffDevice::cpu, DiffDevice::gpu}) {
            const std::vector<NameTotal>& totals = totals_[device == DiffDevice::gpu ? 1 : 0];
            for (NameId name = 0; name < totals.size(); ++name) {
                if (totals[name].count > 0) {
                    NameTotal& total = result[{device, std::string(names.view(name))}];
                    total.count += totals[name].count * weight;
                    total.time_us += totals[name].time_us * weight;
                }
            }
        }
    }

private:
    std::array<std::vector<NameTotal>, 2> totals_;
};

bool is_counted_on_cpu(EventKind kind) {
    return kind == EventKind::cpu_op || kind == EventKind::annotation || is_launch_call(kind);
}

OperatorStatus status_of(const NameTotal& baseline, const NameTotal& test) {
    if (baseline.count == 0)
        return OperatorStatus::added;
    if (test.count == 0)
        return OperatorStatus::removed;
    const double difference = test.count - baseline.count;
    return difference > 0   ? OperatorStatus::increased
           : difference < 0 ? OperatorStatus::decreased
                            : OperatorStatus::unchanged;
}

void sort_by_change(std::vector<OperatorChange>& changes) {
    std::ranges::stable_sort(
        changes, std::greater<>(),
        [](const OperatorChange& change) { return std::abs(change.test.time_us - change.baseline.time_us); });
}

/// Changes of one device by their shortened name, of one run only.
void match_shortened(std::vector<OperatorChange>& changes) {
    struct Pair {
        std::vector<OperatorChange*> removed;
        std::vector<OperatorChange*> added;
    };
    std::map<std::string, Pair> pairs;
    for (OperatorChange& change : changes)
        if (change.device == DiffDevice::gpu && change.status == OperatorStatus::removed)
            pairs[shortened_name(change.name)].removed.push_back(&change);
        else if (change.device == DiffDevice::gpu && change.status == OperatorStatus::added)
            pairs[shortened_name(change.name)].added.push_back(&change);
    for (auto& [name, pair] : pairs) {
        if (pair.removed.size() != 1 || pair.added.size() != 1)
            continue;
        OperatorChange& change = *pair.removed.front();
        OperatorChange& other = *pair.added.front();
        change.test_name = other.name;
        change.test = other.test;
        change.shortened = true;
        change.status = status_of(change.baseline, change.test);
        other.test = {};
    }
    std::erase_if(changes,
                  [](const OperatorChange& change) { return change.baseline.count == 0 && change.test.count == 0; });
}

} // namespace

std::string_view diff_device_word(DiffDevice device) { return device == DiffDevice::cpu ? "cpu" : "gpu"; }

std::string_view operator_status_word(OperatorStatus status) {
    constexpr std::array<std::string_view, 5> kWords{"added", "removed", "increased", "decreased", "unchanged"};
    return kWords[static_cast<std::size_t>(status)];
}

NameTotals name_totals(const RunAnalysis& analysis) {
    count_work("name_totals");
    const Run& run = analysis.run();
    const StringTable& names = *run.names;
    NameTotals result;
    const StepAccount& account = analysis.steps();
    const bool iterations = account.unit != StepAccount::Unit::window;
    const double weight = 1.0 / static_cast<double>(iterations ? account.ranks.size() : analysis.ranks().size());
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r) {
        const RankAnalysis& rank = analysis.ranks()[r];
        IdTotals totals(names);
        const EventTable& events = rank.trace->events;
        const InIterations counted(account, rank, r);
        for (const GpuSlice& slice : rank.gpu_work)
            if (counted.has(slice))
                totals.add(DiffDevice::gpu, events.name[slice.event],
                           static_cast<double>(slice.range.length()) / 1000.0);
        for (EventIndex i = events.gpu_count; i < events.size(); ++i) {
            const bool step =
                events.kind[i] == EventKind::annotation && rank.trace->event_name(i).starts_with("ProfilerStep#");
            if (is_counted_on_cpu(events.kind[i]) && !step && counted.has(events.start[i]) &&
                is_selected(analysis.run(), *rank.trace, analysis.selection(), events.start[i]))
                totals.add(DiffDevice::cpu, events.name[i], static_cast<double>(events.duration[i]) / 1000.0);
        }
        totals.add_to(result, names, weight);
    }
    return result;
}

std::vector<OperatorChange> compare_operators(const NameTotals& baseline, const NameTotals& test) {
    std::map<std::pair<DiffDevice, std::string>, OperatorChange> all;
    const auto change_of = [&](const auto& key) -> OperatorChange& {
        OperatorChange& change = all[key];
        change.device = key.first;
        change.name = change.test_name = key.second;
        return change;
    };
    for (const auto& [key, total] : baseline)
        change_of(key).baseline = total;
    for (const auto& [key, total] : test)
        change_of(key).test = total;
    std::vector<OperatorChange> changes;
    for (auto& [key, change] : all) {
        change.status = status_of(change.baseline, change.test);
        changes.push_back(std::move(change));
    }
    match_shortened(changes);
    sort_by_change(changes);
    return changes;
}

std::vector<OperatorChange> per_step(std::vector<OperatorChange> changes, double baseline_steps, double test_steps) {
    constexpr double kSame = 0.02;
    for (OperatorChange& change : changes) {
        for (auto [total, steps] : {std::pair(&change.baseline, baseline_steps), std::pair(&change.test, test_steps)}) {
            total->count /= steps;
            total->time_us /= steps;
        }
        const bool same = std::abs(change.test.count - change.baseline.count) <=
                          kSame * std::max(change.baseline.count, change.test.count);
        change.status = same ? OperatorStatus::unchanged : status_of(change.baseline, change.test);
    }
    sort_by_change(changes);
    return changes;
}

std::string shortened_name(std::string_view name) {
    std::string result;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const char open = c == '>' ? '<' : c == ')' ? '(' : '\0';
        if (c == '-' && i + 1 < name.size() && name[i + 1] == '>') {
            ++i; // an arrow is no bracket
        } else if (open != '\0') {
            const std::size_t at = result.rfind(open);
            result.resize(at == std::string::npos ? 0 : at);
        } else if (c == '0' && i + 1 < name.size() && name[i + 1] == 'x') {
            const std::size_t end = name.find_first_not_of("0123456789abcdefABCDEF", i + 2);
            i = (end == std::string_view::npos ? name.size() : end) - 1;
        } else {
            result += c;
        }
    }
    if (result.size() < name.size())
        result.erase(0, result.rfind(' ') + 1);         // the return type; npos + 1 is 0
    return result.empty() ? std::string(name) : result; // "Memset (Device)" says all in what would be parameters
}

NameTotals hta_name_totals(const RankTrace& rank, std::span<const std::int64_t> steps) {
    const HtaClock clock(rank);
    const EventTable& events = rank.events;
    std::vector<std::int64_t> wanted(steps.begin(), steps.end());
    if (wanted.empty() && !rank.steps.empty()) {
        wanted = {
            std::min_element(
                rank.steps.begin(), rank.steps.end(), [](const auto& a, const auto& b) { return a.number < b.number; })
                ->number};
    }
    // Of the steps around that time the last in the file.
    const auto in_wanted = [&](TimeNs start) {
        const ProfilerStep* found = nullptr;
        for (const ProfilerStep& step : rank.steps) {
            const TimeRange range = clock.range(events, step.event);
            if (start >= range.begin && start < range.end &&
                (found == nullptr || events.ordinal[found->event] < events.ordinal[step.event]))
                found = &step;
        }
        return found != nullptr && std::find(wanted.begin(), wanted.end(), found->number) != wanted.end();
    };
    IdTotals totals(*rank.names);
    for (const Lane& lane : rank.lanes) {
        const bool gpu_row = (lane.kind == LaneKind::gpu_stream || lane.kind == LaneKind::gpu_sync) && lane.stream >= 0;
        for (EventIndex i = lane.begin; i < lane.end; ++i) {
            if (is_graph_slice(rank.events.kind[i]))
                continue; // not in the file
            const TimeRange range = clock.range(events, i);
            const double us = static_cast<double>(range.end - range.begin) / 1000.0;
            if (gpu_row && lane.stream > 0 && events.link[i] != kNoEvent &&
                in_wanted(clock.start(events.start[events.link[i]])))
                totals.add(DiffDevice::gpu, events.name[i], us);
            else if (!gpu_row && events.kind[i] != EventKind::span && in_wanted(range.begin))
                totals.add(DiffDevice::cpu, events.name[i], us);
        }
    }
    NameTotals result;
    totals.add_to(result, *rank.names, 1);
    return result;
}

} // namespace rankscope
