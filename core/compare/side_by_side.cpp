// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/side_by_side.h"

#include <algorithm>
#include <string_view>

namespace rankscope {
namespace {

constexpr std::string_view kStep = "step_time";

std::optional<MetricChange> change_of_step(std::span<const MetricChange> changes) {
    const auto found = std::ranges::find(
        changes, kStep, [](const MetricChange& change) { return std::string_view(change.metric->id); });
    return found == changes.end() ? std::nullopt : std::optional(*found);
}

/// A report of nothing but the step.
MetricReport step_report(const MetricReport& report) {
    MetricReport step = report;
    std::erase_if(step.entries, [](const MetricReport::Entry& entry) { return entry.metric->id != kStep; });
    return step;
}

} // namespace

std::vector<RunBesideOthers> runs_side_by_side(std::span<const AnalysedRun> runs) {
    std::vector<RunBesideOthers> rows(runs.size());
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        RunBesideOthers& row = rows[i];
        if (const MetricResult* step = runs[i].metrics.find(kStep); step != nullptr && step->available)
            row.step_ms = step->value;
        if (runs[i].comparison) {
            row.verdict = runs[i].comparison->comparability().verdict;
            row.against_first = change_of_step(runs[i].comparison->metrics());
        }
        if (row.step_ms && row.verdict.empty() && (!best || *row.step_ms < *rows[*best].step_ms))
            best = i;
    }
    if (!best)
        return rows;
    rows[*best].best = true;
    const MetricReport of_best = step_report(runs[*best].metrics);
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (i != *best && rows[i].step_ms)
            rows[i].against_best = change_of_step(
                RunComparison(runs[*best].analysis, of_best, runs[i].analysis, step_report(runs[i].metrics)).metrics());
    return rows;
}

} // namespace rankscope
