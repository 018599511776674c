// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/command_table.h"

#include <algorithm>
#include <array>

namespace rankscope {

std::span<const CommandRule> command_rules() {
    using Action = Options::Action;
    static constexpr std::array kRules{
        CommandRule{Command::report, "report", Action::batch, 1, kAnyNumber, "RUN...",
                    "the answer in 40 lines, or all of it as JSON, CSV, Excel and HTML",
                    "rankscope report my_run\n"
                    "rankscope report my_run --full\n"
                    "rankscope report my_run --output report\n"
                    "rankscope report my_run --what-if straggler=median",
                    ""},
        CommandRule{Command::compare, "compare", Action::batch, 2, kAnyNumber, "BASELINE TEST...",
                    "what changed: each run against the first",
                    "rankscope compare before after\n"
                    "rankscope compare before after --iterations 4-6\n"
                    "rankscope compare before after --format md",
                    ""},
        CommandRule{Command::query, "query", Action::batch, 1, kAnyNumber, "RUN...",
                    "SQL over events and results; rankscope --list-tables has the tables",
                    "rankscope query my_run --sql 'select rank, sum(dur_ns) from kernel group by rank'\n"
                    "rankscope query my_run --sql-file slow_kernels.sql --json",
                    "--sql prints only the result of the query: no "},
        CommandRule{Command::study, "study", Action::batch, 1, kAnyNumber, "RUN...",
                    "any number of runs, or folders of them, as one table",
                    "rankscope study nightly\n"
                    "rankscope study 32cu 37cu 56cu --rank-by step_time\n"
                    "rankscope study nightly --output study",
                    ""},
        CommandRule{Command::gate, "gate", Action::batch, 1, kAnyNumber, "[BASELINE] RUN...",
                    "hold runs against limits; exit code 1 if one fails",
                    "rankscope gate before after --gate 'step_time<+3%' --gate 'busbw>-5%'\n"
                    "rankscope gate my_run --gate 'step_time<=120'\n"
                    "rankscope gate my_run --history good_runs --gate 'step_time<p95(history)+2%' --junit gates.xml",
                    ""},
        CommandRule{Command::export_trace, "export", Action::batch, 1, kAnyNumber, "RUN...",
                    "all ranks as one trace for Perfetto",
                    "rankscope export my_run --output all_ranks.pftrace\n"
                    "rankscope export my_run --output two.json.gz --ranks 0,5 --time-range 1s/1.5s",
                    "--export-trace writes only the trace: no "},
        CommandRule{Command::digest, "digest", Action::batch, 1, 1, "RUN",
                    "one small file per rank, which opens like a run", "rankscope digest my_run --output digests",
                    "--digest takes one run and writes only digests: no "},
        CommandRule{Command::serve, "serve", Action::serve_stdio, 0, 0, "",
                    "answer assistants and other programs (Model Context Protocol)", "rankscope serve", ""},
        CommandRule{Command::help, "help", Action::help, 0, 1, "[COMMAND]", "what a command does and takes",
                    "rankscope help compare", ""},
        CommandRule{Command::version, "", Action::version, 0, kAnyNumber, "", "", "", ""},
        CommandRule{Command::serve_remote, "", Action::serve_remote, 0, 0, "", "", "", ""},
        CommandRule{Command::one_metric, "", Action::one_metric, 1, 1, "", "", "",
                    "--trace DIR --metric NAME takes one run and one metric, and not "},
        CommandRule{Command::list_metrics, "", Action::list_metrics, 0, 0, "", "", "", ""},
        CommandRule{Command::list_tables, "", Action::list_tables, 0, 0, "", "", "", ""},
        CommandRule{Command::window, "", Action::window, 0, kAnyNumber, "", "", "", ""},
    };
    return kRules;
}

const CommandRule& rule_of(Command command) {
    return *std::ranges::find(command_rules(), command, &CommandRule::command);
}

const CommandRule* find_command(std::string_view word) {
    const auto found = std::ranges::find(command_rules(), word, &CommandRule::word);
    return word.empty() || found == command_rules().end() ? nullptr : &*found;
}

} // namespace rankscope
