// SPDX-License-Identifier: GPL-3.0-or-later
// What the program can be asked to do: its commands, and what only an option asks for.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "app/command/options.h"

namespace rankscope {

/// Of two that are asked for, the first one here is meant.
enum class Command {
    help,
    version,
    serve_remote,
    serve,
    digest,
    study,
    query,
    export_trace,
    one_metric,
    list_metrics,
    list_tables,
    report,
    compare,
    gate,
    window
};

/// A set of them.
using Commands = unsigned;
template <typename... Each>
constexpr Commands commands(Each... each) {
    return (0U | ... | (1U << static_cast<unsigned>(each)));
}
constexpr bool is_among(Command command, Commands of) { return (commands(command) & of) != 0; }

constexpr std::size_t kAnyNumber = 1'000'000; ///< of runs

struct CommandRule {
    Command command;
    std::string_view word; ///< "report"; empty: only an option asks for it
    Options::Action action;
    std::size_t least_runs = 0;
    std::size_t most_runs = kAnyNumber;
    std::string_view takes;    ///< "RUN..."
    std::string_view summary;  ///< one phrase
    std::string_view examples; ///< lines
    std::string_view
        refuses; ///< before the name of an option that makes no sense; empty: "--option does not go with it"
};

/// Those with a word first, in the order of --help.
std::span<const CommandRule> command_rules();
const CommandRule& rule_of(Command command);
/// Nothing: no command is called so.
const CommandRule* find_command(std::string_view word);

} // namespace rankscope
