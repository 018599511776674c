// SPDX-License-Identifier: GPL-3.0-or-later
// The report as aligned text.
#include "app/command/table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/findings/findings.h"
#include "core/base/text.h"
#include "core/compare/change_explanation.h"
#include "core/compare/config_comparison.h"
#include "core/compare/metric_comparison.h"
#include "core/compare/side_by_side.h"
#include "core/metrics/value_words.h"
#include "core/report/critical_path_csv.h"
#include "core/report/hang_report.h"
#include "core/report/text_table.h"
#include "core/trace/rank_ranges.h"
#include "core/trace/recorded.h"
#include "core/views/all_facts.h"

namespace rankscope {
namespace {

constexpr std::size_t kKernelRows = 10;
constexpr std::size_t kPathRows = 8;
constexpr std::size_t kNameWidth = 72;

/// Enough digits to compare two values by eye, no more.
std::string shown(double value) {
    const double size = std::abs(value);
    if (value == std::floor(value) && size < 1e15)
        return fmt::format("{:.0f}", value);
    return size >= 1000 ? fmt::format("{:.1f}", value)
           : size >= 1  ? fmt::format("{:.3f}", value)
                        : fmt::format("{:.3g}", value);
}

std::string shown_ms(TimeNs ns) { return fmt::format("{:.3f}", as_ms(ns)); }

std::string share(TimeNs part, TimeNs whole) {
    return whole > 0 ? fmt::format("{:.1f}", 100.0 * static_cast<double>(part) / static_cast<double>(whole)) : "-";
}

/// 1, 2, 3, 7 -> "1-3, 7".
template <typename Number>
std::string number_ranges(const std::vector<Number>& numbers) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        parts.push_back(last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]));
        i = last + 1;
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// "1-3, 7"; of very many the first.
std::string rank_ranges(std::span<const RankRange> ranges) {
    constexpr std::size_t kShown = 200;
    std::vector<std::string> parts;
    for (const RankRange& range : ranges.first(std::min(kShown, ranges.size())))
        parts.push_back(range.first == range.last ? fmt::format("{}", range.first)
                                                  : fmt::format("{}-{}", range.first, range.last));
    return fmt::format("{}{}", fmt::join(parts, ", "), ranges.size() > kShown ? " ..." : "");
}

std::string heading(const AnalysedRun& analysed) {
    const Run& run = analysed.run();
    const std::string_view role = analysed.role == "baseline" ? "Baseline" : analysed.role == "test" ? "Test" : "Run";
    std::string text =
        fmt::format("{} {}\n  {}\n  {} of {} ranks, {} events, {} ms, {}\n", role, terminal_safe(analysed.label),
                    terminal_safe(run.path.string()), run.ranks.size(),
                    std::max<std::size_t>(run.ranks.size(), static_cast<std::size_t>(std::max(0, run.world_size))),
                    run.event_count(), shown_ms(analysed.analysis->length()), trace_source_word(run.source));
    if (const auto missing = missing_ranges(run); !missing.empty())
        text +=
            fmt::format("  {}: {}\n", run.source == TraceSource::xplane ? "devices without events" : "missing ranks",
                        rank_ranges(missing));
    if (const auto iterations = iteration_numbers(*analysed.analysis); !iterations.empty())
        text += fmt::format("  {} {}\n",
                            iterations.size() == 1 ? "1 step: number" : fmt::format("{} steps:", iterations.size()),
                            number_ranges(iterations));
    if (!analysed.notices.empty())
        text += fmt::format("  notices: {} (on stderr; in full with --verbose or --json)\n", analysed.notices.size());
    return text;
}

/// One block per topic, in catalogue order of the topics' first metrics.
std::string metric_blocks(const MetricReport& report) {
    std::vector<std::string_view> topics;
    for (const auto& [metric, result] : report.entries)
        if (std::ranges::find(topics, metric->topic) == topics.end())
            topics.push_back(metric->topic);
    std::string text;
    for (const std::string_view topic : topics) {
        TextTable table({std::string(topic), "value", "unit", "metric"});
        table.align_left(2);
        table.align_left(3);
        for (const auto& [metric, result] : report.entries)
            if (metric->topic == topic)
                table.add_row(
                    {metric->title,
                     result.available ? fmt::format("{}{}", bound_sign(result.bound), shown(result.value)) : "-",
                     result.available ? metric->unit : "",
                     result.available && result.bound == ValueBound::none
                         ? metric->id
                         : fmt::format(
                               "{}: {}", metric->id,
                               terminal_safe(english(result.available ? result.bound_reason : result.reason)))});
        text += '\n' + table.text();
    }
    return text;
}

/// What was counted, before what is inferred from it.
std::string fact_block(const RunAnalysis& analysis) {
    std::vector<Message> sentences = all_fact_sentences(analysis);
    if (Message clock = clock_sentence(analysis); !clock.empty())
        sentences.push_back(std::move(clock));
    std::string text;
    for (const Message& sentence : sentences)
        text += "  " + terminal_safe(english(sentence)) + '\n';
    return text.empty() ? text : '\n' + text;
}

/// What is wrong, before all numbers.
std::string finding_block(const RunAnalysis& analysis) {
    const Findings& findings = analysis.findings();
    std::string text = "\n  " + terminal_safe(english(findings.headline)) + '\n';
    if (!findings.list.empty())
        text += fmt::format("  {:>3}  {:<8}  {}  {}\n", "No.", "nature", "confidence", "finding");
    std::size_t number = 0;
    for (const Finding& finding : findings.list)
        text += fmt::format("  {:>3}  {:<8}  {:>8.0f} %  {}\n", ++number,
                            finding.hidden     ? "hidden"
                            : finding.inherent ? "inherent"
                                               : "fault",
                            100 * finding.confidence, terminal_safe(english(finding.title)));
    return text;
}

/// The longest path of the first step: what, made shorter, would make it shorter; and how much later others of the name
/// could end.
std::string path_block(const RunAnalysis& analysis) {
    const std::vector<std::int64_t> steps = graph_step_numbers(analysis.step_graph());
    const std::vector<PathRow> rows = steps.empty() ? std::vector<PathRow>() : path_rows(analysis, steps.front());
    TimeNs whole = 0;
    for (const PathRow& row : rows)
        whole += row.time;
    TextTable table({fmt::format("critical path{}",
                                 analysis.step_graph().profiler_steps ? fmt::format(", step {}", steps.front()) : ""),
                     "rank", "class", "ms", "%", "median slack ms"});
    table.align_left(2);
    for (const PathRow& row : std::span(rows).first(std::min(kPathRows, rows.size())))
        table.add_row({row.name.empty() ? "(between events)" : shortened(terminal_safe(row.name), kNameWidth),
                       std::to_string(row.rank), std::string(path_class_label(row.path_class)), shown_ms(row.time),
                       share(row.time, whole), row.events > 0 ? shown_ms(row.median_slack) : "-"});
    return rows.empty() ? "" : '\n' + table.text();
}

/// The note beside a prediction: why there is none, or its notes and its assumptions.
std::string prediction_words(const Prediction& prediction) {
    if (!prediction.unavailable.empty())
        return english(prediction.unavailable);
    std::vector<std::string> words = english(prediction.notes);
    for (const Message& each : prediction.assumes)
        words.push_back("assumes that " + english(each));
    return fmt::format("{}", fmt::join(words, "; "));
}

std::string prediction_block(std::span<const Prediction> predictions) {
    TextTable table({"what if", "measured ms", "predicted ms", "change %", "note"});
    table.align_left(4);
    for (const Prediction& prediction : predictions) {
        const bool told = prediction.unavailable.empty();
        table.add_row({terminal_safe(fmt::format("{}", fmt::join(prediction.changes, ", "))),
                       told ? fmt::format("{:.3f}", prediction.measured / 1e6) : "-",
                       told ? fmt::format("{:.3f}", prediction.predicted / 1e6) : "-",
                       told && prediction.measured > 0
                           ? fmt::format("{:+.2f}", 100 * (prediction.predicted / prediction.measured - 1))
                           : "-",
                       terminal_safe(prediction_words(prediction))});
    }
    return predictions.empty() ? "" : '\n' + table.text();
}

std::string rank_block(const RunAnalysis& analysis) {
    const std::vector<std::string> columns{"rank", "device",       "total ms", "compute ms",
                                           "%",    "comm+wait ms", "%",        "exposed memcpy ms",
                                           "%",    "idle ms",      "%",        "overlap ms"};
    TextTable table(columns);
    if (!recorded(analysis.run()).gpu_work ||
        std::ranges::all_of(analysis.ranks(), [](const RankAnalysis& rank) { return rank.gpu_work.empty(); }))
        return {};
    for (const RankAnalysis& rank : analysis.ranks()) {
        const GpuTimeline& gpu = rank.timeline;
        if (rank.gpu_work.empty()) {
            std::vector<std::string> cells(columns.size(), "-");
            cells.front() = std::to_string(rank.trace->rank);
            table.add_row(std::move(cells));
            continue;
        }
        table.add_row({std::to_string(rank.trace->rank),
                       rank.trace->device() < 0 ? "-" : std::to_string(rank.trace->device()), shown_ms(gpu.total),
                       shown_ms(gpu.computation), share(gpu.computation, gpu.total), shown_ms(gpu.exposed_comm),
                       share(gpu.exposed_comm, gpu.total), shown_ms(gpu.exposed_memcpy),
                       share(gpu.exposed_memcpy, gpu.total), shown_ms(gpu.idle), share(gpu.idle, gpu.total),
                       shown_ms(gpu.overlap)});
    }
    return '\n' + table.text();
}

struct KernelSum {
    KernelClass kernel_class = KernelClass::compute;
    std::int64_t count = 0;
    TimeNs total = 0;
};

std::string kernel_block(const RunAnalysis& analysis, const NameFilter& filter) {
    std::map<std::pair<std::string_view, KernelClass>, KernelSum> sums;
    TimeNs all = 0;
    for (std::size_t i = 0; i < analysis.ranks().size(); ++i)
        for (const KernelStatistics& kernel : analysis.kernel_tables()[i]) {
            all += kernel.total;
            const std::string_view name = analysis.run().names->view(kernel.name);
            if (filter && !filter(name))
                continue;
            KernelSum& sum = sums[{name, kernel.kernel_class}];
            sum = {kernel.kernel_class, sum.count + kernel.count, sum.total + kernel.total};
        }
    if (sums.empty())
        return filter ? "\n  no kernel matches --kernel-filter\n" : "";
    std::vector<std::pair<std::string_view, KernelSum>> longest;
    for (const auto& [key, sum] : sums)
        longest.emplace_back(key.first, sum);
    std::ranges::stable_sort(longest, std::greater<>(), [](const auto& entry) { return entry.second.total; });
    TextTable table(
        {"class", "total ms", "%", "count", "mean us",
         fmt::format("longest kernels, all ranks ({} of {})", std::min(kKernelRows, longest.size()), longest.size())});
    table.align_left(5);
    for (const auto& [name, sum] : std::span(longest).first(std::min(kKernelRows, longest.size())))
        table.add_row({std::string(kernel_class_word(sum.kernel_class)), shown_ms(sum.total), share(sum.total, all),
                       std::to_string(sum.count),
                       fmt::format("{:.3f}", as_us(sum.total) / static_cast<double>(sum.count)),
                       shortened(terminal_safe(name), kNameWidth)});
    return '\n' + table.text();
}

std::string change_block(const ChangeExplanation& change) {
    std::string text;
    for (const Message& sentence : change.sentences)
        text += "  " + terminal_safe(english(sentence)) + '\n';
    return text + '\n';
}

std::string comparison_block(const AnalysedRun& baseline, const AnalysedRun& test) {
    std::string text =
        fmt::format("\nComparison: {} against {}\n\n", terminal_safe(test.label), terminal_safe(baseline.label));
    text += change_block(test.comparison->explanation());
    TextTable metrics({"metric", "baseline", "test", "difference", "interval", "change %", "unit", "status"});
    metrics.align_left(6);
    metrics.align_left(7);
    std::set<std::string> without;
    for (const MetricChange& change : test.comparison->metrics()) {
        metrics.add_row({english(change_title(change)), shown(change.baseline), shown(change.test),
                         shown(change.difference), change.interval ? "± " + shown(*change.interval) : "-",
                         change.percent_change ? fmt::format("{:+.2f}", *change.percent_change) : "-",
                         change.metric->unit, std::string(change_status_word(change.status))});
        if (!change.interval)
            without.insert(english(change.no_interval));
    }
    text += metrics.empty() ? "  no metric is available in both\n" : metrics.text();
    if (!without.empty())
        text += fmt::format("  -: no interval, {}\n", fmt::join(without, "; or "));
    TextTable config({"configuration", "baseline", "test"});
    config.align_left(1);
    config.align_left(2);
    const auto cell = [](const std::optional<std::string>& value) {
        return value ? shortened(terminal_safe(*value), kNameWidth) : "-";
    };
    for (const ConfigEntry& entry : test.comparison->config())
        if (!entry.equal())
            config.add_row({terminal_safe(entry.key), cell(entry.baseline), cell(entry.test)});
    return config.empty() ? text : text + '\n' + config.text();
}

/// Three runs and more: one table before those of each with the first.
std::string side_by_side_block(std::span<const AnalysedRun> runs) {
    TextTable table({"run", "step ms", "against the first", "against the best", ""});
    table.align_left(4);
    const std::vector<RunBesideOthers> rows = runs_side_by_side(runs);
    for (std::size_t i = 0; i < runs.size(); ++i)
        table.add_row({terminal_safe(runs[i].label), rows[i].step_ms ? shown(*rows[i].step_ms) : "-",
                       english(step_change_words(rows[i].against_first)),
                       english(step_change_words(rows[i].against_best)), terminal_safe(english(note_of(rows[i])))});
    return "\nAll runs\n\n" + table.text();
}

std::string gate_block(std::span<const GateResult> gates) {
    TextTable table({"gate", "value", "passed", "run"});
    for (const std::size_t column : {1U, 2U, 3U})
        table.align_left(column);
    for (const GateResult& gate : gates)
        table.add_row({gate.gate.expression, gate.value ? gate_words(gate) : "-",
                       gate.passed  ? "yes"
                       : gate.value ? "NO"
                                    : "NO: " + gate.reason,
                       terminal_safe(gate.run)});
    return '\n' + table.text();
}

/// Of dumps: who did not come. They hold no GPU work, so there is nothing else to say.
std::string hang_block(const Hang& hang) {
    std::string text = "\n";
    for (const std::string& sentence : english(hang_sentences(hang)))
        text += "  " + terminal_safe(sentence) + "\n\n";
    text.pop_back();
    return text;
}

} // namespace

std::string report_text(std::span<const AnalysedRun> runs, std::span<const GateResult> gates,
                        const NameFilter& kernel_filter) {
    std::string text;
    for (const AnalysedRun& run : runs)
        if (run.analysis->hang() != nullptr)
            text += (text.empty() ? "" : "\n") + heading(run) + hang_block(*run.hang());
        else
            text += (text.empty() ? "" : "\n") + heading(run) +
                    (run.beside ? "  dumps of the Flight Recorder beside it:\n" + hang_block(*run.beside) + '\n' : "") +
                    fact_block(*run.analysis) + finding_block(*run.analysis) + prediction_block(run.predictions) +
                    path_block(*run.analysis) + metric_blocks(run.metrics) + rank_block(*run.analysis) +
                    kernel_block(*run.analysis, kernel_filter);
    if (runs.size() > 2)
        text += side_by_side_block(runs);
    for (std::size_t i = 1; i < runs.size(); ++i)
        text += comparison_block(runs[0], runs[i]);
    return gates.empty() ? text : text + gate_block(gates);
}

std::string metric_list_text(const MetricList& own) {
    TextTable table({"metric", "unit", "better", "what"});
    for (const std::size_t column : {1U, 2U, 3U})
        table.align_left(column);
    for (const MetricPointer& metric : all_metrics(own))
        table.add_row({metric->id, metric->unit, std::string(better_word(metric->better)),
                       fmt::format("{}: {}", metric->title, metric->definition)});
    return table.text();
}

} // namespace rankscope
