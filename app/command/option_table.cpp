// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/option_table.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command/options_values.h"
#include "core/analysis/collectives/machines.h"
#include "core/report/name_filter.h"
#include "core/report/trace_export.h"

namespace rankscope {
namespace {

constexpr Commands kAnalysing = commands(Command::report, Command::compare, Command::gate);
constexpr Commands kReading =
    kAnalysing | commands(Command::query, Command::study, Command::export_trace, Command::digest, Command::one_metric);
constexpr Commands kAll = ~0U;

constexpr std::string_view kModes =
    "auto|torch|nsys|nsys-stats|execution-trace|flight-recorder|xplane|rocpd|inspector|operations|memory-snapshot";
constexpr std::string_view kAligns = "auto|none|collectives";
constexpr std::string_view kFormats = "csv,json,xlsx,html,md,sqlite";

std::vector<std::string> words_of(std::string_view list, char separator) {
    std::string text(list);
    std::ranges::replace(text, separator, ',');
    return *parse_list(text);
}

std::string in_words(const std::vector<std::string>& words, std::string_view last) {
    return fmt::format("{} {} {}", fmt::join(words.begin(), words.end() - 1, ", "), last, words.back());
}

/// The place of a word in such a list.
std::optional<std::size_t> place_in(const std::vector<std::string>& words, const std::string& word) {
    const auto found = std::ranges::find(words, word);
    return found == words.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - words.begin()));
}

Problem set_metrics(Options& options, const std::string& value) {
    options.metrics.clear();
    if (value == "all")
        return {};
    const auto ids = parse_list(value);
    if (!ids)
        return "expected all, or names separated by commas";
    for (const std::string& id : *ids)
        if (!find_metric(id, options.rules.metrics))
            return english(unknown_metric_message(id, options.rules.metrics));
    options.metrics = *ids;
    return {};
}

Problem set_format(Options& options, const std::string& value) {
    constexpr std::array kMembers{&Options::write_csv,  &Options::write_json, &Options::write_xlsx,
                                  &Options::write_html, &Options::write_md,   &Options::write_sqlite};
    const auto known = words_of(kFormats, ',');
    const auto formats = parse_list(value);
    if (!formats)
        return fmt::format("expected {}, several separated by commas", in_words(known, "or"));
    for (const auto member : kMembers)
        options.*member = false;
    for (const std::string& format : *formats) {
        const auto place = place_in(known, format);
        if (!place)
            return fmt::format("unknown format \"{}\"; there are {}", format, in_words(known, "and"));
        options.*kMembers.at(*place) = true;
    }
    return {};
}

Problem add_gate(Options& options, const std::string& value) {
    auto gate = parse_gate(value, options.rules.metrics);
    if (!gate)
        return english(gate.error().message);
    options.gates.push_back(std::move(*gate));
    return {};
}

Problem set_time_range(Options& options, const std::string& value) {
    options.time = parse_time_range(value);
    return options.time ? Problem()
                        : "expected BEGIN/END such as 4s420ms/35s390ms, 1.5s/ or /200ms (s, ms, us, ns), or "
                          "@4s420ms/@5s from the start of Nsight Systems' session";
}

Problem set_html_timeline(Options& options, const std::string& value) {
    options.html_timeline = value != "none";
    options.html_timeline_range = parse_time_range(value);
    if (options.html_timeline_range && options.html_timeline_range->from_session)
        return "@ is for --time-range; here times count from the run's first event";
    return options.html_timeline_range || !options.html_timeline
               ? Problem()
               : "expected none, or BEGIN/END such as 1.5s/2s, 1.5s/ or /200ms (s, ms, us, ns)";
}

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

Problem set_ranges(Ranges& target, const std::string& value, std::string_view example) {
    const auto ranges = parse_iterations(value);
    target = ranges.value_or(Ranges());
    return ranges ? Problem() : fmt::format("expected all, or {}", example);
}

Problem set_filter(std::string& target, const std::string& value) {
    const auto filter = name_filter(value);
    target = value;
    return filter ? Problem() : "not a regular expression: " + english(filter.error().message);
}

Problem set_profile_mode(Options& options, const std::string& value) {
    for (const std::string& word : parse_list(value).value_or(std::vector<std::string>{""})) {
        const auto mode = parse_profile_mode(word);
        if (!mode)
            return fmt::format("expected {}; or one for each run, separated by commas",
                               in_words(words_of(kModes, '|'), "or"));
        options.modes.push_back(*mode);
    }
    return {};
}

Problem set_align(Options& options, const std::string& value) {
    const auto known = words_of(kAligns, '|');
    const auto place = place_in(known, value);
    if (!place)
        return fmt::format("expected {}", in_words(known, "or"));
    options.align = static_cast<Align>(*place);
    return {};
}

Problem set_number(int& target, const std::string& value, std::string_view of, int most) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), target);
    const bool fits = error == std::errc() && end == value.data() + value.size() && target >= 1 && target <= most;
    return fits ? Problem() : fmt::format("expected a number of {}, 1 to {}", of, most);
}

Problem set_path(std::optional<std::filesystem::path>& target, const std::string& value) {
    target = value;
    return {};
}

Problem set_rank_by(Options& options, const std::string& value) {
    options.study_rank_by = value;
    return find_metric(value, options.rules.metrics) ? Problem()
                                                     : english(unknown_metric_message(value, options.rules.metrics));
}

Problem set_pareto(Options& options, const std::string& value) {
    const auto ids = parse_list(value);
    if (!ids || ids->size() != 2)
        return "expected two metrics, as in step_time,memory";
    for (const std::string& id : *ids)
        if (const MetricPointer metric = find_metric(id, options.rules.metrics); !metric)
            return english(unknown_metric_message(id, options.rules.metrics));
        else if (metric->better == Better::none)
            return fmt::format("more of {} is neither better nor worse", id);
    options.study_pareto = *ids;
    return {};
}

Problem set_export_trace(Options& options, const std::string& value) {
    options.export_trace = value;
    return is_trace_file_name(value) ? Problem() : "the name ends in .json, .json.gz, .pftrace or .pftrace.gz";
}

Problem add_change(Options& options, const std::string& value) {
    auto change = parse_change(value);
    if (!change)
        return "--" + english(change.error().message);
    options.what_if.push_back(std::move(*change));
    return {};
}

Problem set_memory(Options& options, const std::string& value) {
    const auto bytes = parse_size(value);
    options.memory_bytes = bytes.value_or(0);
    return bytes ? Problem() : "expected a size such as 8G or 512M, 16M or more";
}

OptionRule flag(std::string_view name, std::string_view group, Commands with, bool Options::*member, bool set_to,
                std::string_view help) {
    return {name,
            {},
            group,
            with,
            [member, set_to](Options& options, const std::string&) {
                options.*member = set_to;
                return Problem();
            },
            help};
}

/// An option that asks for a command, and sets nothing else.
OptionRule asking(std::string_view name, Command command, Commands with, std::string_view help) {
    return {name, {}, "Without a command", with | commands(command), {}, help, false, command};
}

constexpr std::string_view kPart = "Which runs, and which part of them";
constexpr std::string_view kResult = "What is printed and written";
constexpr std::string_view kGates = "Gates";
constexpr std::string_view kOwn = "Of one command";
constexpr std::string_view kProgram = "The program";

std::vector<OptionRule> of_one_command() {
    using enum Command;
    return {
        {"--sql", "QUERY", kOwn, commands(query),
         [](Options& o, const std::string& v) {
             o.queries.push_back({v, {}});
             return Problem();
         },
         "run SQL over the runs instead of analysing; CSV, or JSON with --json, on stdout", true, query},
        {"--sql-file", "FILE", kOwn, commands(query),
         [](Options& o, const std::string& v) {
             o.queries.push_back({});
             return set_path(o.queries.back().file, v);
         },
         "the same with the queries of a file", true, query},
        {"--by", "KEY", kOwn, commands(study),
         [](Options& o, const std::string& v) {
             o.study_by = v;
             return Problem();
         },
         "what a study is ordered by: date, world_size, name or a setting; default date"},
        {"--rank-by", "METRIC", kOwn, commands(study), set_rank_by, "order a study by a metric, the best first"},
        {"--pareto", "A,B", kOwn, commands(study), set_pareto,
         "two metrics for the plot in a study's page; default latency and throughput, or step_time and memory"},
        flag("--reports", kOwn, commands(study), &Options::study_reports, true,
             "with --output: each run's own report too, linked from the study's page"),
        {"--export-trace", "FILE", kOwn, commands(export_trace), set_export_trace,
         "write all ranks as one trace for Perfetto: FILE.pftrace, or FILE.json or FILE.json.gz", false, export_trace,
         "--output"},
        {"--export-ranks",
         "0-3,7",
         kOwn,
         commands(export_trace),
         [](Options& o, const std::string& v) { return set_ranges(o.export_ranks, v, "ranks such as 0-3,7"); },
         "only these ranks in the trace",
         false,
         {},
         "--ranks"},
        {"--export-lanes",
         "REGEX",
         kOwn,
         commands(export_trace),
         [](Options& o, const std::string& v) { return set_filter(o.export_lanes, v); },
         "only lanes with such names in the trace",
         false,
         {},
         "--lanes"},
        {"--digest", "DIR", kOwn, commands(digest),
         [](Options& o, const std::string& v) { return set_path(o.digest, v); },
         "write one small digest per rank into DIR instead of analysing", false, digest, "--output"},
    };
}

std::vector<OptionRule> all_rules() {
    using enum Command;
    std::vector<OptionRule> rules{
        asking("--batch", report, kReading & ~commands(one_metric), "as report: analyse without a window"),
        asking("--study", study, 0, "as study"),
        asking("--serve-stdio", serve, 0, "as serve"),
        asking("--serve-remote", serve_remote, 0, "answer a rankscope on another machine, which starts this over ssh"),
        asking("--list-metrics", list_metrics, 0, "what can be measured"),
        asking("--list-tables", list_tables, 0, "what SQL can read: tables, columns, units"),
        {"--trace", "DIR", "Without a command", commands(one_metric),
         [](Options& o, const std::string& v) {
             o.paths.emplace_back(v);
             return Problem();
         },
         "with --metric: the run to analyse", false, one_metric},
        {"--metric", "NAME", "Without a command", commands(one_metric),
         [](Options& o, const std::string& v) { return v == "all" ? Problem("expected one name") : set_metrics(o, v); },
         "with --trace: print the value of one metric as JSON", false, one_metric},
        flag("--demo", kPart, kAnalysing | commands(window, query, export_trace), &Options::demo, true,
             "two generated runs instead of files"),
        {"--profile-mode", kModes, kPart, kReading, set_profile_mode, "what is read of a folder with several sources"},
        {"--time-range", "A/B", kPart, (kReading | commands(window)) & ~commands(digest), set_time_range,
         "only events inside: 4s420ms/35s390ms, 1.5s/, /200ms; @4s420ms/@5s as nsys --filter-time"},
        {"--iterations", "4-6,9", kPart, (kReading | commands(window)) & ~commands(digest, export_trace),
         [](Options& o, const std::string& v) { return set_ranges(o.iterations, v, "step numbers such as 4-6,9"); },
         "only these profiler steps"},
        {"--align", kAligns, kPart, kReading & ~commands(digest), set_align, "align the ranks' clocks; default auto"},
        {"--gpus-per-machine", "N", kPart, kReading & ~commands(digest),
         [](Options& o, const std::string& v) {
             return set_number(o.gpus_per_machine, v, "GPUs", kMostGpusPerMachine);
         },
         "how many ranks in a row share a machine, where the recording does not tell"},
        {"--metrics-file", "FILE", kPart, kAll & ~commands(serve_remote),
         [](Options&, const std::string&) { return Problem(); }, "the user's own metrics, read before all else", true},
        {"--metrics", "all|a,b", kResult, kAnalysing | commands(study), set_metrics, "which metrics; default all"},
        flag("--json", kResult, kAnalysing | commands(query, study, one_metric, list_metrics, list_tables),
             &Options::json, true, "the JSON document instead of text"),
        flag("--full", kResult, commands(report, compare), &Options::full, true,
             "all metrics, ranks and kernels instead of the answer in 40 lines"),
        {"--output", "DIR", kResult, kAnalysing | commands(study),
         [](Options& o, const std::string& v) { return set_path(o.output, v); }, "write files into DIR"},
        {"--format", kFormats, kResult, kAnalysing | commands(study), set_format,
         "which files; default all but sqlite; md without --output: Markdown on stdout"},
        {"--html-timeline", "A/B|none", kResult, commands(report, compare), set_html_timeline,
         "the time that the timeline in report.html shows; default whole steps"},
        {"--kernel-filter", "REGEX", kResult, commands(report, compare),
         [](Options& o, const std::string& v) { return set_filter(o.kernel_filter, v); },
         "only these names in the kernel tables"},
        {"--what-if", "CHANGE", kResult, commands(report, compare), add_change,
         "predict a step: straggler=median, comm.tp=2x, overlap=perfect, host=0, kernel:REGEX=2x, microbatches=16",
         true},
        {"--gate", "EXPR", kGates, kAnalysing, add_gate,
         "exit 1 unless it holds: step_time.avg_ms<=120, step_time<+3%, step_time<p95(history)+2%", true},
        {"--history", "DIR", kGates, kAnalysing,
         [](Options& o, const std::string& v) { return set_path(o.history, v); },
         "earlier runs or digests, for --gate 'step_time<p95(history)+2%'"},
        {"--junit", "FILE", kGates, kAnalysing, [](Options& o, const std::string& v) { return set_path(o.junit, v); },
         "write the gates as JUnit XML"},
    };
    std::ranges::move(of_one_command(), std::back_inserter(rules));
    const std::vector<OptionRule> program{
        {"--memory", "SIZE", kProgram, kReading | commands(window, serve), set_memory,
         "how much memory the program may take; default 90 % of the machine's"},
        flag("--no-cache", kProgram, kReading | commands(window, serve), &Options::use_cache, false,
             "read the traces themselves, and keep no copy to open them faster again"),
        {"--jobs", "N", kProgram, kReading | commands(window, serve, serve_remote),
         [](Options& o, const std::string& v) { return set_number(o.jobs, v, "threads", 4096); },
         "worker threads; default all cores"},
        flag("--install-remote", kProgram, kReading | commands(window), &Options::install_remote, true,
             "copy this program to the machine of an ssh:// path where it lacks it"),
        flag("--quiet", kProgram, kAll & ~commands(serve_remote), &Options::quiet, true,
             "no progress and no notices on stderr"),
        flag("--verbose", kProgram, kAll & ~commands(serve, serve_remote), &Options::verbose, true,
             "all notices on stderr"),
        flag("--timing", kProgram, kAnalysing | commands(query, export_trace), &Options::timing, true,
             "how long reading, aligning, analysing and writing took, on stderr"),
        {"--version", {}, kProgram, kAll, {}, "print the version", false, version},
        {"--help", {}, kProgram, kAll, {}, "print this", false, help}};
    std::ranges::copy(program, std::back_inserter(rules));
    return rules;
}

} // namespace

const std::vector<OptionRule>& option_rules() {
    static const std::vector<OptionRule> rules = all_rules();
    return rules;
}

} // namespace rankscope
