// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/side_by_side.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/metrics/value_words.h"

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

std::shared_ptr<const RunComparison> compared(const AnalysedRun& baseline, const AnalysedRun& test) {
    return std::make_shared<const RunComparison>(baseline.analysis, step_report(baseline.metrics), test.analysis,
                                                 step_report(test.metrics));
}

Message other_work(const AnalysedRun& first, const AnalysedRun& run, const Comparability& common) {
    const double before = first.metrics.tokens_per_iteration;
    const double after = run.metrics.tokens_per_iteration;
    if (before > 0 && after > 0)
        return before == after ? Message() : "steps of another number of tokens"_text();
    return common.inputs.differ.empty() ? Message() : "inputs of other sizes (%1)"_text(common.inputs.differ);
}

} // namespace

std::vector<RunBesideOthers> runs_side_by_side(std::span<const AnalysedRun> runs) {
    std::vector<RunBesideOthers> rows(runs.size());
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        RunBesideOthers& row = rows[i];
        if (const MetricResult* step = runs[i].metrics.find(kStep); step != nullptr && step->available)
            row.step_ms = step->value;
        if (i > 0) {
            const auto comparison = runs[i].comparison ? runs[i].comparison : compared(runs.front(), runs[i]);
            const Comparability& common = comparison->comparability();
            row.verdict = common.comparable() ? common.other_iterations : common.verdict;
            row.other_work = other_work(runs.front(), runs[i], common);
            row.against_first = change_of_step(comparison->metrics());
        }
        if (row.step_ms && row.verdict.empty() && row.other_work.empty() &&
            (!best || *row.step_ms < *rows[*best].step_ms))
            best = i;
    }
    if (!best)
        return rows;
    rows[*best].best = true;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (i != *best && rows[i].step_ms)
            rows[i].against_best =
                *best == 0 ? rows[i].against_first : change_of_step(compared(runs[*best], runs[i])->metrics());
    return rows;
}

Message step_change_words(const std::optional<MetricChange>& change) {
    if (!change || !change->comparable || !change->percent_change)
        return Message("-");
    return "%1 %2"_text(change_words(*change->percent_change), Message::word(change_status_word(change->status)));
}

Message note_of(const RunBesideOthers& row) {
    constexpr double kSameTime = 1e-6;
    if (!row.verdict.empty())
        return row.verdict;
    Message note = row.best ? "the best"_text() : row.other_work;
    const auto& change = row.against_first;
    if (change && row.step_ms && std::abs(change->test - *row.step_ms) > kSameTime * *row.step_ms) {
        if (!note.empty())
            note += ", ";
        note += "against the first by what both have (%1 -> %2)"_text(value_words(change->baseline, "ms"),
                                                                      value_words(change->test, "ms"));
    }
    return note;
}

} // namespace rankscope
