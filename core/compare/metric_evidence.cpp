// SPDX-License-Identifier: GPL-3.0-or-later
// What a metric's change means.
#include "core/compare/metric_evidence.h"

#include <algorithm>
#include <array>

namespace rankscope {
namespace {

struct RankField {
    std::string_view metric;
    const char* list;
    const char* field;
};

/// Where details hold a value of each rank.
constexpr std::array kRankFields{
    RankField{"iter_time", "per_rank", "avg_ms"},
    RankField{"gpu_timeline", "per_rank", "idle_percent"},
    RankField{"comm_comp_overlap", "per_rank", "overlap_percent"},
    RankField{"straggler_lag", "per_rank", "mean_lag_us"},
    RankField{"pipeline_bubble", "per_rank", "bubble_percent"},
    RankField{"coll_call_num", "calls_per_rank", "calls"},
    RankField{"temporal_breakdown", "per_rank", "compute_percent"},
    RankField{"traffic_window", "per_rank", "mean_idle_us"},
    RankField{"launch_stats", "per_rank", "delay_mean_us"},
    RankField{"idle_causes", "per_rank", "host_wait_us"},
    RankField{"sm", "per_rank", "coverage_percent"},
};

std::optional<Evidence> longest_lag(const RunAnalysis& run) {
    const auto& calls = run.stragglers().calls;
    const auto worst = std::ranges::max_element(calls, {}, &CallLag::lag);
    if (worst == calls.end())
        return {};
    const TimeNs offset = run.clock().offset[worst->last_rank];
    return Evidence{run.run().ranks[worst->last_rank]->rank,
                    {worst->start + offset, worst->start + offset + worst->lag + worst->transfer}};
}

std::optional<Evidence> longest_call(const RunAnalysis& run) {
    const auto& calls = run.collective_summaries().calls;
    const auto longest = std::ranges::max_element(calls, {}, &CollectiveTiming::latency);
    if (longest == calls.end())
        return {};
    const TimeNs offset = run.clock().offset[longest->last_rank];
    return Evidence{run.run().ranks[longest->last_rank]->rank,
                    {longest->start + offset, longest->start + offset + longest->wall}};
}

std::optional<Evidence> longest_bubble(const RunAnalysis& run) {
    std::optional<Evidence> longest;
    for (const StepBubble& step : run.pipeline().steps)
        for (const BubbleSpan& span : step.spans)
            if (!longest || span.range.length() > longest->range.length())
                longest = Evidence{run.run().ranks[step.rank]->rank, span.range};
    return longest;
}

std::optional<Evidence> longest_step(const RunAnalysis& run) {
    std::optional<Evidence> longest;
    const auto take = [&](int rank, const TimeRange& range) {
        if (!longest || range.length() > longest->range.length())
            longest = Evidence{rank, range};
    };
    for (std::size_t i = 0; i < run.ranks().size(); ++i) {
        const RankAnalysis& rank = run.ranks()[i];
        for (const ProfilerStep& step : rank.steps)
            take(rank.trace->rank, step.range);
        if (rank.steps.empty())
            for (const TimeRange& step : run.inferred_steps()[i].steps)
                take(rank.trace->rank, step);
    }
    return longest;
}

} // namespace

std::optional<double> cost_ms(const MetricChange& change, std::optional<double> baseline_ms,
                              std::optional<double> test_ms) {
    const std::string_view id = change.metric->id;
    if (id == "iter_time")
        return change.difference;
    const bool share_lost = id == "gpu_timeline" || id == "pipeline_bubble";
    if (!share_lost || !baseline_ms || !test_ms)
        return std::nullopt;
    return (change.test * *test_ms - change.baseline * *baseline_ms) / 100;
}

std::vector<std::pair<int, double>> rank_values(std::string_view metric_id, const MetricResult& result) {
    std::vector<std::pair<int, double>> values;
    const auto known = std::ranges::find(kRankFields, metric_id, &RankField::metric);
    if (!result.available || known == kRankFields.end())
        return values;
    const auto list = result.details.find(known->list);
    if (list == result.details.end() || !list->is_array())
        return values;
    for (const Json& entry : *list) {
        const auto rank = entry.find("rank");
        const auto value = entry.find(known->field);
        if (rank != entry.end() && value != entry.end() && rank->is_number() && value->is_number())
            values.emplace_back(rank->get<int>(), value->get<double>());
    }
    std::ranges::sort(values);
    return values;
}

std::optional<Evidence> metric_evidence(const RunAnalysis& run, std::string_view metric_id) {
    std::optional<Evidence> found;
    if (metric_id == "straggler_lag")
        found = longest_lag(run);
    else if (metric_id.starts_with("comm_") || metric_id.starts_with("traffic_") || metric_id == "coll_call_num")
        found = longest_call(run);
    else if (metric_id == "pipeline_bubble")
        found = longest_bubble(run);
    return found ? found : longest_step(run);
}

} // namespace rankscope
