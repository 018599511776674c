// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/short_report.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/findings/findings.h"
#include "core/analysis/hang/hang.h"
#include "core/base/text.h"
#include "core/base/words.h"
#include "core/compare/comparability.h"
#include "core/compare/memory_comparison.h"
#include "core/compare/run_comparison.h"
#include "core/compare/side_by_side.h"
#include "core/metrics/value_words.h"
#include "core/report/hang_report.h"
#include "core/trace/rank_ranges.h"
#include "core/views/all_facts.h"

namespace rankscope {
namespace {

constexpr std::size_t kSettingWidth = 40;

std::string safe(const Message& message) { return terminal_safe(english(message)); }

ShortReport::Check check_of(const GateResult& result) {
    return {result.passed,
            terminal_safe(fmt::format("{}: {} ({})", result.gate.expression, gate_words(result), result.run))};
}

/// The step first, then what is better or worse, then what only changed.
std::vector<const MetricChange*> changes_to_show(const std::vector<MetricChange>& changes) {
    std::vector<const MetricChange*> shown;
    for (const MetricChange& change : changes)
        if (change.metric->id == "step_time" || change.status != ChangeStatus::similar)
            shown.push_back(&change);
    std::ranges::stable_sort(shown, {}, [](const MetricChange* change) {
        return std::pair(change->metric->id != "step_time", change->status == ChangeStatus::changed);
    });
    return shown;
}

ShortReport::Comparison comparison_of(const AnalysedRun& baseline, const AnalysedRun& test) {
    const RunComparison& comparison = *test.comparison;
    ShortReport::Comparison part;
    part.title = terminal_safe(fmt::format("{} against {}", test.label, baseline.label));
    const ChangeExplanation& change = comparison.explanation();
    for (const Message& sentence : change.sentences)
        part.sentences.push_back(safe(sentence));
    for (const Message& sentence : memory_comparison_sentences(comparison.memory()))
        part.sentences.push_back(safe(sentence));
    for (const MetricChange* each : changes_to_show(comparison.metrics()))
        part.rows.push_back({english(change_title(*each)), value_words(each->baseline, each->metric->unit),
                             value_words(each->test, each->metric->unit),
                             each->percent_change ? change_words(*each->percent_change) : "-",
                             std::string(change_status_word(each->status))});
    const auto cell = [](const std::optional<std::string>& value) {
        return value ? shortened(terminal_safe(*value), kSettingWidth) : "-";
    };
    for (const ConfigEntry& entry : comparison.config())
        if (!entry.equal() && entry.key != "run.folder")
            part.settings.push_back(
                fmt::format("{}: {} -> {}", terminal_safe(entry.key), cell(entry.baseline), cell(entry.test)));
    return part;
}

/// What has no value, grouped by what it needs. Of inference where there is none nothing is said.
std::string unmeasured(const MetricReport& report) {
    const bool inference = std::ranges::any_of(report.entries, [](const MetricReport::Entry& entry) {
        return entry.metric->inference_only && entry.result.available;
    });
    std::vector<std::pair<std::string, std::string>> groups; // reason, titles
    for (const auto& [metric, result] : report.entries) {
        if (result.available || (metric->inference_only && !inference))
            continue;
        const std::string reason = safe(result.reason);
        const auto known = std::ranges::find(groups, reason, [](const auto& group) { return group.first; });
        if (known == groups.end())
            groups.emplace_back(reason, metric->title);
        else
            known->second += ", " + metric->title;
    }
    std::vector<std::string> words;
    for (const auto& [reason, titles] : groups)
        words.push_back(fmt::format("{}: {}", titles, reason));
    return fmt::format("{}", fmt::join(words, "; "));
}

std::string words_of(const Prediction& prediction) {
    const std::string changes = terminal_safe(fmt::format("{}", fmt::join(prediction.changes, ", ")));
    if (!prediction.unavailable.empty())
        return fmt::format("{}: {}", changes, safe(prediction.unavailable));
    const double percent = prediction.measured > 0 ? 100 * (prediction.predicted / prediction.measured - 1) : 0;
    const std::string times = fmt::format("{}: {} -> {} ({}), throughput {}", changes, time_words(prediction.measured),
                                          time_words(prediction.predicted), change_words(percent),
                                          change_words(prediction.throughput_percent_change()));
    return prediction.notes.empty() ? times : fmt::format("{}; {}", times, safe(prediction.notes.front()));
}

ShortReport::OneRun run_of(const AnalysedRun& analysed, ShortContent content) {
    const RunAnalysis& analysis = *analysed.analysis;
    ShortReport::OneRun part;
    part.path = terminal_safe(analysed.run().path.string());
    part.notices = analysed.notices.size();
    if (const Hang* hang = analysed.hang()) {
        for (const std::string& sentence : english(hang_sentences(*hang)))
            (part.headline.empty() ? part.headline : part.hang.emplace_back()) = terminal_safe(sentence);
        part.title = terminal_safe(analysed.label);
        if (!analysed.beside)
            return part;
    }
    part.title = fmt::format("{}: {}", terminal_safe(analysed.label), safe(outline_words(outline_of(analysis))));
    if (const std::int64_t missing = rank_count(missing_ranges(analysed.run())); missing > 0)
        part.title += fmt::format(", {} of {} {}", missing, analysed.run().world_size,
                                  analysed.run().source == TraceSource::xplane ? "devices have no events"
                                                                               : "ranks have no trace");
    part.step = summarise_steps(analysis);
    if (const Message clock = clock_sentence(analysis); !clock.empty())
        part.facts.push_back(safe(clock));
    for (const Message& fact : facts_beside_bar(analysis))
        part.facts.push_back(safe(fact));
    const Findings& findings = analysis.findings();
    const std::string summary = safe(findings.summary);
    part.headline += (part.headline.empty() ? "" : " ") + summary;
    std::erase_if(part.facts, [&](const std::string& fact) { return summary.find(fact) != std::string::npos; });
    for (std::size_t i = 0; i < findings.list.size(); ++i)
        if (const std::string title = safe(findings.list[i].title); summary.find(title) == std::string::npos)
            part.findings.push_back({i + 1, title + (findings.list[i].inherent ? " (inherent)" : "")});
    for (const Prediction& prediction : analysed.predictions)
        part.predictions.push_back(words_of(prediction));
    for (const auto& [metric, result] : analysed.metrics.entries)
        if (result.available && (content.values || metric->inference_only))
            part.values.push_back({metric->title, value_words(result, metric->unit)});
    part.unmeasured = unmeasured(analysed.metrics);
    return part;
}

} // namespace

ShortReport short_report(std::span<const AnalysedRun> runs, std::span<const GateResult> gates, ShortContent content) {
    ShortReport report;
    for (const GateResult& gate : gates)
        report.gates.push_back(check_of(gate));
    std::ranges::stable_sort(report.gates, {}, &ShortReport::Check::passed); // what failed first
    if (runs.size() > 2) {
        const std::vector<RunBesideOthers> rows = runs_side_by_side(runs);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            report.side_by_side.push_back({terminal_safe(runs[i].label),
                                           rows[i].step_ms ? value_words(*rows[i].step_ms, "ms") : "-",
                                           safe(step_change_words(rows[i].against_first)),
                                           safe(step_change_words(rows[i].against_best)), safe(note_of(rows[i]))});
        }
    }
    for (std::size_t i = 1; i < runs.size(); ++i)
        report.comparisons.push_back(comparison_of(runs.front(), runs[i]));
    for (const AnalysedRun& run : runs)
        report.runs.push_back(run_of(run, content));
    return report;
}

} // namespace rankscope
