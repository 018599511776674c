// SPDX-License-Identifier: GPL-3.0-or-later
// report.html, section by section.
#include "core/report/html_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"
#include "core/compare/change_explanation.h"
#include "core/compare/comparability.h"
#include "core/compare/config_comparison.h"
#include "core/compare/kernel_comparison.h"
#include "core/compare/metric_comparison.h"
#include "core/compare/side_by_side.h"
#include "core/metrics/value_words.h"
#include "core/report/findings_report.h"
#include "core/report/hang_report.h"
#include "core/report/html_page.h"
#include "core/report/html_table.h"
#include "core/report/markup.h"
#include "core/report/memory_diff.h"
#include "core/report/svg_charts.h"
#include "core/trace/step_ends.h"
#include "core/version.h"
#include "core/views/efficiency_tree.h"
#include "core/views/worker_map.h"

namespace rankscope {
namespace {

constexpr double kLeastCost = 0.5; ///< us of an iteration; less would be shown as nothing
constexpr std::size_t kKernelRows = 25;
constexpr std::size_t kHistograms = 6;
constexpr std::size_t kConfigRows = 200;
constexpr std::size_t kRankBars = 64;
constexpr std::size_t kBins = 28;
constexpr std::size_t kNameWidth = 110;

std::string shown(double value) {
    const double size = std::abs(value);
    return value == std::floor(value) && size < 1e15 ? fmt::format("{:.0f}", value)
           : size >= 1000                            ? fmt::format("{:.1f}", value)
           : size >= 1                               ? fmt::format("{:.3f}", value)
                                                     : fmt::format("{:.3g}", value);
}

std::string shown_percent(std::optional<double> percent) { return percent ? fmt::format("{:+.2f} %", *percent) : "-"; }
std::string paragraph(std::string_view text, std::string_view css) {
    return fmt::format("<p class=\"{}\">{}</p>\n", css, escaped_markup(text));
}
std::string heading(int level, std::string_view text) {
    return fmt::format("<h{0}>{1}</h{0}>\n", level, escaped_markup(text));
}
std::string kernel_name(std::string_view name) { return shortened(terminal_safe(name), kNameWidth); }

/// Every event of the files: on the timeline, or why not.
std::string accounting_section(std::span<const AnalysedRun> runs) {
    HtmlTable table({"run", "#events in the files", "#on the timeline", "#not shown", "why"});
    for (const AnalysedRun& analysed : runs) {
        const Accounting accounting = accounting_of(analysed.run());
        table.cell(analysed.label)
            .cell(std::to_string(accounting.events_in_file))
            .cell(std::to_string(accounting.on_timeline))
            .cell(std::to_string(accounting.all_not_shown()))
            .cell(english(not_shown_text(accounting)))
            .end_row();
    }
    return heading(3, "Events accounted for") + table.html();
}

std::string runs_section(std::span<const AnalysedRun> runs) {
    HtmlTable table({"role", "run", "path", "#ranks", "#events", "#span", "#steps", "#notices"});
    for (const AnalysedRun& analysed : runs) {
        const Run& run = analysed.run();
        table.cell(analysed.role)
            .cell(analysed.label)
            .cell(run.path.string())
            .cell(fmt::format(
                "{} of {}", run.ranks.size(),
                std::max<std::size_t>(run.ranks.size(), static_cast<std::size_t>(std::max(0, run.world_size)))))
            .cell(std::to_string(run.event_count()))
            .cell(fmt::format("{:.3f} ms", as_ms(analysed.analysis->length())))
            .cell(std::to_string(outline_of(*analysed.analysis).steps))
            .cell(std::to_string(analysed.notices.size()))
            .end_row();
    }
    const std::string part = part_words(runs.front().analysis->selection());
    return (part.empty() ? "" : paragraph(fmt::format("Only a part is analysed: {}.", part), "lead")) + table.html() +
           accounting_section(runs);
}

/// The factors of parallel efficiency; low ones are marked.
std::string efficiency_section(const AnalysedRun& analysed) {
    const MetricResult* metric = analysed.metrics.find("parallel_efficiency");
    if (metric == nullptr || !metric->available)
        return {};
    HtmlTable table({"factor", "#value", "look at"});
    for (const EfficiencyRow& row : efficiency_tree(*analysed.analysis)) {
        std::string name;
        for (int depth = 0; depth < row.depth; ++depth)
            name += "\u00A0\u00A0\u00A0\u00A0";
        table.cell(name + english(row.name));
        const std::string value = fmt::format("{:.3f}", row.value);
        row.low() ? table.cell(value, "worse") : table.cell(value);
        table.cell(english(row.look_at)).end_row();
    }
    return heading(3, "Parallel efficiency") + table.html();
}

/// What stragglers cost, in sentences.
std::string slowdown_section(const AnalysedRun& analysed) {
    const MetricResult* metric = analysed.metrics.find("straggler_slowdown");
    if (metric == nullptr || !metric->available)
        return {};
    std::string html = heading(3, "Slowdown by stragglers");
    for (const Message& sentence : slowdown_sentences(*analysed.analysis))
        html += paragraph(english(sentence), "words");
    return html;
}

std::string gates_section(std::span<const GateResult> gates) {
    if (gates.empty())
        return {};
    HtmlTable table({"gate", "#value", "passed", "run"});
    for (const GateResult& gate : gates)
        table.cell(gate.gate.expression)
            .cell(gate.value ? shown(*gate.value) + (gate.gate.against_baseline ? " %" : "") : gate.reason)
            .cell(gate.passed ? "passed" : "failed", gate.passed ? "better" : "worse")
            .cell(gate.run)
            .end_row();
    return heading(2, "Gates") + table.html();
}

std::string change_section(const AnalysedRun& baseline, const AnalysedRun& test) {
    const ChangeExplanation& change = test.comparison->explanation();
    std::string html = paragraph(english(change.sentences.front()), "lead");
    if (change.sentences.size() > 1) {
        html += "<ul>\n";
        for (const Message& sentence : std::span(change.sentences).subspan(1))
            html += fmt::format("<li>{}</li>\n", escaped_markup(english(sentence)));
        html += "</ul>\n";
    }
    if (!change.unavailable.empty() || !test.comparison->comparability().comparable())
        return html;
    std::vector<WaterfallStep> steps;
    for (const ChangeStep& step : change_steps(change))
        steps.push_back({english(step.title), step.difference_us / 1000});
    return html + paragraph("Iteration time part by part; the axis does not start at 0.", "dim") +
           waterfall_svg(baseline.label, change.baseline_us / 1000, steps, test.label, change.test_us / 1000, "ms");
}

/// Three runs and more: one table before those of each with the first.
std::string all_runs_section(std::span<const AnalysedRun> runs) {
    HtmlTable table({"run", "#step ms", "#against the first", "#against the best", ""});
    const std::vector<RunBesideOthers> rows = runs_side_by_side(runs);
    const auto status = [](const std::optional<MetricChange>& change) {
        return change ? change_status_word(change->status) : std::string_view();
    };
    for (std::size_t i = 0; i < runs.size(); ++i)
        table.cell(runs[i].label)
            .cell(rows[i].step_ms ? shown(*rows[i].step_ms) : "-")
            .cell(english(step_change_words(rows[i].against_first)), status(rows[i].against_first))
            .cell(english(step_change_words(rows[i].against_best)), status(rows[i].against_best))
            .cell(english(note_of(rows[i])))
            .end_row();
    return heading(2, "All runs") + table.html();
}

std::string matrix_section(std::span<const AnalysedRun> runs) {
    std::vector<const MetricReport*> reports;
    std::vector<const std::vector<MetricChange>*> changes;
    std::vector<std::string> titles{"metric", "unit"};
    for (const AnalysedRun& run : runs) {
        reports.push_back(&run.metrics);
        if (run.comparison)
            changes.push_back(&run.comparison->metrics());
        titles.push_back("#" + run.label);
        if (&run != &runs.front())
            titles.insert(titles.end(), {"#change", "#interval", "status"});
    }
    HtmlTable table(titles);
    for (const MetricRow& row : metric_matrix(reports, changes)) {
        table.cell(english(row.title)).cell(row.metric->unit);
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            table.cell(row.values[i] ? shown(*row.values[i]) : "-");
            if (i == 0)
                continue;
            const auto& change = row.changes[i];
            const std::string_view status = change ? change_status_word(change->status) : "";
            table.cell(change ? shown_percent(change->percent_change) : "-")
                .cell(!change            ? "-"
                      : change->interval ? "± " + shown(*change->interval)
                                         : "none: " + english(change->no_interval))
                .cell(status, status);
        }
        table.end_row();
    }
    return table.html();
}

std::string kernel_change_section(const AnalysedRun& baseline, const AnalysedRun& test, const NameFilter& filter) {
    if (!test.comparison->comparability().comparable())
        return {};
    std::vector<KernelChange> changes = test.comparison->kernels();
    std::erase_if(changes, [&](const KernelChange& change) {
        return std::abs(change.cost_us()) < kLeastCost || (filter && !filter(change.name) && !filter(change.test_name));
    });
    if (changes.empty())
        return {};
    HtmlTable table({"kernel", "#calls", "#in test", "#baseline ms", "#test ms", "#cost ms", "#change"});
    const auto row = [&](const KernelChange& change) {
        table.cell(kernel_name(change.name))
            .cell(shown(change.baseline.count))
            .cell(shown(change.test.count))
            .cell(fmt::format("{:.3f}", change.baseline.time_us / 1000))
            .cell(fmt::format("{:.3f}", change.test.time_us / 1000))
            .cell(fmt::format("{:+.3f}", change.cost_us() / 1000))
            .cell(shown_percent(percent_change(change.baseline.time_us, change.test.time_us)))
            .end_row();
    };
    const auto slower = static_cast<std::size_t>(
        std::ranges::count_if(changes, [](const KernelChange& change) { return change.cost_us() > 0; }));
    for (const KernelChange& change : std::span(changes).first(std::min(slower, kKernelRows)))
        row(change);
    std::string html =
        heading(3, "Slower in the test") +
        paragraph("Kernels, copies and sets by what their change costs an iteration of a rank, all calls together.",
                  "dim") +
        (table.empty() ? paragraph("None.", "") : table.html(slower - std::min(slower, kKernelRows)));
    std::string figures;
    for (const KernelChange& change : std::span(changes).first(std::min(slower, kHistograms))) {
        const DurationHistograms h = duration_histograms(*baseline.analysis, *test.analysis, change, kBins);
        const auto median = [](double us) {
            return std::isfinite(us) ? fmt::format("{:.4g} µs", us) : std::string("none");
        };
        figures += fmt::format(
            "<figure>{}<figcaption>{}<br><span class=\"dim\">median {} -> {}</span></figcaption></figure>\n",
            overlaid_histograms_svg(h.edges_us, h.baseline, h.test, h.baseline_median_us, h.test_median_us, "µs"),
            escaped_markup(kernel_name(change.name)), median(h.baseline_median_us),
            escaped_markup(median(h.test_median_us)));
    }
    if (!figures.empty())
        html += fmt::format("<p class=\"dim\">Calls by duration, logarithmic, a line at each median:<span class=\"key "
                            "baseline\"></span>{}"
                            "<span class=\"key test\"></span>{}</p>\n<div class=\"grid2\">{}</div>\n",
                            escaped_markup(baseline.label), escaped_markup(test.label), figures);
    table = HtmlTable({"kernel", "#calls", "#in test", "#baseline ms", "#test ms", "#cost ms", "#change"});
    const std::size_t faster = changes.size() - slower;
    for (std::size_t i = 0; i < std::min(faster, kKernelRows / 2); ++i)
        row(changes[changes.size() - 1 - i]);
    return faster == 0
               ? html
               : html + heading(3, "Faster in the test") + table.html(faster - std::min(faster, kKernelRows / 2));
}

std::string config_section(const AnalysedRun& baseline, const AnalysedRun& test) {
    HtmlTable table({"key", baseline.label, test.label, ""});
    std::size_t differing = 0;
    std::size_t equal = 0;
    for (const ConfigEntry& entry : test.comparison->config()) {
        equal += entry.equal() ? 1 : 0;
        if (entry.equal() || ++differing > kConfigRows)
            continue;
        const auto value = [](const std::optional<std::string>& text) {
            return text ? shortened(terminal_safe(*text), 200) : "-";
        };
        table.cell(entry.key)
            .cell(value(entry.baseline))
            .cell(value(entry.test))
            .cell(entry.baseline && entry.test ? "changed"
                  : entry.baseline             ? "only in baseline"
                                               : "only in test",
                  "")
            .end_row();
    }
    return heading(3, "Configuration") +
           paragraph(fmt::format("{} settings differ, {} are equal.", differing, equal), "dim") +
           (table.empty() ? "" : table.html(differing - std::min(differing, kConfigRows)));
}

std::string rank_chart(const RunAnalysis& analysis) {
    const std::vector<StackPart> legend{{"computation", "compute"},
                                        {"communication and waiting", "comm"},
                                        {"exposed copies", "copy"},
                                        {"idle", "idle"}};
    std::vector<StackedBar> bars;
    for (const RankAnalysis& rank : analysis.ranks())
        if (rank.timeline.total > 0 && bars.size() < kRankBars)
            bars.push_back({fmt::format("rank {}", rank.trace->rank),
                            {as_ms(rank.timeline.computation), as_ms(rank.timeline.exposed_comm),
                             as_ms(rank.timeline.exposed_memcpy), as_ms(rank.timeline.idle)}});
    if (bars.empty())
        return {};
    const bool cut = analysis.ranks().size() > kRankBars;
    return heading(3, "Where the GPUs' time went") + stacked_bars_svg(legend, bars, "ms") +
           (cut ? paragraph(fmt::format("The first {} of {} ranks; all are in ranks.csv.", kRankBars,
                                        analysis.ranks().size()),
                            "dim")
                : "");
}

/// Mean over ranks of each step's wall time.
std::vector<double> step_means(const RunAnalysis& analysis) {
    std::map<std::int64_t, std::pair<double, double>> sums;
    for (const RankAnalysis& rank : analysis.ranks())
        for (const ProfilerStep& step : rank.steps)
            if (has_known_end(*rank.trace, step.number)) {
                sums[step.number].first += as_ms(step.range.length());
                ++sums[step.number].second;
            }
    std::vector<double> means;
    for (const auto& [number, sum] : sums)
        means.push_back(sum.first / sum.second);
    return means;
}

std::string iteration_chart(std::span<const AnalysedRun> runs) {
    std::vector<DotSeries> series;
    constexpr std::array<const char*, 5> kColours{"baseline", "test", "other1", "other2", "other3"};
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (auto means = step_means(*runs[i].analysis); means.size() > 1)
            series.push_back({runs[i].label, std::move(means), kColours[std::min(i, kColours.size() - 1)]});
    return series.empty() ? ""
                          : heading(3, "Iterations") + paragraph("Wall time of each, mean over ranks.", "dim") +
                                dots_svg(series, "n-th iteration", "ms");
}

std::string metrics_table(const AnalysedRun& run) {
    HtmlTable table({"metric", "#value", "unit", "", "what it is"});
    for (const auto& [metric, result] : run.metrics.entries)
        table.cell(metric->title)
            .cell(result.available ? fmt::format("{}{}", bound_sign(result.bound), shown(result.value)) : "-")
            .cell(metric->unit)
            .cell(result.available ? english(result.bound_reason) : "not available")
            .cell(result.available ? metric->definition : english(result.reason))
            .end_row();
    return heading(3, "Metrics") + table.html();
}

std::string kernels_table(const RunAnalysis& analysis, const NameFilter& filter) {
    struct Sum {
        KernelClass kernel_class = KernelClass::compute;
        std::int64_t count = 0;
        TimeNs total = 0;
    };
    std::map<std::string_view, Sum> sums;
    TimeNs all = 0;
    for (const auto& kernels : analysis.kernel_tables())
        for (const KernelStatistics& kernel : kernels) {
            all += kernel.total;
            if (const std::string_view name = analysis.run().names->view(kernel.name); !filter || filter(name)) {
                Sum& sum = sums[name];
                sum = {kernel.kernel_class, sum.count + kernel.count, sum.total + kernel.total};
            }
        }
    std::vector<std::pair<std::string_view, Sum>> longest(sums.begin(), sums.end());
    std::ranges::stable_sort(longest, std::greater<>(), [](const auto& entry) { return entry.second.total; });
    if (longest.empty())
        return {};
    HtmlTable table({"kernel, all ranks", "class", "#calls", "#total ms", "#mean µs", "#share"});
    const std::size_t rows = std::min(longest.size(), kKernelRows);
    for (const auto& [name, sum] : std::span(longest).first(rows))
        table.cell(kernel_name(name))
            .cell(kernel_class_word(sum.kernel_class))
            .cell(std::to_string(sum.count))
            .cell(fmt::format("{:.3f}", as_ms(sum.total)))
            .cell(fmt::format("{:.3f}", as_us(sum.total) / static_cast<double>(sum.count)))
            .cell(fmt::format("{:.1f} %",
                              all > 0 ? 100.0 * static_cast<double>(sum.total) / static_cast<double>(all) : 0.0))
            .end_row();
    return heading(3, "Kernels") + table.html(longest.size() - rows);
}

std::string collectives_table(const RunAnalysis& analysis) {
    HtmlTable table({"collective", "dtype", "#elements", "#ranks", "#calls", "#latency µs", "#start skew µs",
                     "#bus GB/s", "#total ms"});
    const auto& rows = analysis.collective_summaries().implicit_sync;
    for (const ImplicitSyncRow& row : std::span(rows).first(std::min(rows.size(), kKernelRows)))
        table.cell(row.collective)
            .cell(analysis.run().names->view(row.dtype))
            .cell(row.in_elements == kUnknown ? "-" : std::to_string(row.in_elements))
            .cell(row.group_size > 0 ? std::to_string(row.group_size) : "-")
            .cell(std::to_string(row.latency.count))
            .cell(fmt::format("{:.3f}", row.latency.mean / 1000))
            .cell(fmt::format("{:.3f}", row.start_skew.mean / 1000))
            .cell(row.busbw.count > 0 ? fmt::format("{:.3f}", row.busbw.mean) : "-")
            .cell(fmt::format("{:.3f}", row.latency.sum / 1e6))
            .end_row();
    return rows.empty() ? ""
                        : heading(3, "Collectives") +
                              paragraph("Means over calls; latency is the shortest duration among the ranks.", "dim") +
                              table.html(rows.size() - std::min(rows.size(), kKernelRows));
}

} // namespace

std::string part_words(const Selection& selection) {
    std::vector<std::string> parts;
    if (selection.time)
        parts.push_back(fmt::format("{} to {} ms", number_text(as_ms(selection.time->begin)),
                                    number_text(as_ms(selection.time->end))));
    std::vector<std::string> steps;
    for (const auto& [first, last] : selection.iterations)
        steps.push_back(first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last));
    if (!steps.empty()) {
        const bool one = steps.size() == 1 && selection.iterations.front().first == selection.iterations.front().second;
        parts.push_back(fmt::format("{} {}", one ? "step" : "steps", fmt::join(steps, ", ")));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string html_report(std::span<const AnalysedRun> runs, std::span<const GateResult> gates, const NameFilter& filter,
                        const HtmlTimeline& timeline) {
    const std::string title =
        runs.size() == 1 ? runs.front().label : fmt::format("{} and {} more", runs.front().label, runs.size() - 1);
    std::string html;
    html += heading(1, runs.size() == 1 ? "Run report" : "Comparison of runs") +
            paragraph(fmt::format("Rankscope {}", kVersion), "dim") + runs_section(runs);
    html += gates_section(gates);
    if (runs.size() > 1) {
        html += runs.size() > 2 ? all_runs_section(runs) : "";
        for (const AnalysedRun& test : runs.subspan(1))
            html += heading(2, fmt::format("{} against {}: what changed", test.label, runs.front().label)) +
                    change_section(runs.front(), test);
        html += timeline_section(runs, timeline);
        html += heading(2, "Metrics against the first run") + matrix_section(runs) + iteration_chart(runs);
        for (const AnalysedRun& test : runs.subspan(1))
            html +=
                heading(2, fmt::format("{} against {}: kernels and configuration", test.label, runs.front().label)) +
                kernel_change_section(runs.front(), test, filter) + memory_diff_section(test) +
                config_section(runs.front(), test);
    }
    for (const AnalysedRun& run : runs)
        if (run.analysis->hang() != nullptr)
            html += heading(2, run.label) + hang_section(*run.hang());
        else
            html +=
                (run.beside ? heading(2, fmt::format("{}: the dumps beside it", run.label)) + hang_section(*run.beside)
                            : "") +
                heading(2, run.label) + findings_section(run) +
                (runs.size() == 1 ? timeline_section(runs, timeline) : "") + rank_chart(*run.analysis) +
                (runs.size() == 1 ? iteration_chart(runs) : "") + slowdown_section(run) + efficiency_section(run) +
                metrics_table(run) + collectives_table(*run.analysis) + kernels_table(*run.analysis, filter);
    return html_page("Rankscope: " + title, html);
}

} // namespace rankscope
