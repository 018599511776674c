// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics iteration by iteration.
#include "core/metrics/iteration_values.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/analysis/basics/change_points.h"
#include "core/analysis/basics/per_rank.h"
#include "core/metrics/numbers.h"
#include "core/trace/step_ends.h"
#include "core/views/iteration_table.h"

namespace rankscope {
namespace {

constexpr const char* kSpread = "spread_between_iterations";
constexpr const char* kSpreadOfLevels = "spread_around_levels"; ///< only where the level changes

/// Values of the ranks by step.
using ByStep = std::map<std::int64_t, std::vector<double>>;

void keep(std::map<std::string, std::vector<double>>& values, const std::string& id, const ByStep& by_step) {
    std::vector<double> means;
    for (const auto& [step, of_ranks] : by_step)
        means.push_back(mean_of(of_ranks));
    if (means.size() >= 2)
        values[id] = std::move(means);
}

ByStep inferred_durations(const RunAnalysis& analysis) {
    ByStep durations;
    for (const InferredSteps& rank : analysis.inferred_steps())
        for (std::size_t i = 0; i < rank.steps.size(); ++i)
            durations[static_cast<std::int64_t>(i)].push_back(as_ms(rank.steps[i].length()));
    return durations;
}

void keep_timelines(const RunAnalysis& analysis, std::map<std::string, std::vector<double>>& values) {
    const auto tables = per_rank<std::vector<IterationRow>>(
        analysis.run(), [&](const RankTrace&, std::size_t i) { return iteration_table(analysis.ranks()[i]); });
    ByStep durations;
    ByStep idle;
    ByStep overlap;
    ByStep compute;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const RankTrace& rank = *analysis.ranks()[i].trace;
        for (const IterationRow& row : tables[i]) {
            if (has_known_end(rank, row.step.number))
                durations[row.step.number].push_back(as_ms(row.step.range.length()));
            const auto share = [&](ByStep& of, TimeNs part, TimeNs whole) {
                if (whole > 0)
                    of[row.step.number].push_back(percent_of(static_cast<double>(part), static_cast<double>(whole)));
            };
            share(idle, row.gpu.idle, row.gpu.total);
            share(compute, row.gpu.computation, row.gpu.total);
            share(overlap, row.gpu.overlap, row.gpu.total_comm);
        }
    }
    keep(values, "iter_time", durations.empty() ? inferred_durations(analysis) : durations);
    keep(values, "gpu_timeline", idle);
    keep(values, "temporal_breakdown", compute);
    keep(values, "comm_comp_overlap", overlap);
}

/// The step of the first rank that runs at an aligned time; between two steps the earlier one.
std::optional<std::int64_t> step_at(const RunAnalysis& analysis, TimeNs time) {
    const auto& steps = analysis.ranks().front().steps;
    const auto after = std::ranges::upper_bound(steps, time + analysis.clock().offset.front(), {},
                                                [](const ProfilerStep& s) { return s.range.begin; });
    return after == steps.begin() ? std::nullopt : std::optional(std::prev(after)->number);
}

void keep_collectives(const RunAnalysis& analysis, std::map<std::string, std::vector<double>>& values) {
    ByStep lags;
    for (const CallLag& call : analysis.stragglers().calls)
        if (const auto step = step_at(analysis, call.start))
            lags[*step].push_back(static_cast<double>(call.lag) / 1000);
    keep(values, "straggler_lag", lags);
    std::map<std::int64_t, std::pair<double, double>> moved; // bytes on the bus, ns
    for (const CollectiveTiming& call : analysis.collective_summaries().calls)
        if (const auto step = step_at(analysis, call.start); step && std::isfinite(call.busbw)) {
            moved[*step].first += call.busbw * static_cast<double>(call.latency);
            moved[*step].second += static_cast<double>(call.latency);
        }
    ByStep bandwidths;
    for (const auto& [step, sums] : moved)
        if (sums.second > 0)
            bandwidths[step].push_back(sums.first / sums.second);
    keep(values, "comm_bandwidth", bandwidths);
}

void keep_bubbles(const RunAnalysis& analysis, std::map<std::string, std::vector<double>>& values) {
    ByStep bubbles;
    for (const StepBubble& step : analysis.pipeline().steps)
        if (!step.window.empty())
            bubbles[step.step].push_back(
                percent_of(static_cast<double>(step.bubble()), static_cast<double>(step.window.length())));
    keep(values, "pipeline_bubble", bubbles);
}

} // namespace

std::map<std::string, std::vector<double>> iteration_values(const RunAnalysis& analysis,
                                                            const std::set<std::string>& wanted) {
    std::map<std::string, std::vector<double>> values;
    const auto any_of = [&](std::initializer_list<const char*> ids) {
        return std::ranges::any_of(ids, [&](const char* id) { return wanted.contains(id); });
    };
    if (analysis.ranks().empty())
        return values;
    if (any_of({"iter_time", "throughput_tokens", "gpu_timeline", "temporal_breakdown", "comm_comp_overlap"}))
        keep_timelines(analysis, values);
    if (any_of({"straggler_lag", "comm_bandwidth"}))
        keep_collectives(analysis, values);
    if (any_of({"pipeline_bubble"}))
        keep_bubbles(analysis, values);
    return values;
}

void set_spread(const std::map<std::string, std::vector<double>>& values, const std::string& id, MetricResult& result) {
    const bool tokens = id == "throughput_tokens";
    const auto known = values.find(tokens ? "iter_time" : id);
    if (!result.available || known == values.end())
        return;
    std::vector<double> of_iterations = known->second;
    if (tokens) { // as many tokens in each iteration
        const double mean = mean_of(of_iterations);
        for (double& value : of_iterations)
            value = value > 0 ? result.value * mean / value : result.value;
    }
    put(result.details, kSpread, rounded(sample_deviation(of_iterations)));
    if (!change_points(of_iterations).empty())
        put(result.details, kSpreadOfLevels, rounded(deviation_around_levels(of_iterations)));
}

std::optional<double> spread_of(const MetricResult& result) {
    const auto known = result.details.find(kSpread);
    return known != result.details.end() && known->is_number() ? std::optional(known->get<double>()) : std::nullopt;
}

double deviation_around_levels(std::span<const double> values) {
    std::vector<double> rest(values.begin(), values.end());
    std::size_t levels = 1;
    const auto level_out = [&](std::size_t first, std::size_t last) {
        double sum = 0;
        for (std::size_t i = first; i < last; ++i)
            sum += values[i];
        for (std::size_t i = first; i < last; ++i)
            rest[i] -= sum / static_cast<double>(last - first);
    };
    std::size_t first = 0;
    for (const ChangePoint& change : change_points(values)) {
        level_out(first, change.first);
        first = change.first;
        ++levels;
    }
    level_out(first, values.size());
    double squares = 0;
    for (const double value : rest)
        squares += value * value;
    return std::sqrt(squares / static_cast<double>(values.size() - levels));
}

JudgedValue judged_value(std::string_view metric, const MetricResult& result) {
    const auto number = [&](const char* key) -> std::optional<double> {
        const auto known = result.details.find(key);
        return known != result.details.end() && known->is_number() ? std::optional(known->get<double>()) : std::nullopt;
    };
    if (const auto on_gpu = metric == "iter_time" ? number("gpu_step_ms") : std::nullopt)
        return {*on_gpu, number("gpu_step_spread_ms")};
    const auto around_levels = number(kSpreadOfLevels);
    return {result.value, around_levels ? around_levels : spread_of(result)};
}

} // namespace rankscope
