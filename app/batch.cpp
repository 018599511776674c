// SPDX-License-Identifier: GPL-3.0-or-later
// The program without a window: reads runs, analyses them, writes the report.
#include "app/batch.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/batch_input.h"
#include "app/demo_runs.h"
#include "app/digest_command.h"
#include "app/process.h"
#include "app/query_command.h"
#include "app/study_command.h"
#include "app/table.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/report/chrome_trace.h"
#include "core/report/collectives_csv.h"
#include "core/report/critical_path_csv.h"
#include "core/report/findings_csv.h"
#include "core/report/html_report.h"
#include "core/report/json_report.h"
#include "core/report/junit.h"
#include "core/report/metrics_csv.h"
#include "core/report/name_filter.h"
#include "core/report/nsys_csv.h"
#include "core/report/operator_diff_csv.h"
#include "core/report/rank_csv.h"
#include "core/report/rccl_sheets.h"
#include "core/report/run_sheets.h"
#include "core/report/short_report.h"
#include "core/report/traffic_csv.h"
#include "core/report/xlsx.h"

namespace rankscope {
namespace {

/// Made when it is its turn, so that no more than one is in memory.
struct ReportFile {
    std::string name;
    std::function<Result<void>(const std::filesystem::path&, Interrupt&)> write;
};

tl::unexpected<Error> failed(Error::Code code, Message message) {
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

/// A signal may end the program while the content is made, and not while it is written.
template <typename Content, typename Write>
ReportFile report_file(std::string name, std::function<Content()> make, Write write) {
    return {std::move(name),
            [make = std::move(make), write](const std::filesystem::path& path, Interrupt& interrupt) -> Result<void> {
                const Content content = make();
                const auto lock = interrupt.writing();
                if (interrupt.token().stop_requested())
                    return failed(Error::Code::cancelled, "interrupted"_text);
                return write(path, content);
            }};
}

ReportFile text_file(std::string name, std::function<std::string()> content) {
    return report_file<std::string>(
        std::move(name), std::move(content),
        [](const auto& path, const std::string& text) { return write_whole_file(path, text); });
}

ReportFile workbook_file(std::string name, std::function<std::vector<Sheet>()> sheets) {
    return report_file<std::vector<Sheet>>(
        std::move(name), std::move(sheets),
        [](const auto& path, const std::vector<Sheet>& content) { return write_workbook(path, content); });
}

NameFilter kernel_filter(const Options& options) {
    return options.kernel_filter.empty() ? NameFilter() : name_filter(options.kernel_filter).value_or(NameFilter());
}

Result<void> create_output_folder(const Options& options) {
    if (!options.output)
        return {};
    std::error_code error;
    std::filesystem::create_directories(*options.output, error);
    if (!error && !std::filesystem::is_directory(*options.output, error) && !error)
        error = std::make_error_code(std::errc::not_a_directory);
    if (error)
        return failed(Error::Code::output,
                      "cannot create the output folder %1: %2"_text(options.output->string(), error.message()));
    return {};
}

HtmlTimeline timeline_of(const Options& options) {
    HtmlTimeline timeline;
    timeline.shown = options.html_timeline;
    if (const auto& range = options.html_timeline_range)
        timeline.time =
            TimeRange{range->begin.value_or(0), range->end.value_or(std::numeric_limits<TimeNs>::max() / 2)};
    return timeline;
}

Result<void> check_timeline(const Options& options, std::span<const AnalysedRun> runs) {
    const TimeNs begin = options.html_timeline_range ? options.html_timeline_range->begin.value_or(0) : 0;
    for (const AnalysedRun& analysed : runs)
        if (begin > 0 && begin >= analysed.run().span.length())
            return input_error("%1: nothing inside --html-timeline: the run ends after %2 ms"_text(
                analysed.run().path.string(), number_text(as_ms(analysed.run().span.length()))));
    return {};
}

/// runs, gates and json must outlive what is returned.
std::vector<ReportFile> report_files(const Options& options, std::span<const AnalysedRun> runs,
                                     std::span<const GateResult> gates, const std::string& json) {
    std::vector<ReportFile> files;
    const NameFilter filter = kernel_filter(options);
    const auto per_run = [&](const char* name, std::string (*content)(std::span<const AnalysedRun>)) {
        files.push_back(text_file(name, [=] { return content(runs); }));
    };
    if (options.write_csv) {
        per_run("metrics.csv", metrics_csv);
        per_run("ranks.csv", ranks_csv);
        per_run("iterations.csv", iterations_csv);
        per_run("collectives.csv", collectives_csv);
        files.push_back(text_file("kernels.csv", [=] { return kernels_csv(runs, filter); }));
        per_run("breakdown.csv", breakdown_csv);
        per_run("traffic.csv", traffic_csv);
        per_run("findings.csv", findings_csv);
        per_run("critical_path.csv", critical_path_csv);
    }
    if (options.write_csv && has_nsys_tables(runs)) {
        files.push_back(text_file(
            "nsys_trace.csv", [=] { return nsys_trace_csv(runs, filter); }));
        files.push_back(text_file("nsys_sum.csv", [=] { return nsys_sum_csv(runs, filter); }));
    }
    if (options.write_csv && runs.size() > 1) {
        per_run("comparison.csv", comparison_csv);
        per_run("config_diff.csv", config_diff_csv);
        per_run("changes.csv", changes_csv);
        per_run("ops_diff.csv", operator_diff_csv);
        if (has_module_changes(runs))
            per_run("modules_diff.csv", module_diff_csv);
    }
    if (options.write_json)
        files.push_back(text_file("metrics.json", [&json] { return json; }));
    if (options.write_xlsx)
        files.push_back(workbook_file("report.xlsx", [=] { return run_sheets(runs, filter); }));
    if (options.write_xlsx && runs.size() > 1)
        files.push_back(workbook_file("final_analysis_report.xlsx", [=] { return comparison_sheets(runs); }));
    if (options.write_md)
        files.push_back(text_file("summary.md", [=] { return as_markdown(short_report(runs, gates)); }));
    if (options.write_html)
        files.push_back(text_file("report.html", [=, timeline = timeline_of(options)] {
            return html_report(runs, gates, filter, timeline);
        }));
    return files;
}

Result<void> write_files(const Options& options, const std::vector<ReportFile>& files, Interrupt& interrupt) {
    Result<void> all;
    std::size_t count = 0;
    for (const ReportFile& file : files) {
        const auto written = file.write(*options.output / file.name, interrupt);
        if (!written && written.error().code == Error::Code::cancelled)
            return written;
        count += written ? 1 : 0;
        if (!written && all) // one that cannot be written is no reason to be without the others
            all = written;
    }
    if (options.verbose)
        tell("rankscope: {} files written to {}\n", count, terminal_safe(options.output->string()));
    return all;
}

/// What both runs have is compared (RunComparison::part()), by the rules of the table. of_baseline, of_test: of the
/// whole runs.
Result<GateResult> against_baseline(const Gate& gate, const RunComparison& comparison, const MetricReport& of_baseline,
                                    const MetricReport& of_test) {
    const Comparability& common = comparison.comparability();
    if (!common.comparable())
        return not_comparable(gate, common.verdict);
    if (!common.other_iterations.empty() && !gate.metric->stands_for_itself)
        return not_comparable(gate, common.other_iterations);
    const auto judged = [&](const MetricReport& baseline, const MetricReport& test,
                            const std::vector<MetricChange>& changes) {
        auto result = check_gate(gate, test, &baseline);
        const auto change = std::ranges::find(changes, gate.metric->id, [](const auto& c) { return c.metric->id; });
        return result && change != changes.end() ? within_interval(std::move(*result), *change) : result;
    };
    const CommonPart& part = comparison.part();
    if (part.baseline.get() == &comparison.baseline() && part.test.get() == &comparison.test())
        return judged(of_baseline, of_test, changes_of_part(part, common, of_baseline, of_test));
    const std::vector<std::string> ids{gate.metric->id, "step_time"};
    const MetricReport baseline = compute_metrics(*part.baseline, ids);
    const MetricReport test = compute_metrics(*part.test, ids);
    return judged(baseline, test, changes_of_part(part, common, baseline, test));
}

void tell_history(const FittingHistory& history, const std::string& run) {
    for (const std::string& why : history.left_out)
        tell("rankscope: left out of the history of {}: {}\n", terminal_safe(run), terminal_safe(why));
    if (history.reports.size() < kEnoughHistory)
        tell("rankscope: {} runs of the history do what {} does: fewer than {}, so a percentile is little more than "
             "their extreme\n",
             history.reports.size(), terminal_safe(run), kEnoughHistory);
}

/// Of the test runs where there is a baseline, else of the run.
Result<std::vector<GateResult>> check_gates(const Options& options, std::span<const AnalysedRun> runs,
                                            const std::stop_token& stop) {
    std::vector<std::string> ids;
    for (const Gate& gate : options.gates)
        ids.push_back(gate.metric->id);
    if (std::ranges::any_of(options.gates, &Gate::against_baseline))
        ids.emplace_back("step_time"); // a comparison judges by it
    std::vector<MetricReport> reports; // --metrics need not name what the gates ask for
    for (const AnalysedRun& run : runs)
        reports.push_back(ids.empty() ? MetricReport() : compute_metrics(*run.analysis, ids));
    std::vector<HistoryRun> history;
    if (options.history) {
        auto read = read_history(options, ids, stop);
        if (!read)
            return tl::unexpected<Error>(read.error());
        history = std::move(*read);
    }
    std::vector<GateResult> results;
    for (std::size_t i = runs.size() > 1 ? 1 : 0; i < runs.size(); ++i) {
        const FittingHistory fitting = fitting_history(history, *runs[i].analysis);
        if (options.history && !options.quiet)
            tell_history(fitting, runs[i].label);
        for (const Gate& gate : options.gates) {
            auto result = gate.against_baseline
                              ? against_baseline(gate, *runs[i].comparison, reports.front(), reports[i])
                              : check_gate(gate, reports[i], nullptr, fitting.reports);
            if (!result)
                return tl::unexpected<Error>(result.error());
            result->run = runs[i].label;
            results.push_back(std::move(*result));
        }
    }
    return results;
}

/// All of them with --verbose, none with --quiet; else one line for each code, saying how many more there are.
void print_notices(const Options& options, std::span<const AnalysedRun> runs) {
    if (options.quiet)
        return;
    struct Line {
        std::string text;
        std::size_t more = 0;
    };
    std::vector<std::pair<NoticeCode, Line>> lines; // by code, in order of appearance
    for (const AnalysedRun& run : runs)
        for (const Notice& notice : run.notices) {
            const auto known = std::ranges::find(lines, notice.code, [](const auto& line) { return line.first; });
            if (known != lines.end() && !options.verbose) {
                ++known->second.more;
                continue;
            }
            std::string text = notice.file.empty() ? english(notice.message)
                                                   : fmt::format("{}: {}", notice.file, english(notice.message));
            text += notice.count > 1 ? fmt::format(" [{} x{}]", notice.code.word(), notice.count)
                                     : fmt::format(" [{}]", notice.code.word());
            lines.emplace_back(notice.code, Line{terminal_safe(text), 0});
        }
    for (const auto& [code, line] : lines)
        tell("rankscope: notice: {}{}\n", line.text,
             line.more > 0 ? fmt::format(" and {} more like it (--verbose)", line.more) : "");
}

void print_failed_gates(const Options& options, const std::vector<GateResult>& gates) {
    if (options.quiet)
        return;
    for (const GateResult& gate : gates)
        if (!gate.passed)
            tell("rankscope: gate failed: {} on {}: {}\n", gate.gate.expression, terminal_safe(gate.run),
                 gate_words(gate));
}

Result<void> print_one_metric(const Options& options, const AnalysedRun& run) {
    const auto& [metric, result] = run.metrics.entries.front();
    if (!result.available && !options.quiet)
        tell("rankscope: {} is not available: {}\n", metric->id, terminal_safe(english(result.reason)));
    return print_data(metric_value_json(result));
}

/// As wide as the terminal, within what can be read; without one no colour.
TextLayout layout_of_stdout() {
    TextLayout layout;
    if (::isatty(STDOUT_FILENO) != 1)
        return layout;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        layout.columns = std::clamp<std::size_t>(size.ws_col, 60, layout.columns);
    const auto environment = [](const char* name) {
        const char* const value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing sets it
        return std::string_view(value != nullptr ? value : "");
    };
    layout.colour = environment("NO_COLOR").empty() && environment("TERM") != "dumb";
    return layout;
}

std::string text_for_stdout(const Options& options, std::span<const AnalysedRun> runs,
                            std::span<const GateResult> gates, const std::string& json) {
    if (options.json)
        return json;
    if (options.only_markdown() && !options.output)
        return as_markdown(short_report(runs, gates));
    // Who asks for kernels wants their table.
    return options.full || !options.kernel_filter.empty()
               ? report_text(runs, gates, kernel_filter(options))
               : as_text(short_report(runs, gates, {.values = !options.metrics.empty()}), layout_of_stdout());
}

Result<int> report(const Options& options, std::span<const AnalysedRun> runs, Interrupt& interrupt) {
    print_notices(options, runs);
    if (options.action == Options::Action::one_metric)
        return print_one_metric(options, runs.front()).map([] { return 0; });
    const bool hangs = std::ranges::any_of(runs, [](const AnalysedRun& run) { return run.hang() != nullptr; });
    if (options.junit && options.gates.empty() && !hangs)
        return failed(Error::Code::usage, "--junit needs --gate EXPR, or dumps of the Flight Recorder"_text);
    if (const auto checked = check_timeline(options, runs); !checked)
        return tl::unexpected<Error>(checked.error());
    const auto gates = check_gates(options, runs, interrupt.token());
    if (!gates)
        return tl::unexpected<Error>(gates.error());
    std::string json;
    if (options.json || (options.output && options.write_json))
        json = metrics_json(runs, *gates);
    if (interrupt.token().stop_requested())
        return failed(Error::Code::cancelled, "interrupted"_text);
    if (const auto printed = print_data(text_for_stdout(options, runs, *gates, json)); !printed)
        return tl::unexpected<Error>(printed.error());
    if (options.output)
        if (const auto written = write_files(options, report_files(options, runs, *gates, json), interrupt); !written)
            return tl::unexpected<Error>(written.error());
    if (options.junit) {
        const auto lock = interrupt.writing();
        const auto written = write_whole_file(*options.junit, junit_xml(*gates, runs));
        if (interrupt.token().stop_requested())
            return failed(Error::Code::cancelled, "interrupted"_text);
        if (!written)
            return tl::unexpected<Error>(written.error());
    }
    print_failed_gates(options, *gates);
    return std::ranges::all_of(*gates, &GateResult::passed) ? 0 : kExitGateFailed;
}

/// The runs as one trace. What was written is told on stderr: nothing of it is data for stdout.
Result<void> export_trace(const Options& options, std::span<const AnalysedRun> runs, Interrupt& interrupt) {
    TraceExport what;
    what.time = runs.front().analysis->selection().time;
    what.ranks = options.export_ranks;
    if (!options.export_lanes.empty())
        what.lanes = *name_filter(options.export_lanes);
    const auto written = write_chrome_trace(*query_model(runs), what, *options.export_trace, interrupt.token());
    if (!written)
        return tl::unexpected<Error>(written.error());
    if (!options.quiet)
        tell("rankscope: {} slices ({} events, {} steps, {} waits, {} of findings), {} flows and {} counter values "
             "written to "
             "{}\n",
             written->slices(), written->events, written->steps, written->waits, written->findings, written->flows,
             written->samples, terminal_safe(options.export_trace->string()));
    return {};
}

Result<int> run(const Options& options, Interrupt& interrupt) {
    if (options.digest)
        return write_digests(options, interrupt);
    const auto queries = read_queries(options);
    if (!queries)
        return tl::unexpected<Error>(queries.error());
    if (const auto created = create_output_folder(options); !created)
        return tl::unexpected<Error>(created.error());
    if (options.study)
        return print_study(options, interrupt);
    std::optional<DemoRuns> demo;
    std::vector<std::filesystem::path> paths = options.paths;
    if (options.demo) {
        auto generated = DemoRuns::create(interrupt.token());
        if (!generated)
            return tl::unexpected<Error>(generated.error());
        demo.emplace(std::move(*generated));
        paths = demo->paths();
    }
    const auto runs = analyse_runs(options, paths, interrupt.token());
    if (!runs)
        return tl::unexpected<Error>(runs.error());
    if (!options.queries.empty()) {
        print_notices(options, *runs);
        return print_queries(*queries, options.json, *runs, interrupt.token()).map([] { return 0; });
    }
    if (options.export_trace) {
        print_notices(options, *runs);
        return export_trace(options, *runs, interrupt).map([] { return 0; });
    }
    return report(options, *runs, interrupt);
}

} // namespace

int exit_code(Error::Code code) {
    switch (code) {
    case Error::Code::usage: return 2;
    case Error::Code::input: return 3;
    case Error::Code::output: return 4;
    case Error::Code::cancelled: break;
    }
    return kExitInterrupted;
}

void print_error(const Error& error) { tell("rankscope: {}\n", terminal_safe(english(error.message))); }

Result<void> print_data(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        return failed(Error::Code::output, "cannot write to stdout: %1"_text(std::strerror(errno)));
    return {};
}

int run_batch(const Options& options, Interrupt& interrupt) {
    const auto code = run(options, interrupt);
    if (code)
        return *code;
    print_error(code.error());
    return exit_code(code.error().code);
}

} // namespace rankscope
