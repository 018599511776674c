// SPDX-License-Identifier: GPL-3.0-or-later
// metrics.csv, comparison.csv and config_diff.csv.
#include "core/report/metrics_csv.h"

#include <limits>

#include "core/compare/config_comparison.h"
#include "core/compare/metric_comparison.h"
#include "core/metrics/detail_numbers.h"
#include "core/report/csv.h"

namespace rankscope {

std::string metrics_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"run", "metric", "field", "value", "unit"};
    for (const AnalysedRun& run : runs)
        for (const auto& [metric, result] : run.metrics.entries) {
            if (!result.available)
                continue;
            table.text(run.label).text(metric->id).text("value").number(result.value).text(metric->unit).end_row();
            for (const DetailNumber& number : detail_numbers(result.details))
                table.text(run.label).text(metric->id).text(number.field).number(number.value)
                    .text(unit_of_field(number.field)).end_row();
        }
    return table.content();
}

std::string comparison_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"baseline", "test", "metric", "unit", "baseline_value", "test_value", "difference",
                   "percent_change", "status"};
    for (std::size_t i = 1; i < runs.size(); ++i)
        for (const MetricChange& change : compare_metrics(runs[0].metrics, runs[i].metrics))
            table.text(runs[0].label).text(runs[i].label).text(change.metric->id).text(change.metric->unit)
                .number(change.baseline).number(change.test).number(change.difference)
                .number(change.percent_change.value_or(std::numeric_limits<double>::quiet_NaN()))
                .text(change_status_word(change.status)).end_row();
    return table.content();
}

std::string config_diff_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"baseline", "test", "key", "baseline_value", "test_value", "status"};
    for (std::size_t i = 1; i < runs.size(); ++i)
        for (const ConfigEntry& entry : compare_configs(runs[0].run().config, runs[i].run().config))
            table.text(runs[0].label).text(runs[i].label).text(entry.key).text(entry.baseline.value_or(""))
                .text(entry.test.value_or("")).text(config_status_word(entry)).end_row();
    return table.content();
}

} // namespace rankscope
