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

/// What the metric's values are of one run and held against.
std::optional<double> judged_of(const MetricReport& report, std::string_view id) {
    const MetricResult* result = report.find(id);
    return result != nullptr && result->available ? std::optional(judged_value(id, *result).value) : std::nullopt;
}

/// Of an iteration of the baseline, in the metric's unit; 0 where that is no time, or an iteration's is not known.
double unnoticed(const Metric& metric, const MetricReport& baseline) {
    const auto iteration = judged_of(baseline, "iter_time");
    if (!iteration || metric.id == "iter_time")
        return 0;
    const double ms = kOfAnIteration * *iteration;
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

std::optional<double> time_of_share(std::string_view metric,
                                    const std::function<std::optional<double>(std::string_view)>& value) {
    const auto step = value("iter_time");
    const auto share = value(metric);
    if (!step || !share)
        return {};
    if (metric == "gpu_timeline" || metric == "pipeline_bubble")
        return *share / 100 * *step;
    if (metric == "temporal_breakdown")
        return (1 - *share / 100) * *step;
    const auto idle = value("gpu_timeline");
    return metric == "idle_causes" && idle ? std::optional(*share / 100 * *idle / 100 * *step) : std::nullopt;
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

/// 0 where it is not known.
double iterations_of(const MetricReport& report) {
    const MetricResult* iteration = report.find("iter_time");
    return iteration == nullptr || !iteration->available ? 0 : iteration->details.value("num_iterations", 0.0);
}

/// Tokens of an iteration, 0 where they are not known.
double tokens_of(const MetricReport& report) {
    const MetricResult* tokens = report.find("throughput_tokens");
    return tokens == nullptr || !tokens->available ? 0 : tokens->details.value("tokens_per_step", 0.0);
}

/// Shares of another whole are no improvement: of a step that takes longer, the same idle time is a smaller share. What
/// the share is in time has to go the same way.
ChangeStatus status_of_share(ChangeStatus status, const Metric& metric, const MetricReport& baseline,
                             const MetricReport& test) {
    const auto step = judged_of(baseline, "iter_time");
    const auto before = time_of_share(
        metric.id, [&](std::string_view id) { return judged_of(baseline, id); });
    const auto after = time_of_share(metric.id, [&](std::string_view id) { return judged_of(test, id); });
    if (!step || !before || !after || status == ChangeStatus::similar || status == ChangeStatus::changed)
        return status;
    MetricChange time;
    time.difference = *after - *before;
    time.percent_change = percent_change(*before, *after);
    const ChangeStatus in_time = status_of(Better::lower, time, kOfAnIteration * *step);
    return in_time == status || in_time == ChangeStatus::similar ? in_time : ChangeStatus::changed;
}

std::optional<MetricChange> change_of(const Metric* metric, const MetricReport& baseline_report,
                                      const MetricReport& test_report) {
    const MetricResult* baseline = baseline_report.find(metric->id);
    const MetricResult* test = test_report.find(metric->id);
    if (baseline == nullptr || test == nullptr || !baseline->available || !test->available)
        return std::nullopt;
    const JudgedValue from = judged_value(metric->id, *baseline);
    const JudgedValue to = judged_value(metric->id, *test);
    MetricChange change{metric,
                        from.value,
                        to.value,
                        to.value - from.value,
                        percent_change(from.value, to.value),
                        ChangeStatus::similar,
                        from.spread,
                        to.spread};
    const double before = iterations_of(baseline_report);
    const double after = iterations_of(test_report);
    MetricChange judged = change;
    if (std::ranges::find(kOfTheRecording, metric->id) != kOfTheRecording.end() && before > 0 && after > 0) {
        judged.test *= before / after; // as many iterations
        judged.difference = judged.test - judged.baseline;
        judged.percent_change = percent_change(judged.baseline, judged.test);
    }
    // Iterations that compute another number of tokens take another time: none is better for it.
    const double tokens_before = tokens_of(baseline_report);
    const double tokens_after = tokens_of(test_report);
    const bool other_work = tokens_before > 0 && tokens_after > 0 && tokens_before != tokens_after &&
                            (metric->unit == "ms" || metric->unit == "us");
    change.status = status_of(other_work ? Better::none : metric->better, judged, unnoticed(*metric, baseline_report));
    change.status = status_of_share(change.status, *metric, baseline_report, test_report);
    return change;
}

} // namespace

std::vector<MetricChange> compare_metrics(const MetricReport& baseline, const MetricReport& test) {
    count_work("compare_metrics");
    std::vector<MetricChange> changes;
    for (const MetricReport::Entry& entry : baseline.entries)
        if (const auto change = change_of(entry.metric, baseline, test))
            changes.push_back(*change);
    return changes;
}

std::vector<MetricRow> metric_matrix(std::span<const MetricReport* const> reports) {
    std::vector<MetricRow> rows;
    for (const Metric& metric : metric_catalogue()) {
        MetricRow row{&metric, {}, {}};
        for (const MetricReport* report : reports) {
            const MetricResult* result = report->find(metric.id);
            row.values.push_back(result != nullptr && result->available
                                     ? std::optional(judged_value(metric.id, *result).value)
                                     : std::nullopt);
            row.changes.push_back(report == reports.front() ? std::nullopt
                                                            : change_of(&metric, *reports.front(), *report));
        }
        if (std::ranges::any_of(row.values, [](const auto& value) { return value.has_value(); }))
            rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace rankscope
