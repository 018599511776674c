// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs, metric by metric.
#include "core/compare/metric_comparison.h"

#include <algorithm>
#include <cmath>

#include "core/base/work_count.h"

namespace rankscope {
namespace {

/// Times that change by less than this share of an iteration make nothing better or worse.
constexpr double kOfAnIteration = 0.001;

/// What the metric's values are of one run and held against.
std::optional<double> judged_of(const MetricReport& report, std::string_view id) {
    const MetricResult* result = report.find(id);
    return result != nullptr && result->available ? std::optional(result->judged().value) : std::nullopt;
}

/// Of an iteration of the baseline, in the metric's unit; 0 where that is no time, or an iteration's is not known.
double unnoticed(const Metric& metric, const MetricReport& baseline) {
    const auto iteration = judged_of(baseline, "iter_time");
    if (!iteration || metric.of_iteration == OfIteration::time)
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

std::optional<double> time_of_share(const Metric& metric,
                                    const std::function<std::optional<double>(std::string_view)>& value) {
    const auto step = value("iter_time");
    const auto share = value(metric.id);
    if (!step || !share)
        return {};
    const auto idle = value("gpu_timeline");
    switch (metric.of_iteration) {
    case OfIteration::lost_share: return *share / 100 * *step;
    case OfIteration::used_share: return (1 - *share / 100) * *step;
    case OfIteration::share_of_idle: return idle ? std::optional(*share / 100 * *idle / 100 * *step) : std::nullopt;
    case OfIteration::nothing:
    case OfIteration::time: break;
    }
    return {};
}

std::optional<double> cost_ms(const MetricChange& change, std::optional<double> baseline_ms,
                              std::optional<double> test_ms) {
    if (change.metric->of_iteration == OfIteration::time)
        return change.difference;
    if (change.metric->of_iteration != OfIteration::lost_share || !baseline_ms || !test_ms)
        return std::nullopt;
    return (change.test * *test_ms - change.baseline * *baseline_ms) / 100;
}

std::optional<double> percent_change(double baseline, double test) {
    if (test == baseline)
        return 0.0;
    if (baseline == 0)
        return std::nullopt;
    return 100.0 * (test - baseline) / baseline;
}

bool of_same_ranks(const MetricReport& baseline, const MetricReport& test) {
    return baseline.world_size != test.world_size || baseline.ranks == test.ranks;
}

std::optional<CommonRanks> of_common_ranks(const MetricResult& baseline, const MetricResult& test) {
    if (baseline.instead || test.instead)
        return {};
    CommonRanks sums;
    int ranks = 0;
    for (const RankValue& before : baseline.by_rank) {
        const auto after = std::ranges::find(test.by_rank, before.rank, &RankValue::rank);
        if (after == test.by_rank.end())
            continue;
        sums.baseline += before.value;
        sums.test += after->value;
        ++ranks;
    }
    return ranks == 0 ? std::nullopt : std::optional(CommonRanks{sums.baseline / ranks, sums.test / ranks});
}

namespace {

/// Shares of another whole are no improvement: of a step that takes longer, the same idle time is a smaller share. What
/// the share is in time has to go the same way.
ChangeStatus status_of_share(ChangeStatus status, const Metric& metric, const MetricReport& baseline,
                             const MetricReport& test) {
    const auto step = judged_of(baseline, "iter_time");
    const auto before = time_of_share(
        metric, [&](std::string_view id) { return judged_of(baseline, id); });
    const auto after = time_of_share(metric, [&](std::string_view id) { return judged_of(test, id); });
    if (!step || !before || !after || status == ChangeStatus::similar || status == ChangeStatus::changed)
        return status;
    MetricChange time;
    time.difference = *after - *before;
    time.percent_change = percent_change(*before, *after);
    const ChangeStatus in_time = status_of(Better::lower, time, kOfAnIteration * *step);
    return in_time == status || in_time == ChangeStatus::similar ? in_time : ChangeStatus::changed;
}

MetricChange with_values(MetricChange change, double baseline, double test) {
    change.baseline = baseline;
    change.test = test;
    change.difference = test - baseline;
    change.percent_change = percent_change(baseline, test);
    return change;
}

std::optional<MetricChange> change_of(const MetricPointer& metric, const MetricReport& baseline_report,
                                      const MetricReport& test_report) {
    const MetricResult* baseline = baseline_report.find(metric->id);
    const MetricResult* test = test_report.find(metric->id);
    if (baseline == nullptr || test == nullptr || !baseline->available || !test->available)
        return std::nullopt;
    const JudgedValue from = baseline->judged();
    const JudgedValue to = test->judged();
    MetricChange change{metric,
                        from.value,
                        to.value,
                        to.value - from.value,
                        percent_change(from.value, to.value),
                        ChangeStatus::similar,
                        from.spread,
                        to.spread};
    const auto before = static_cast<double>(baseline_report.iterations);
    const auto after = static_cast<double>(test_report.iterations);
    MetricChange judged = change;
    if (metric->sums_the_recording && before > 0 && after > 0)
        judged = with_values(judged, judged.baseline, judged.test * before / after); // as many iterations
    // Iterations that compute another number of tokens take another time: none is better for it.
    const double tokens_before = baseline_report.tokens_per_iteration;
    const double tokens_after = test_report.tokens_per_iteration;
    const bool other_work = tokens_before > 0 && tokens_after > 0 && tokens_before != tokens_after &&
                            (metric->unit == "ms" || metric->unit == "us");
    const auto status = [&](const MetricChange& of) {
        return status_of_share(
            status_of(other_work ? Better::none : metric->better, of, unnoticed(*metric, baseline_report)), *metric,
            baseline_report, test_report);
    };
    change.status = status(judged);
    if (!of_same_ranks(baseline_report, test_report) && change.status != ChangeStatus::similar) {
        const auto common = of_common_ranks(*baseline, *test);
        const ChangeStatus told =
            common ? status(with_values(judged, common->baseline, common->test)) : ChangeStatus::changed;
        change.status = told == change.status || told == ChangeStatus::similar ? told : ChangeStatus::changed;
    }
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
    for (const MetricPointer& metric : metrics_of(reports)) {
        MetricRow row{metric, {}, {}};
        for (const MetricReport* report : reports) {
            const MetricResult* result = report->find(metric->id);
            row.values.push_back(result != nullptr && result->available ? std::optional(result->judged().value)
                                                                        : std::nullopt);
            row.changes.push_back(report == reports.front() ? std::nullopt
                                                            : change_of(metric, *reports.front(), *report));
        }
        if (std::ranges::any_of(row.values, [](const auto& value) { return value.has_value(); }))
            rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace rankscope
