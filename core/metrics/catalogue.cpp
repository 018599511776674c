// SPDX-License-Identifier: GPL-3.0-or-later
// The list of metrics. Each is defined in its own file as `Metric <id>_metric()`.
#include "core/metrics/catalogue.h"

#include <algorithm>
#include <tuple>

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include "core/analysis/facts/fact_words.h"
#include "core/analysis/findings/findings.h"
#include "core/base/edit_distance.h"
#include "core/base/isolation.h"
#include "core/metrics/ccl_bench_dashboard.h"
#include "core/metrics/iterations.h"
#include "core/metrics/workload.h"
#include "core/run/judged_run.h"
#include "core/trace/recorded.h"

// One line per metric, in the order they are shown.
#define RANKSCOPE_METRICS(METRIC)      \
    METRIC(step_time)                  \
    METRIC(iter_time)                  \
    METRIC(exposed_comm)               \
    METRIC(wait_for_ranks)             \
    METRIC(bubble)                     \
    METRIC(idle)                       \
    METRIC(throughput_tokens)          \
    METRIC(mfu)                        \
    METRIC(ttft)                       \
    METRIC(tpot)                       \
    METRIC(inter_token_latency)        \
    METRIC(prefill_stall)              \
    METRIC(serving_throughput)         \
    METRIC(gpu_timeline)               \
    METRIC(temporal_breakdown)         \
    METRIC(comm_comp_overlap)          \
    METRIC(idle_causes)                \
    METRIC(coll_call_num)              \
    METRIC(straggler_lag)              \
    METRIC(straggler_slowdown)         \
    METRIC(comm_bandwidth)             \
    METRIC(parallel_efficiency)        \
    METRIC(pipeline_bubble)            \
    METRIC(traffic_distribution)       \
    METRIC(traffic_window)             \
    METRIC(token_to_expert_assignment) \
    METRIC(kernel_breakdown)           \
    METRIC(launch_stats)               \
    METRIC(memory)                     \
    METRIC(operators)                  \
    METRIC(modules)                    \
    METRIC(roofline)                   \
    METRIC(graph_replay)               \
    METRIC(sm)

namespace rankscope {

#define RANKSCOPE_DECLARE(id) Metric id##_metric();
RANKSCOPE_METRICS(RANKSCOPE_DECLARE)
#undef RANKSCOPE_DECLARE

namespace {

/// of_judged: Metric::of_judged.
UnseenMembers unseen_members(const RunAnalysis& analysis, bool of_judged) {
    if (of_judged)
        return analysis.facts().unseen_members;
    if (has_untraced_members(analysis.run(), analysis.collectives()))
        return UnseenMembers::no_trace;
    // Facts take long: only where a rank is left out they tell more.
    const bool left_out = !analysis.unjudged_ranks().empty();
    return left_out && analysis.facts().unseen_members == UnseenMembers::not_judged ? UnseenMembers::not_judged
                                                                                    : UnseenMembers::none;
}

bool some_end_early(const RunAnalysis& analysis) {
    return std::ranges::find(analysis.unjudged_ranks(), UnjudgedRanks::Why::cut, &UnjudgedRanks::why) !=
           analysis.unjudged_ranks().end();
}

/// compute, of the ranks that can be judged.
template <typename Result>
void leave_out_unjudged(std::function<Result(const RunAnalysis&)>& compute) {
    if (compute)
        compute = [of_all = std::move(compute)](const RunAnalysis& analysis) {
            return of_all(analysis.of_judged_ranks());
        };
}

/// The metric has a value only where the run holds what it measures.
MetricPointer where_recorded(Metric metric) {
    if (metric.needs == Needs::gpu_work && !metric.of_judged) {
        leave_out_unjudged(metric.compute);
        leave_out_unjudged(metric.by_iteration);
        leave_out_unjudged(metric.evidence);
    }
    if (metric.needs != Needs::nothing)
        metric.compute = [needs = metric.needs, compute = std::move(metric.compute)](const RunAnalysis& analysis) {
            const Recorded held = recorded(analysis.run());
            return needs == Needs::gpu_work && !held.gpu_work
                       ? MetricResult::unavailable("only collectives are recorded, not what else the GPUs do"_text)
                   : !held.times ? MetricResult::unavailable("the recording does not say when calls start"_text)
                                 : compute(analysis);
        };
    if (metric.with_untraced_ranks != ValueBound::none)
        metric.compute = [bound = metric.with_untraced_ranks, of_judged = metric.of_judged,
                          compute = std::move(metric.compute)](const RunAnalysis& analysis) {
            MetricResult result = compute(analysis);
            const UnseenMembers unseen = result.available ? unseen_members(analysis, of_judged) : UnseenMembers::none;
            if (unseen != UnseenMembers::none) {
                result.bound = bound;
                result.bound_reason = "%1, and waits for these ranks are not seen"_text(unseen_members_words(unseen));
            }
            return result;
        };
    if (metric.counts_calls)
        metric.compute = [compute = std::move(metric.compute)](const RunAnalysis& analysis) {
            MetricResult result = compute(analysis);
            if (result.available && some_end_early(analysis)) {
                result.bound = ValueBound::at_least;
                result.bound_reason = "files end early, and what came then is not counted"_text();
            }
            return result;
        };
    return std::make_shared<const Metric>(std::move(metric));
}

MetricPointer find_in(const MetricList& metrics, std::string_view id) {
    const auto found = std::ranges::find(metrics, id, [](const MetricPointer& metric) { return metric->id; });
    return found == metrics.end() ? nullptr : *found;
}

} // namespace

const MetricList& metric_catalogue() {
#define RANKSCOPE_LIST(id) where_recorded(id##_metric()),
    static const MetricList all{RANKSCOPE_METRICS(RANKSCOPE_LIST)};
#undef RANKSCOPE_LIST
    return all;
}

MetricList all_metrics(const MetricList& own) {
    MetricList all = metric_catalogue();
    all.insert(all.end(), own.begin(), own.end());
    return all;
}

MetricPointer find_metric(std::string_view id, const MetricList& own) {
    MetricPointer listed = find_listed_metric(id, own);
    return listed ? listed : find_in(ccl_bench_dashboard(), id);
}

MetricPointer find_listed_metric(std::string_view id, const MetricList& own) {
    MetricPointer built_in = find_in(metric_catalogue(), id);
    return built_in ? built_in : find_in(own, id);
}

std::vector<std::string> nearest_metric_ids(std::string_view id, const MetricList& own) {
    std::vector<std::pair<std::size_t, std::string>> by_distance;
    for (const MetricPointer& metric : all_metrics(own)) {
        // Part of a name, as in "overlap", is nearer than any misspelling.
        const bool part = id.size() >= 3 && metric->id.find(id) != std::string::npos;
        by_distance.emplace_back(part ? 0 : edit_distance(id, metric->id), metric->id);
    }
    std::stable_sort(by_distance.begin(), by_distance.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> nearest;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, by_distance.size()); ++i)
        nearest.push_back(by_distance[i].second);
    return nearest;
}

MetricList in_catalogue_order(const MetricList& metrics) {
    MetricList ordered;
    for (const MetricPointer& metric : metric_catalogue())
        if (find_in(metrics, metric->id))
            ordered.push_back(metric);
    for (const MetricPointer& metric : metrics)
        if (!find_in(ordered, metric->id))
            ordered.push_back(metric);
    return ordered;
}

MetricList metrics_of(std::span<const MetricReport* const> reports) {
    MetricList metrics;
    for (const MetricReport* report : reports)
        for (const MetricReport::Entry& entry : report->entries)
            metrics.push_back(entry.metric);
    return in_catalogue_order(metrics);
}

const MetricResult* MetricReport::find(std::string_view id) const {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [id](const Entry& entry) { return entry.metric->id == id; });
    return found == entries.end() ? nullptr : &found->result;
}

const MetricResult& metric_result(const MetricPointer& metric, const RunAnalysis& analysis) {
    return analysis.kept().get<MetricResult>(
        metric, [&] { return metric->compute(analysis); });
}

namespace {

MetricResult with_spread(const MetricPointer& metric, const RunAnalysis& analysis) {
    // Without metrics of the user's own nobody asks again.
    MetricResult result =
        analysis.rules().metrics.empty() ? metric->compute(analysis) : metric_result(metric, analysis);
    if (result.available && metric->by_iteration && !result.per_iteration) // a sum does not spread as its parts do
        if (const std::vector<double> values = means_of(metric->by_iteration(analysis)); values.size() >= 2)
            result.set_spread(values);
    return result;
}

} // namespace

MetricReport compute_metrics(const RunAnalysis& analysis, std::span<const std::string> ids,
                             const std::stop_token& stop) {
    MetricReport report;
    const auto asked = [&](const MetricPointer& metric) { return std::ranges::find(ids, metric->id) != ids.end(); };
    for (const MetricPointer& metric : all_metrics(analysis.rules().metrics))
        if (ids.empty() || asked(metric))
            report.entries.push_back({metric, {}});
    for (const MetricPointer& metric : ccl_bench_dashboard())
        if (asked(metric) && !find_listed_metric(metric->id, analysis.rules().metrics))
            report.entries.push_back({metric, {}});
    const Run& run = analysis.run();
    report.world_size = run.world_size;
    report.ranks = analysis.judged_ranks();
    report.ends_early = analysis.ends_early();
    if (const auto step = step_tokens(run.config))
        report.tokens_per_iteration = step->tokens();
    const auto own = std::ranges::find_if(
        report.entries, [](const auto& entry) { return entry.metric->levels > 0; });
    const auto compute_one = [&](MetricReport::Entry& entry) {
        if (!stop.stop_requested())
            entry.result = with_spread(entry.metric, analysis);
    };
    const auto compute = [&] {
        tbb::parallel_for(std::ptrdiff_t{0}, own - report.entries.begin(),
                          [&](std::ptrdiff_t i) { run_apart([&] { compute_one(report.entries.begin()[i]); }); });
        // In the order in which they are defined: what one is built on is there.
        std::for_each(own, report.entries.end(), compute_one);
    };
    if (ids.empty()) {
        std::ignore = analysis.stragglers(); // both sides start with it
        if (stop.stop_requested())
            return report;
        tbb::parallel_invoke([&] { std::ignore = analysis.findings(); },
                             [&] {
                                 analysis.compute_shared();
                                 run_apart(compute);
                             });
    } else {
        compute();
    }
    return report;
}

} // namespace rankscope
