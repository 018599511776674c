// SPDX-License-Identifier: GPL-3.0-or-later
// ops_diff.csv and modules_diff.csv.
#include "core/report/operator_diff_csv.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/compare/metric_comparison.h"
#include "core/compare/operator_diff.h"
#include "core/report/csv.h"

namespace rankscope {

std::string operator_diff_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"baseline",    "test",    "device",         "name",           "test_name",
                   "status",      "matched", "baseline_count", "test_count",     "count_difference",
                   "baseline_us", "test_us", "difference_us",  "percent_change", "baseline_steps",
                   "test_steps"};
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const auto [baseline_steps, test_steps] = runs[i].comparison->summed_steps();
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
                .number(baseline_steps)
                .number(test_steps)
                .end_row();
    }
    return table.content();
}

bool has_module_changes(std::span<const AnalysedRun> runs) {
    return std::ranges::any_of(
        runs.subspan(std::min<std::size_t>(1, runs.size())),
        [](const AnalysedRun& run) { return !run.comparison->modules().empty(); });
}

std::string module_diff_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"baseline",
                   "test",
                   "module",
                   "depth",
                   "in",
                   "baseline_total_us",
                   "test_total_us",
                   "difference_us",
                   "percent_change",
                   "baseline_self_us",
                   "test_self_us",
                   "baseline_kernels",
                   "test_kernels",
                   "baseline_calls",
                   "test_calls",
                   "baseline_allocated_bytes",
                   "test_allocated_bytes"};
    for (std::size_t i = 1; i < runs.size(); ++i)
        for (std::size_t m = 0; m < runs[i].comparison->modules().size(); ++m) {
            const ModuleChange& change = runs[i].comparison->modules()[m];
            const ModuleCost before = change.baseline.value_or(ModuleCost{});
            const ModuleCost after = change.test.value_or(ModuleCost{});
            table.text(runs[0].label)
                .text(runs[i].label)
                .text(module_path(runs[i].comparison->modules(), m))
                .integer(static_cast<std::int64_t>(change.depth))
                .text(!change.test      ? "baseline"
                      : change.baseline ? "both"
                                        : "test")
                .number(before.total_us)
                .number(after.total_us)
                .number(change.difference_us())
                .number(
                    percent_change(before.total_us, after.total_us).value_or(std::numeric_limits<double>::quiet_NaN()))
                .number(before.self_us)
                .number(after.self_us)
                .number(before.kernels)
                .number(after.kernels)
                .number(before.calls)
                .number(after.calls)
                .number(before.allocated_bytes)
                .number(after.allocated_bytes)
                .end_row();
        }
    return table.content();
}

} // namespace rankscope
