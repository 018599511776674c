// SPDX-License-Identifier: GPL-3.0-or-later
// The list of metrics. Each is defined in its own file as `Metric <id>_metric()`.
#include "core/metrics/catalogue.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include "core/analysis/findings/findings.h"
#include "core/base/isolation.h"
#include "core/metrics/iterations.h"
#include "core/metrics/workload.h"
#include "core/trace/recorded.h"

// One line per metric, in the order they are shown.
#define RANKSCOPE_METRICS(METRIC)      \
    METRIC(iter_time)                  \
    METRIC(throughput_tokens)          \
    METRIC(mfu)                        \
    METRIC(ttft)                       \
    METRIC(tpot)                       \
    METRIC(inter_token_latency)        \
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

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

} // namespace

namespace {

/// Each metric has a value only where the run holds what it measures.
std::vector<Metric> where_recorded(std::vector<Metric> metrics) {
    for (Metric& metric : metrics) {
        if (metric.needs == Needs::nothing)
            continue;
        metric.compute = [needs = metric.needs, compute = std::move(metric.compute)](const RunAnalysis& analysis) {
            const Recorded held = recorded(analysis.run());
            return needs == Needs::gpu_work && !held.gpu_work
                       ? MetricResult::unavailable("only collectives are recorded, not what else the GPUs do"_text)
                   : !held.times ? MetricResult::unavailable("the recording does not say when calls start"_text)
                                 : compute(analysis);
        };
    }
    return metrics;
}

std::vector<Metric>& catalogue() {
#define RANKSCOPE_LIST(id) id##_metric(),
    static std::vector<Metric> all = where_recorded({RANKSCOPE_METRICS(RANKSCOPE_LIST)});
#undef RANKSCOPE_LIST
    return all;
}

} // namespace

std::span<const Metric> metric_catalogue() { return catalogue(); }

void add_user_metrics(std::vector<Metric> metrics) {
    for (Metric& metric : metrics)
        catalogue().push_back(std::move(metric));
}

const Metric* find_metric(std::string_view id) {
    const std::span<const Metric> all = metric_catalogue();
    const auto found = std::find_if(all.begin(), all.end(), [id](const Metric& metric) { return metric.id == id; });
    return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> nearest_metric_ids(std::string_view id) {
    std::vector<std::pair<std::size_t, std::string>> by_distance;
    for (const Metric& metric : metric_catalogue()) {
        // Part of a name, as in "overlap", is nearer than any misspelling.
        const bool part = id.size() >= 3 && metric.id.find(id) != std::string::npos;
        by_distance.emplace_back(part ? 0 : edit_distance(id, metric.id), metric.id);
    }
    std::stable_sort(by_distance.begin(), by_distance.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> nearest;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, by_distance.size()); ++i)
        nearest.push_back(by_distance[i].second);
    return nearest;
}

const MetricResult* MetricReport::find(std::string_view id) const {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [id](const Entry& entry) { return entry.metric->id == id; });
    return found == entries.end() ? nullptr : &found->result;
}

namespace {

MetricResult with_spread(const Metric& metric, const RunAnalysis& analysis) {
    MetricResult result = metric.compute(analysis);
    if (result.available && metric.by_iteration)
        if (const std::vector<double> values = means_of(metric.by_iteration(analysis)); values.size() >= 2)
            result.set_spread(values);
    return result;
}

} // namespace

MetricReport compute_metrics(const RunAnalysis& analysis, std::span<const std::string> ids,
                             const std::stop_token& stop) {
    MetricReport report;
    for (const Metric& metric : metric_catalogue())
        if (ids.empty() || std::find(ids.begin(), ids.end(), metric.id) != ids.end())
            report.entries.push_back({&metric, {}});
    const Run& run = analysis.run();
    report.world_size = run.world_size;
    report.ranks = analysis.judged_ranks();
    if (const auto step = step_tokens(run.config))
        report.tokens_per_iteration = step->tokens();
    const auto compute = [&] {
        tbb::parallel_for(std::size_t{0}, report.entries.size(), [&](std::size_t i) {
            run_apart([&] {
                if (!stop.stop_requested())
                    report.entries[i].result = with_spread(*report.entries[i].metric, analysis);
            });
        });
    };
    if (ids.empty()) {
        std::ignore = analysis.stragglers(); // both sides begin with it
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
    if (!stop.stop_requested() &&
        std::ranges::any_of(report.entries, [](const auto& entry) { return entry.metric->sums_the_recording; }))
        report.iterations = iteration_durations(analysis).size();
    return report;
}

} // namespace rankscope
