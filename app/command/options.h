// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of docs/cli.md as values.
#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/whatif/what_if.h"
#include "core/base/time.h"
#include "core/compare/gate.h"
#include "core/input/find/run_folder.h"

namespace rankscope {

struct Options {
    enum class Action {
        window,
        batch,
        list_metrics,
        list_tables,
        serve_stdio,
        serve_remote,
        one_metric,
        version,
        help
    };

    Action action = Action::window;
    std::vector<std::filesystem::path> paths; ///< runs, in the order given; one_metric: the run
    bool demo = false;
    std::vector<ProfileMode> modes; ///< empty: automatic; one: for all paths; else one for each

    std::vector<std::string> metrics; ///< empty: all; one_metric: its one id
    bool json = false;
    std::optional<std::filesystem::path> output;
    bool write_csv = true;
    bool write_json = true;
    bool write_xlsx = true;
    bool write_html = true;
    bool write_md = true;
    bool write_sqlite = false; ///< every event of the runs: only where it is asked for
    bool full = false;         ///< all metrics, ranks and kernels as tables, and not the short report
    std::vector<Gate> gates;
    std::optional<std::filesystem::path> junit;

    /// An open end is empty.
    struct Time {
        std::optional<TimeNs> begin;
        std::optional<TimeNs> end;
        bool from_session = false; ///< relative to the start of Nsight Systems' session; else to the run's first event
    };
    std::optional<Time> time;
    std::vector<std::pair<std::int64_t, std::int64_t>> iterations; ///< inclusive; empty: all
    bool html_timeline = true;                                     ///< report.html has one
    std::optional<Time> html_timeline_range;                       ///< empty: whole steps, as many as it can show
    Align align = Align::automatic;
    std::string kernel_filter; ///< a valid regular expression; empty: none

    AnalysisRules rules;         ///< of the user's settings and metrics, not of the arguments
    std::vector<Change> what_if; ///< predicted besides what was measured

    /// SQL to run instead of analysing: a text, or the file that holds it.
    struct Query {
        std::string sql;
        std::optional<std::filesystem::path> file;
    };
    std::vector<Query> queries;

    std::optional<std::filesystem::path> export_trace; ///< where to write the runs as one trace instead of analysing
    std::vector<std::pair<std::int64_t, std::int64_t>> export_ranks; ///< inclusive; empty: all
    std::string export_lanes;                                        ///< a valid regular expression; empty: all

    bool study = false;        ///< the paths are runs of one series
    std::string study_rank_by; ///< id of a metric; empty: no ranking
    std::string study_by = "date";
    std::vector<std::string> study_pareto;        ///< ids of two metrics; empty: the usual ones
    bool study_reports = false;                   ///< each run's own report beside that of the study
    std::optional<std::filesystem::path> history; ///< runs that gates take their limits from

    std::optional<std::filesystem::path> digest; ///< where to write digests instead of analysing
    std::uint64_t memory_bytes = 0;              ///< budget of the model; 0: the default
    bool use_cache = true;
    int gpus_per_machine = 0;    ///< where the recording does not tell; 0: not known
    bool install_remote = false; ///< the program may be copied to machines of ssh:// paths that lack it

    int jobs = 0; ///< 0: all cores
    bool quiet = false;
    bool verbose = false;
    bool timing = false;      ///< tell where the time goes, on stderr
    bool only_gates = false;  ///< the answer is whether each holds, and nothing else
    std::string_view help_of; ///< help: the command; empty: all of the program

    [[nodiscard]] bool only_markdown() const {
        return write_md && !write_csv && !write_json && !write_xlsx && !write_html && !write_sqlite;
    }
};

/// The arguments after the program's name. metrics: the user's own. Errors: Error::Code::usage, one line.
Result<Options> parse_options(std::span<const std::string> arguments, MetricList metrics = {});
/// The same of the program without a window: where no command is named, --batch may be left out.
Result<Options> parse_options_of_batch(const std::vector<std::string>& arguments, const MetricList& metrics);

/// What --help prints: of a command, or of the whole program.
std::string help_text(std::string_view command = {});

/// One option as --help, the man page and the shells' completions describe it.
struct OptionHelp {
    std::string_view name;  ///< "--metrics"
    std::string_view value; ///< what it takes, "DIR", "auto|torch|nsys"; empty: nothing
    std::string_view help;  ///< one phrase
    bool repeatable = false;
};
struct CommandHelp {
    std::string_view word;     ///< "report"
    std::string_view takes;    ///< "RUN..."
    std::string_view summary;  ///< one phrase
    std::string_view examples; ///< lines
};

/// All that --help lists, in its order: of a command, or without one of the whole program.
std::vector<OptionHelp> option_help(std::string_view command = {});
std::vector<CommandHelp> command_help();

} // namespace rankscope
