// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the command line. One table says which options there are, what they take, and where they make sense.
#include "app/command/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "app/command/options_values.h"
#include "core/analysis/collectives/machines.h"
#include "core/remote/remote_path.h"
#include "core/report/name_filter.h"
#include "core/report/trace_export.h"

namespace rankscope {
namespace {

using Problem = std::optional<std::string>; ///< why a value does not do; nothing when it does

tl::unexpected<Error> usage_error(std::string message) {
    return tl::unexpected<Error>(Error{Error::Code::usage, std::move(message)});
}

Problem set_metrics(Options& options, const std::string& value) {
    if (value == "all") {
        options.metrics.clear();
        return {};
    }
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
    const std::array<std::pair<std::string_view, bool Options::*>, 6> known{{{"csv", &Options::write_csv},
                                                                             {"json", &Options::write_json},
                                                                             {"xlsx", &Options::write_xlsx},
                                                                             {"html", &Options::write_html},
                                                                             {"md", &Options::write_md},
                                                                             {"sqlite", &Options::write_sqlite}}};
    const auto formats = parse_list(value);
    if (!formats)
        return "expected csv, json, xlsx, html, md or sqlite, several separated by commas";
    for (const auto& [name, member] : known)
        options.*member = false;
    for (const std::string& format : *formats) {
        const auto found = std::ranges::find(known, format, [](const auto& entry) { return entry.first; });
        if (found == known.end())
            return fmt::format("unknown format \"{}\"; there are csv, json, xlsx, html, md and sqlite", format);
        options.*(found->second) = true;
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

Problem set_iterations(Options& options, const std::string& value) {
    const auto ranges = parse_iterations(value);
    if (!ranges)
        return "expected all, or step numbers such as 4-6,9";
    options.iterations = *ranges;
    return {};
}

Problem set_kernel_filter(Options& options, const std::string& value) {
    const auto filter = name_filter(value);
    if (value.empty() || !filter)
        return fmt::format("not a regular expression: {}",
                           value.empty() ? "it is empty" : english(filter.error().message));
    options.kernel_filter = value;
    return {};
}

Problem set_profile_mode(Options& options, const std::string& value) {
    const auto words = parse_list(value);
    for (const std::string& word : words.value_or(std::vector<std::string>{""})) {
        const auto mode = parse_profile_mode(word);
        if (!mode)
            return "expected auto, torch, nsys, nsys-stats, execution-trace, flight-recorder, xplane, rocpd, "
                   "inspector, operations or memory-snapshot; or one for each run, separated by commas";
        options.modes.push_back(*mode);
    }
    return {};
}

Problem set_align(Options& options, const std::string& value) {
    if (value != "auto" && value != "none" && value != "collectives")
        return "expected auto, none or collectives";
    options.align = value == "auto" ? Align::automatic : value == "none" ? Align::none : Align::collectives;
    return {};
}

Problem set_gpus_per_machine(Options& options, const std::string& value) {
    int& gpus = options.gpus_per_machine;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), gpus);
    const bool fits =
        error == std::errc() && end == value.data() + value.size() && gpus >= 1 && gpus <= kMostGpusPerMachine;
    return fits ? Problem() : "expected a number of GPUs, 1 to " + std::to_string(kMostGpusPerMachine);
}

Problem set_jobs(Options& options, const std::string& value) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.jobs);
    const bool fits = error == std::errc() && end == value.data() + value.size() && options.jobs >= 1;
    return fits && options.jobs <= 4096 ? Problem() : "expected a number of threads, 1 to 4096";
}

Problem set_path(std::optional<std::filesystem::path>& target, const std::string& value, std::string_view what) {
    if (value.empty())
        return fmt::format("expected a {}", what);
    target = value;
    return {};
}

enum class Where {
    anywhere,
    runs, ///< where runs are opened, in a window or not
    batch ///< where they are analysed without a window
};

struct OptionRule {
    std::string_view name;
    std::string_view value; ///< what --help calls its value; empty: it takes none
    Where where = Where::anywhere;
    bool repeatable = false;
    std::function<Problem(Options&, const std::string&)> apply;
    std::string_view help;
};

OptionRule flag(std::string_view name, Where where, bool Options::*member, std::string_view help) {
    return {name,
            {},
            where,
            false,
            [member](Options& options, const std::string&) {
                options.*member = true;
                return Problem();
            },
            help};
}

OptionRule action(std::string_view name, Options::Action which, std::string_view help) {
    return {name,
            {},
            Where::anywhere,
            false,
            [which](Options& options, const std::string&) {
                options.action = which;
                return Problem();
            },
            help};
}

const std::vector<OptionRule>& rules() {
    using enum Where;
    static const std::vector<OptionRule> table{
        action("--batch", Options::Action::batch,
               "analyse without a window: the answer in 40 lines, or JSON, on stdout"),
        flag("--demo", runs, &Options::demo, "two generated runs instead of files"),
        action("--list-metrics", Options::Action::list_metrics, "what can be measured"),
        action("--list-tables", Options::Action::list_tables, "what --sql can read: tables, columns, units"),
        action("--serve-stdio", Options::Action::serve_stdio,
               "answer other programs and assistants on stdin and stdout (Model Context Protocol)"),
        action("--serve-remote", Options::Action::serve_remote,
               "answer a rankscope on another machine, which starts this over ssh"),
        {"--sql", "QUERY", anywhere, true,
         [](Options& o, const std::string& v) {
             o.queries.push_back({v, {}});
             return Problem();
         },
         "run SQL over the runs instead of analysing; CSV, or JSON with --json, on stdout"},
        {"--sql-file", "FILE", anywhere, true,
         [](Options& o, const std::string& v) {
             o.queries.push_back({});
             return set_path(o.queries.back().file, v, "file");
         },
         "the same with the queries of a file"},
        {"--trace", "DIR", anywhere, false,
         [](Options& o, const std::string& v) {
             o.paths.emplace_back(v);
             return Problem();
         },
         "with --metric: the run to analyse"},
        {"--metric", "NAME", anywhere, false,
         [](Options& o, const std::string& v) {
             o.action = Options::Action::one_metric;
             return v == "all" ? Problem("expected one name") : set_metrics(o, v);
         },
         "with --trace: print the value of one metric as JSON"},
        {"--metrics", "all|a,b", batch, false, set_metrics, "which metrics; default all"},
        flag("--json", anywhere, &Options::json, "the JSON document instead of the report"),
        flag("--full", batch, &Options::full, "all metrics, ranks and kernels instead of the report of 40 lines"),
        {"--output", "DIR", batch, false,
         [](Options& o, const std::string& v) { return set_path(o.output, v, "folder"); },
         "write the report's files into DIR"},
        {"--format", "csv,json,xlsx,html,md,sqlite", batch, false, set_format,
         "which files; default all but sqlite; md without --output: Markdown on stdout"},
        {"--html-timeline", "A/B|none", batch, false,
         [](Options& o, const std::string& v) {
             o.html_timeline = v != "none";
             o.html_timeline_range = parse_time_range(v);
             if (o.html_timeline_range && o.html_timeline_range->from_session)
                 return Problem("@ is for --time-range; here times count from the run's first event");
             return o.html_timeline_range || !o.html_timeline
                        ? Problem()
                        : Problem("expected none, or BEGIN/END such as 1.5s/2s, 1.5s/ or /200ms (s, ms, us, ns)");
         },
         "the time that the timeline in report.html shows; default whole steps"},
        {"--gate", "EXPR", batch, true, add_gate,
         "exit 1 unless it holds: iter_time.avg_ms<=120, iter_time<+3%, iter_time<p95(history)+2%"},
        {"--junit", "FILE", batch, false, [](Options& o, const std::string& v) { return set_path(o.junit, v, "file"); },
         "write the gates as JUnit XML"},
        {"--profile-mode",
         "auto|torch|nsys|nsys-stats|execution-trace|flight-recorder|xplane|rocpd|inspector|operations|memory-snapshot",
         batch, false, set_profile_mode, "what is read of a folder with several sources"},
        {"--time-range", "A/B", runs, false, set_time_range,
         "only events inside: 4s420ms/35s390ms, 1.5s/, /200ms; @4s420ms/@5s as nsys --filter-time"},
        {"--iterations", "4-6,9", runs, false, set_iterations, "only these profiler steps"},
        {"--kernel-filter", "REGEX", batch, false, set_kernel_filter, "only these names in the kernel tables"},
        {"--align", "auto|none|collectives", batch, false, set_align, "align the ranks' clocks; default auto"},
        {"--gpus-per-machine", "N", batch, false, set_gpus_per_machine,
         "how many ranks in a row share a machine, where the recording does not tell"},
        {"--what-if", "CHANGE", batch, true,
         [](Options& o, const std::string& v) {
             auto change = parse_change(v);
             if (!change)
                 return Problem("--" + english(change.error().message));
             o.what_if.push_back(std::move(*change));
             return Problem();
         },
         "predict a step: straggler=median, comm.tp=2x, overlap=perfect, host=0, kernel:REGEX=2x, microbatches=16"},
        {"--metrics-file", "FILE", anywhere, true, [](Options&, const std::string&) { return Problem(); },
         "the user's own metrics, read before all else"},
        {"--digest", "DIR", batch, false,
         [](Options& o, const std::string& v) { return set_path(o.digest, v, "folder"); },
         "write one small digest per rank into DIR instead of analysing"},
        flag("--study", anywhere, &Options::study, "any number of runs, or a folder of them, as one series"),
        {"--by", "KEY", anywhere, false,
         [](Options& o, const std::string& v) {
             o.study_by = v;
             return v.empty() ? Problem("expected date, world_size, name or a setting") : Problem();
         },
         "with --study: what the runs are ordered by; date, world_size, name or a setting; default date"},
        {"--rank-by", "METRIC", anywhere, false,
         [](Options& o, const std::string& v) {
             o.study_rank_by = v;
             return find_metric(v, o.rules.metrics) ? Problem() : english(unknown_metric_message(v, o.rules.metrics));
         },
         "with --study: order the runs by a metric, the best first"},
        {"--history", "DIR", batch, false,
         [](Options& o, const std::string& v) { return set_path(o.history, v, "folder"); },
         "a folder of earlier runs or digests, for --gate 'iter_time<p95(history)+2%'"},
        {"--export-trace", "FILE", anywhere, false,
         [](Options& o, const std::string& v) { return set_path(o.export_trace, v, "file"); },
         "write all ranks as one trace for Perfetto: FILE.pftrace, or FILE.json or FILE.json.gz"},
        {"--export-ranks", "0-3,7", anywhere, false,
         [](Options& o, const std::string& v) {
             const auto ranges = parse_iterations(v);
             o.export_ranks = ranges.value_or(o.export_ranks);
             return ranges ? Problem() : Problem("expected all, or ranks such as 0-3,7");
         },
         "only these ranks in --export-trace"},
        {"--export-lanes", "REGEX", anywhere, false,
         [](Options& o, const std::string& v) {
             const auto filter = name_filter(v);
             o.export_lanes = v;
             return v.empty() ? Problem("not a regular expression: it is empty")
                    : filter  ? Problem()
                              : Problem("not a regular expression: " + english(filter.error().message));
         },
         "only lanes with such names in --export-trace"},
        {"--memory", "SIZE", runs, false,
         [](Options& o, const std::string& v) {
             const auto bytes = parse_size(v);
             o.memory_bytes = bytes.value_or(0);
             return bytes ? Problem() : Problem("expected a size such as 8G or 512M, 16M or more");
         },
         "how much memory the program may take; default 90 % of the machine's"},
        {"--no-cache",
         {},
         runs,
         false,
         [](Options& o, const std::string&) {
             o.use_cache = false;
             return Problem();
         },
         "read the traces themselves, and keep no copy to open them faster again"},
        flag("--install-remote", runs, &Options::install_remote,
             "copy this program to the machine of an ssh:// path where it lacks it"),
        {"--jobs", "N", runs, false, set_jobs, "worker threads; default all cores"},
        flag("--quiet", anywhere, &Options::quiet, "no progress and no notices on stderr"),
        flag("--verbose", anywhere, &Options::verbose, "all notices on stderr"),
        action("--version", Options::Action::version, "print the version"),
        action("--help", Options::Action::help, "print this")};
    return table;
}

const OptionRule* find_rule(std::string_view name) {
    const auto found = std::ranges::find(rules(), name == "-h" ? "--help" : name, &OptionRule::name);
    return found == rules().end() ? nullptr : &*found;
}

/// Which options were given, by name.
using Given = std::set<std::string_view>;

bool excludes(const Given& given, std::string_view a, std::string_view b) {
    return given.contains(a) && given.contains(b);
}

/// What no single option can see.
Problem check_together(const Options& options, const Given& given) {
    using Action = Options::Action;
    const bool analyses = options.action == Action::batch || options.action == Action::one_metric;
    for (const std::string_view name : given) {
        if (find_rule(name)->where == Where::batch && !analyses)
            return fmt::format("{} needs --batch", name);
        if (find_rule(name)->where == Where::runs &&
            (options.action == Action::list_metrics || options.action == Action::list_tables))
            return fmt::format("{} does not go with {}", name,
                               options.action == Action::list_metrics ? "--list-metrics" : "--list-tables");
    }
    if (!options.queries.empty()) {
        for (const std::string_view other :
             {"--output", "--format", "--gate", "--junit", "--metrics", "--what-if", "--kernel-filter", "--digest",
              "--metric", "--list-metrics", "--list-tables"})
            if (given.contains(other))
                return fmt::format("--sql prints only the result of the query: no {}", other);
        if (options.paths.empty() && !options.demo)
            return "--sql needs a run: rankscope --batch RUN --sql QUERY";
    }
    if (options.study) {
        for (const std::string_view other :
             {"--sql", "--sql-file", "--export-trace", "--gate", "--junit", "--what-if", "--kernel-filter", "--digest",
              "--metric", "--list-metrics", "--list-tables", "--demo"})
            if (given.contains(other))
                return fmt::format("--study does not go with {}", other);
        if (options.paths.empty())
            return "--study needs runs: rankscope --study RUN..., or a folder of runs";
    } else if (given.contains("--by") || given.contains("--rank-by")) {
        return given.contains("--by") ? "--by needs --study" : "--rank-by needs --study";
    }
    const bool from_history =
        std::ranges::any_of(options.gates, [](const Gate& gate) { return gate.of_history.has_value(); });
    if (from_history != options.history.has_value())
        return from_history ? "a gate against (history) needs --history DIR"
                            : "--history needs a gate such as iter_time<p95(history)+2%";
    if (options.export_trace) {
        if (!is_trace_file_name(options.export_trace->string()))
            return "--export-trace FILE: the name ends in .json, .json.gz, .pftrace or .pftrace.gz";
        for (const std::string_view other :
             {"--sql", "--sql-file", "--output", "--format", "--json", "--gate", "--junit", "--metrics", "--what-if",
              "--kernel-filter", "--digest", "--metric", "--iterations", "--list-metrics", "--list-tables"})
            if (given.contains(other))
                return fmt::format("--export-trace writes only the trace: no {}", other);
        if (options.paths.empty() && !options.demo)
            return "--export-trace needs a run: rankscope --batch RUN --export-trace FILE";
    } else if (given.contains("--export-ranks") || given.contains("--export-lanes")) {
        return "--export-ranks and --export-lanes need --export-trace FILE";
    }
    if (excludes(given, "--quiet", "--verbose"))
        return "--quiet and --verbose exclude each other";
    if (excludes(given, "--json", "--full"))
        return "--json and --full exclude each other: the document has everything";
    if (given.contains("--trace") != given.contains("--metric"))
        return "--trace DIR and --metric NAME belong together";
    if (given.contains("--metric")) {
        if (options.metrics.size() != 1 || options.paths.size() != 1 || options.demo || given.contains("--batch"))
            return "--trace DIR --metric NAME takes one run and one metric, and not --batch";
        if (given.contains("--output") || given.contains("--gate") || given.contains("--metrics"))
            return "--output, --gate and --metrics need --batch";
    }
    if (given.contains("--serve-stdio")) {
        for (const std::string_view other : given)
            if (other != "--serve-stdio" && other != "--jobs" && other != "--memory" && other != "--no-cache" &&
                other != "--metrics-file" && other != "--quiet")
                return fmt::format("--serve-stdio does not go with {}", other);
        if (!options.paths.empty())
            return "--serve-stdio takes no PATH: the other program opens runs";
    }
    if (given.contains("--serve-remote")) {
        for (const std::string_view other : given)
            if (other != "--serve-remote" && other != "--jobs")
                return fmt::format("--serve-remote does not go with {}", other);
        if (!options.paths.empty())
            return "--serve-remote takes no PATH: the other rankscope names it";
    }
    if (options.json && (options.action == Action::window))
        return "--json needs --batch, --list-metrics or --list-tables";
    if (options.demo && !options.paths.empty())
        return "--demo takes no PATH";
    if (options.action == Action::batch && options.paths.empty() && !options.demo)
        return "--batch needs a run: rankscope --batch RUN, or rankscope --batch --demo";
    if ((options.action == Action::list_metrics || options.action == Action::list_tables) && !options.paths.empty())
        return options.action == Action::list_metrics ? "--list-metrics takes no PATH" : "--list-tables takes no PATH";
    if (options.modes.size() > 1 && options.modes.size() != options.paths.size())
        return "--profile-mode takes one word for all runs, or one for each";
    if (options.digest && (options.action != Action::batch || options.paths.size() != 1 || options.output ||
                           options.json || !options.gates.empty()))
        return "--digest takes one run and writes only digests: no --output, --json or --gate";
    if (given.contains("--html-timeline") && (!options.output || !options.write_html || options.study))
        return "--html-timeline needs --batch RUN --output DIR with the format html";
    if (options.write_sqlite && options.study)
        return "--study writes no sqlite: its formats are csv, json, xlsx and html";
    if (given.contains("--format") && !options.output && (!options.only_markdown() || options.study || options.json))
        return "--format needs --output DIR; md alone may go to stdout";
    for (const Gate& gate : options.gates)
        if (gate.against_baseline && options.paths.size() < 2 && !options.demo)
            return fmt::format("--gate {}: a percentage is held against a baseline: give BASELINE and TEST",
                               gate.expression);
    return {};
}

} // namespace

Result<Options> parse_options(std::span<const std::string> arguments, MetricList metrics) {
    Options options;
    options.rules.metrics = std::move(metrics);
    Given given;
    bool only_paths = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (only_paths || argument == "-" || !argument.starts_with('-')) {
            if (argument.empty())
                return usage_error("an empty PATH");
            options.paths.emplace_back(argument);
            continue;
        }
        if (argument == "--") {
            only_paths = true;
            continue;
        }
        const std::size_t equals = argument.find('=');
        const std::string_view name = std::string_view(argument).substr(0, equals);
        const OptionRule* rule = find_rule(name);
        if (rule == nullptr)
            return usage_error(fmt::format("unknown option {}; see rankscope --help", name));
        if (!given.insert(rule->name).second && !rule->repeatable && !rule->value.empty())
            return usage_error(fmt::format("{} given twice", rule->name));
        std::string value;
        if (equals != std::string::npos) {
            if (rule->value.empty())
                return usage_error(fmt::format("{} takes no value", rule->name));
            value = argument.substr(equals + 1);
        } else if (!rule->value.empty()) {
            if (i + 1 >= arguments.size() || arguments[i + 1].starts_with("--"))
                return usage_error(fmt::format("{} needs a value: {} {}", rule->name, rule->name, rule->value));
            value = arguments[++i];
        }
        if (const Problem problem = rule->apply(options, value))
            return usage_error(problem->starts_with("--")
                                   ? *problem
                                   : fmt::format("{}{}{}: {}", rule->name, value.empty() ? "" : " ", value, *problem));
    }
    for (const auto& path : options.paths)
        if (is_remote(path))
            if (const auto remote = parse_remote_path(path.string()); !remote)
                return tl::unexpected<Error>(remote.error());
    if (options.action == Options::Action::help || options.action == Options::Action::version)
        return options;
    if (options.action == Options::Action::window &&
        (!options.queries.empty() || options.export_trace || options.study))
        options.action = Options::Action::batch; // neither needs a window
    if (const Problem problem = check_together(options, given))
        return usage_error(*problem);
    return options;
}

std::vector<OptionHelp> option_help() {
    std::vector<OptionHelp> options;
    for (const OptionRule& rule : rules())
        if (!rule.help.empty())
            options.push_back({rule.name, rule.value, rule.help, rule.repeatable});
    return options;
}

constexpr std::size_t kHelpColumn = 31; ///< of what an option does

std::string help_text() {
    std::string text =
        "rankscope: where the time of a multi-rank GPU job goes\n\n"
        "  rankscope [PATH...]                  window: one path opens the run, two a baseline and a test\n"
        "  rankscope --batch RUN                the answer in 40 lines; no display needed\n"
        "  rankscope --batch BASELINE TEST...   every run, and each against the first\n"
        "  rankscope --batch RUN --sql QUERY    SQL over the events and what was measured\n"
        "  rankscope --trace DIR --metric NAME  one value as JSON\n"
        "  rankscope --serve-stdio              answers other programs\n\n"
        "A PATH is a folder of traces or one trace file; on another machine, ssh://[user@]host[:port]/path.\n\n";
    for (const OptionHelp& option : option_help()) {
        std::string name = fmt::format("{}{}{}", option.name, option.value.empty() ? "" : " ", option.value);
        if (name.size() >= kHelpColumn)
            name += "\n  " + std::string(kHelpColumn, ' ');
        text += fmt::format("  {:<{}}{}\n", name, kHelpColumn, option.help);
    }
    return text + "\nExit code: 0 fine, 1 a gate failed, 2 usage, 3 input unreadable or nothing in it to analyse,\n"
                  "4 output could not be written, 130 interrupted.\n";
}

} // namespace rankscope
