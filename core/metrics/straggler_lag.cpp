// SPDX-License-Identifier: GPL-3.0-or-later
// Metric straggler_lag: how late the last rank comes to collectives, and which rank it is.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/delays/rank_spread.h"
#include "core/base/statistics.h"
#include "core/metrics/evidence.h"
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

/// CCL-Bench pairs the k-th entries of the ranks, operators and kernels mixed, whatever calls they belong to.
Json ccl_bench_lag(const RunAnalysis& analysis) {
    std::size_t count = analysis.ccl_bench().front().call_starts.size();
    std::vector<double> step_means;
    for (std::size_t i = 0; i < analysis.ranks().size(); ++i) {
        count = std::min(count, analysis.ccl_bench()[i].call_starts.size());
        std::vector<double> steps;
        for (const ProfilerStep& step : analysis.run().ranks[i]->steps)
            steps.push_back(static_cast<double>(step.range.length()));
        if (!steps.empty())
            step_means.push_back(mean_of(steps));
    }
    std::vector<double> lags;
    for (std::size_t k = 0; k < count; ++k) {
        TimeNs first = analysis.ccl_bench().front().call_starts[k];
        TimeNs last = first;
        for (const CclBenchCounts& rank : analysis.ccl_bench()) {
            first = std::min(first, rank.call_starts[k]);
            last = std::max(last, rank.call_starts[k]);
        }
        lags.push_back(static_cast<double>(last - first));
    }
    Json json{{"num_collectives", count}, {"num_ranks", analysis.ranks().size()}};
    if (lags.empty())
        return json;
    std::sort(lags.begin(), lags.end());
    const auto p95 = static_cast<std::size_t>(0.95 * static_cast<double>(lags.size()));
    json["mean_lag_us"] = rounded_us(mean_of(lags));
    json["p50_lag_us"] = rounded_us(upper_median(lags));
    json["p95_lag_us"] = rounded_us(lags[std::min(p95, lags.size() - 1)]);
    json["max_lag_us"] = rounded_us(lags.back());
    json["min_lag_us"] = rounded_us(lags.front());
    put(json, "normalized_lag", mean_of(lags) / mean_of(step_means));
    return json;
}

double mean_lag_us(const RankLag& lag) {
    return rounded_us(static_cast<double>(lag.sum_lag) / static_cast<double>(lag.calls));
}

Json per_rank_json(const RunAnalysis& analysis) {
    const StragglerAnalysis& stragglers = analysis.stragglers();
    const auto calls = static_cast<double>(stragglers.calls.size());
    Json ranks = Json::array();
    for (std::size_t i = 0; i < stragglers.ranks.size(); ++i) {
        const RankLag& lag = stragglers.ranks[i];
        if (lag.calls == 0)
            continue;
        ranks.push_back({{"rank", analysis.run().ranks[i]->rank},
                         {"sum_lag_us", as_us(lag.sum_lag)},
                         {"mean_lag_us", mean_lag_us(lag)},
                         {"times_last", lag.times_last},
                         {"share_last", rounded(percent_of(static_cast<double>(lag.times_last), calls))},
                         {"sum_wait_us", as_us(lag.sum_wait)},
                         {"wait_caused_us", as_us(lag.wait_caused)}});
    }
    return ranks;
}

Json per_group_json(const RunAnalysis& analysis) {
    std::map<std::uint32_t, std::vector<double>> lags;
    for (const CallLag& call : analysis.stragglers().calls)
        lags[analysis.collectives().matched[call.call].group].push_back(static_cast<double>(call.lag));
    Json groups = Json::array();
    for (const auto& [index, values] : lags) {
        const CommGroup& group = analysis.collectives().groups[index];
        groups.push_back({{"group", group.name},
                          {"description", group.description},
                          {"ranks", group.ranks},
                          {"num_collectives", values.size()},
                          {"mean_lag_us", rounded_us(mean_of(values))},
                          {"max_lag_us", rounded_us(*std::max_element(values.begin(), values.end()))}});
    }
    return groups;
}

/// At most twenty points of the curve: the first that reaches each twentieth of the calls.
Json delay_json(const StragglerAnalysis& stragglers) {
    const DelayDistribution delay = delay_distribution(stragglers.calls);
    Json ecdf = Json::array();
    double next = 0;
    for (const auto& [ns, share] : delay.ecdf) {
        if (share >= next - 1e-9) {
            ecdf.push_back({{"delay_us", as_us(ns)}, {"share", rounded(share)}});
            next = (std::floor(share * 20 + 1e-9) + 1) / 20;
        }
    }
    return {{"total_us", as_us(delay.total)},    {"actual_us", as_us(delay.actual)},
            {"mean_us", rounded_us(delay.mean)}, {"median_us", rounded_us(delay.median)},
            {"p95_us", rounded_us(delay.p95)},   {"ecdf", std::move(ecdf)}};
}

/// Mean wall time of the selected steps; NaN without any.
double mean_step(const RunAnalysis& analysis) {
    std::vector<double> steps;
    for (const RankAnalysis& rank : analysis.ranks())
        for (const ProfilerStep& step : rank.steps)
            if (has_known_end(*rank.trace, step.number))
                steps.push_back(static_cast<double>(step.range.length()));
    return mean_of(steps);
}

MetricResult compute_straggler_lag(const RunAnalysis& analysis) {
    const StragglerAnalysis& stragglers = analysis.stragglers();
    if (analysis.ranks().size() < 2)
        return MetricResult::unavailable("needs traces of two ranks or more"_text);
    if (stragglers.calls.empty()) {
        return MetricResult::unavailable("needs collectives that every traced member of their group ran"_text,
                                         {{"partial_collectives", analysis.collectives().partial}});
    }
    std::vector<double> lags;
    for (const CallLag& call : stragglers.calls)
        lags.push_back(static_cast<double>(call.lag));
    const auto worst =
        std::max_element(stragglers.ranks.begin(), stragglers.ranks.end(),
                         [](const RankLag& a, const RankLag& b) { return a.wait_caused < b.wait_caused; });
    Json details{{"p50_lag_us", rounded_us(nearest_rank(lags, 50))},
                 {"p95_lag_us", rounded_us(nearest_rank(lags, 95))},
                 {"p99_lag_us", rounded_us(nearest_rank(lags, 99))},
                 {"max_lag_us", rounded_us(*std::max_element(lags.begin(), lags.end()))},
                 {"num_collectives", lags.size()},
                 {"partial_collectives", analysis.collectives().partial}};
    put(details, "normalized_lag", rounded(mean_of(lags) / mean_step(analysis)));
    details["worst_rank"] = analysis.run().ranks[static_cast<std::size_t>(worst - stragglers.ranks.begin())]->rank;
    if (const auto late = analysis.late_rank()) {
        details["late_rank"] = late->rank;
        details["late_rank_wait_caused_us"] = as_us(late->cost);
    }
    details["clock_method"] = analysis.clock().method();
    details["clock_residual_us"] = as_us(analysis.clock().residual);
    details["per_rank"] = per_rank_json(analysis);
    details["per_group"] = per_group_json(analysis);
    details["delay"] = delay_json(stragglers);
    details["compat_ccl_bench"] = ccl_bench_lag(analysis);
    std::vector<RankValue> by_rank;
    for (std::size_t i = 0; i < stragglers.ranks.size(); ++i)
        if (stragglers.ranks[i].calls > 0)
            by_rank.push_back({analysis.run().ranks[i]->rank, mean_lag_us(stragglers.ranks[i])});
    return MetricResult::of(std::round(mean_of(lags)) / 1000.0, std::move(details), std::move(by_rank));
}

StepValues lags_by_iteration(const RunAnalysis& analysis) {
    StepValues lags;
    for (const CallLag& call : analysis.stragglers().calls)
        if (const auto step = iteration_at(analysis, call.start))
            lags[*step].push_back(as_us(call.lag));
    return lags;
}

/// The call that ranks come latest to.
std::optional<Evidence> longest_lag(const RunAnalysis& analysis) {
    const auto& calls = analysis.stragglers().calls;
    const auto worst = std::ranges::max_element(calls, {}, &CallLag::lag);
    if (worst == calls.end())
        return {};
    return evidence_at(analysis, worst->last_rank, {worst->start, worst->start + worst->lag + worst->transfer});
}

} // namespace

Metric straggler_lag_metric() {
    Metric metric{
        "straggler_lag",
        "Straggler lag",
        "us",
        Better::lower,
        "Communication",
        "Last arrival minus first arrival at a collective, mean over the collectives that every traced member of "
        "their group ran. worst_rank: whose late arrivals made the others wait longest; late_rank: the same, where "
        "that is clearly more than its share, with what each other rank waited for it.",
        compute_straggler_lag,
        Needs::times};
    metric.with_untraced_ranks = ValueBound::at_least;
    metric.moved_by = {SettingKind::transport, SettingKind::host, SettingKind::experts};
    metric.by_iteration = lags_by_iteration;
    metric.evidence = longest_lag;
    return metric;
}

} // namespace rankscope
