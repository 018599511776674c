// SPDX-License-Identifier: GPL-3.0-or-later
// ops_diff.csv.
#include "core/report/operator_diff_csv.h"

#include <limits>

#include "core/compare/metric_comparison.h"
#include "core/compare/operator_diff.h"
#include "core/report/csv.h"

namespace rankscope {

std::string operator_diff_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"baseline",    "test",    "device",         "name",          "test_name",
                   "status",      "matched", "baseline_count", "test_count",    "count_difference",
                   "baseline_us", "test_us", "difference_us",  "percent_change"};
    for (std::size_t i = 1; i < runs.size(); ++i)
        for (const OperatorChange& change : runs[i].comparison->operators())
            table.text(runs[0].label)
                .text(runs[i].label)
                .text(diff_device_word(change.device))
                .text(change.name)
                .text(change.test_name)
                .text(operator_status_word(change.status))
                .text(change.shortened ? "shortened" : "exact")
                .number(change.baseline.count)
                .number(change.test.count)
                .number(change.test.count - change.baseline.count)
                .number(change.baseline.time_us)
                .number(change.test.time_us)
                .number(change.test.time_us - change.baseline.time_us)
                .number(percent_change(change.baseline.time_us, change.test.time_us)
                            .value_or(std::numeric_limits<double>::quiet_NaN()))
                .end_row();
    return table.content();
}

} // namespace rankscope
