// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs, metric by metric.
#include "core/compare/metric_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/work_count.h"
#include "core/metrics/iteration_values.h"

namespace rankscope {
namespace {

/// Times that change by less than this share of an iteration make nothing better or worse.
constexpr double kOfAnIteration = 0.001;

/// Of an iteration of the baseline, in the metric's unit; 0 where that is no time, or an iteration's is not known.
double unnoticed(const Metric& metric, const MetricResult* iteration) {
    if (iteration == nullptr || !iteration->available || metric.id == "iter_time")
        return 0;
    const double ms = kOfAnIteration * iteration->value;
    return metric.unit == "ms" ? ms : metric.unit == "us" ? 1000 * ms : 0;
}

ChangeStatus status_of(Better better, const MetricChange& change, double unnoticed) {
    if (std::abs(change.difference) <= unnoticed)
        return ChangeStatus::similar;
    if (change.percent_change ? std::abs(*change.percent_change) <= kSimilarPercent : change.difference == 0)
        return ChangeStatus::similar;
    if (change.within_spread())
        return ChangeStatus::similar;
    if (better == Better::none)
        return ChangeStatus::changed;
    return (change.difference < 0) == (better == Better::lower) ? ChangeStatus::better : ChangeStatus::worse;
}

} // namespace

std::string_view change_status_word(ChangeStatus status) {
    switch (status) {
    case ChangeStatus::better: return "better";
    case ChangeStatus::worse: return "worse";
    case ChangeStatus::similar: return "similar";
    case ChangeStatus::changed: break;
    }
    return "changed";
}

std::optional<double> percent_change(double baseline, double test) {
    if (test == baseline)
        return 0.0;
    if (baseline == 0)
        return std::nullopt;
    return 100.0 * (test - baseline) / baseline;
}

namespace {

/// Metrics that add up all that is recorded: what changes is judged by iteration.
constexpr std::array<std::string_view, 2> kOfTheRecording{"kernel_breakdown", "coll_call_num"};

/// 0 where it is not known. iteration: the result of iter_time.
double iterations_of(const MetricResult* iteration) {
    return iteration == nullptr || !iteration->available ? 0 : iteration->details.value("num_iterations", 0.0);
}

/// iteration: iter_time of either run.
std::optional<MetricChange> change_of(const Metric* metric, const MetricResult* baseline, const MetricResult* test,
                                      const MetricResult* iteration, const MetricResult* test_iteration) {
    if (baseline == nullptr || test == nullptr || !baseline->available || !test->available)
        return std::nullopt;
    MetricChange change{metric,
                        baseline->value,
                        test->value,
                        test->value - baseline->value,
                        percent_change(baseline->value, test->value),
                        ChangeStatus::similar,
                        spread_of(*baseline),
                        spread_of(*test)};
    const double before = iterations_of(iteration);
    const double after = iterations_of(test_iteration);
    MetricChange judged = change;
    if (std::ranges::find(kOfTheRecording, metric->id) != kOfTheRecording.end() && before > 0 && after > 0) {
        judged.test *= before / after; // as many iterations
        judged.difference = judged.test - judged.baseline;
        judged.percent_change = percent_change(judged.baseline, judged.test);
    }
    change.status = status_of(metric->better, judged, unnoticed(*metric, iteration));
    return change;
}

} // namespace

std::vector<MetricChange> compare_metrics(const MetricReport& baseline, const MetricReport& test) {
    count_work("compare_metrics");
    std::vector<MetricChange> changes;
    for (const MetricReport::Entry& entry : baseline.entries)
        if (const auto change = change_of(entry.metric, &entry.result, test.find(entry.metric->id),
                                          baseline.find("iter_time"), test.find("iter_time")))
            changes.push_back(*change);
    return changes;
}

std::vector<MetricRow> metric_matrix(std::span<const MetricReport* const> reports) {
    std::vector<MetricRow> rows;
    for (const Metric& metric : metric_catalogue()) {
        MetricRow row{&metric, {}, {}};
        for (const MetricReport* report : reports) {
            const MetricResult* result = report->find(metric.id);
            row.values.push_back(result != nullptr && result->available ? std::optional(result->value) : std::nullopt);
            row.changes.push_back(report == reports.front()
                                      ? std::nullopt
                                      : change_of(&metric, reports.front()->find(metric.id), result,
                                                  reports.front()->find("iter_time"), report->find("iter_time")));
        }
        if (std::ranges::any_of(row.values, [](const auto& value) { return value.has_value(); }))
            rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace rankscope
