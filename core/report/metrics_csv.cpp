// SPDX-License-Identifier: GPL-3.0-or-later
// metrics.csv, comparison.csv and config_diff.csv.
#include "core/report/metrics_csv.h"

#include <cmath>
#include <limits>

#include "core/compare/change_explanation.h"
#include "core/compare/config_comparison.h"
#include "core/compare/config_influence.h"
#include "core/compare/metric_comparison.h"
#include "core/metrics/detail_numbers.h"
#include "core/report/csv.h"

namespace rankscope {

std::string metrics_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"run", "metric", "field", "value", "unit", "bound"};
    for (const AnalysedRun& run : runs)
        for (const auto& [metric, result] : run.metrics.entries) {
            if (!result.available)
                continue;
            table.text(run.label)
                .text(metric->id)
                .text("value")
                .number(result.value)
                .text(metric->unit)
                .text(bound_word(result.bound))
                .end_row();
            for (const DetailNumber& number : detail_numbers(result.details))
                table.text(run.label)
                    .text(metric->id)
                    .text(number.field)
                    .number(number.value)
                    .text(unit_of_field(number.field))
                    .text("")
                    .end_row();
        }
    return table.content();
}

std::string comparison_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"baseline",    "test",       "metric",         "unit",   "baseline_value",
                   "test_value",  "difference", "percent_change", "status", "baseline_spread",
                   "test_spread", "interval",   "per_iteration"};
    for (std::size_t i = 1; i < runs.size(); ++i)
        for (const MetricChange& change : runs[i].comparison->metrics())
            table.text(runs[0].label)
                .text(runs[i].label)
                .text(change.metric->id)
                .text(change.metric->unit)
                .number(change.baseline)
                .number(change.test)
                .number(change.difference)
                .number(change.percent_change.value_or(std::numeric_limits<double>::quiet_NaN()))
                .text(change_status_word(change.status))
                .number(change.baseline_spread.value_or(std::numeric_limits<double>::quiet_NaN()))
                .number(change.test_spread.value_or(std::numeric_limits<double>::quiet_NaN()))
                .number(change.interval.value_or(std::numeric_limits<double>::quiet_NaN()))
                .text(change.per_iteration ? "yes" : "no")
                .end_row();
    return table.content();
}

namespace {

std::string ids_of(const std::vector<const MetricChange*>& changes) {
    std::string ids;
    for (const MetricChange* change : changes)
        ids += (ids.empty() ? "" : " ") + change->metric->id;
    return ids;
}

} // namespace

std::string config_diff_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"baseline", "test", "key", "baseline_value", "test_value", "status", "may_explain"};
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const RunComparison& comparison = *runs[i].comparison;
        for (const ConfigEntry& entry : comparison.config())
            table.text(runs[0].label)
                .text(runs[i].label)
                .text(entry.key)
                .text(entry.baseline.value_or(""))
                .text(entry.test.value_or(""))
                .text(config_status_word(entry))
                .text(ids_of(may_explain(entry, comparison.metrics())))
                .end_row();
    }
    return table.content();
}

std::string changes_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"baseline",          "test", "part", "title", "baseline_us", "test_us", "difference_us",
                   "percent_of_change", "cause"};
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const ChangeExplanation& change = runs[i].comparison->explanation();
        for (const ChangeRow& row : change_rows(change))
            table.text(runs[0].label)
                .text(runs[i].label)
                .text(row.part)
                .text(row.title)
                .microseconds(std::llround(row.baseline_us * 1000))
                .microseconds(std::llround(row.test_us * 1000))
                .microseconds(std::llround(row.difference_us * 1000))
                .number(std::round(1e5 * row.difference_us / change.difference_us()) / 1e3)
                .text(row.cause)
                .end_row();
    }
    return table.content();
}

} // namespace rankscope
