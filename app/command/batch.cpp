// SPDX-License-Identifier: GPL-3.0-or-later
// The program without a window: reads runs, analyses them, writes the report.
#include "app/command/batch.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/command/batch_input.h"
#include "app/command/demo_runs.h"
#include "app/command/digest_command.h"
#include "app/command/gate_check.h"
#include "app/command/process.h"
#include "app/command/query_command.h"
#include "app/command/report_files.h"
#include "app/command/study_command.h"
#include "app/command/table.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/report/json_report.h"
#include "core/report/junit.h"
#include "core/report/name_filter.h"
#include "core/report/short_report.h"
#include "core/report/trace_export.h"

namespace rankscope {
namespace {

tl::unexpected<Error> failed(Error::Code code, Message message) {
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

Result<void> check_timeline(const Options& options, std::span<const AnalysedRun> runs) {
    const TimeNs begin = options.html_timeline_range ? options.html_timeline_range->begin.value_or(0) : 0;
    for (const AnalysedRun& analysed : runs)
        if (begin > 0 && begin >= analysed.run().span.length())
            return input_error("%1: nothing inside --html-timeline: the run ends after %2 ms"_text(
                analysed.run().path.string(), number_text(as_ms(analysed.run().span.length()))));
    return {};
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
    if (options.quiet || (options.only_gates && !options.json)) // stdout says it
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
    ShortReport answer = short_report(runs, gates, {.values = !options.metrics.empty()});
    if (options.only_gates) {
        answer.runs.clear();
        answer.comparisons.clear();
        answer.side_by_side.clear();
    }
    if (options.only_markdown() && !options.output)
        return as_markdown(answer);
    // Who asks for kernels wants their table.
    if (options.full || !options.kernel_filter.empty())
        return report_text(runs, gates, kernel_filter(options));
    TextLayout layout = layout_of_stdout();
    layout.all_gates = options.only_gates; // nothing else is asked for
    return as_text(answer, layout);
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
        if (const auto written =
                write_report(options, runs, *gates, json, {interrupt.token(), [&] { return interrupt.writing(); }});
            !written)
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
    const auto written = write_trace(*query_model(runs), what, *options.export_trace, interrupt.token());
    if (!written)
        return tl::unexpected<Error>(written.error());
    if (!options.quiet)
        tell("rankscope: {} slices ({} events, {} steps, {} waits, {} of findings, {} of the critical path), {} flows "
             "and {} "
             "counter values written to {}\n",
             written->slices(), written->events, written->steps, written->waits, written->findings, written->path,
             written->flows, written->samples, terminal_safe(options.export_trace->string()));
    return {};
}

Result<int> run(const Options& options, Interrupt& interrupt, Timing& timing) {
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
    const auto runs = analyse_runs(options, paths, interrupt.token(), timing);
    if (!runs)
        return tl::unexpected<Error>(runs.error());
    timing.enter(Timing::Stage::writing);
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
    Timing timing;
    const auto code = run(options, interrupt, timing);
    if (options.timing && code)
        tell("rankscope: {}\n", timing.words());
    if (code)
        return *code;
    print_error(code.error());
    return exit_code(code.error().code);
}

} // namespace rankscope
