// SPDX-License-Identifier: GPL-3.0-or-later
// Every option: what it takes, what it sets, and the commands that it makes sense for.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/command/command_table.h"

namespace rankscope {

using Problem = std::optional<std::string>; ///< why a value does not do; nothing when it does

struct OptionRule {
    std::string_view name;  ///< "--metrics"
    std::string_view value; ///< what --help calls its value; empty: it takes none
    std::string_view group; ///< the heading in --help
    Commands with = 0;
    std::function<Problem(Options&, const std::string&)> apply;
    std::string_view help = {};
    bool repeatable = false;
    std::optional<Command> asks_for = {};  ///< without a command it is what chooses one
    std::string_view name_in_command = {}; ///< of an option that belongs to one command; empty: the same
};

/// In the order of --help.
const std::vector<OptionRule>& option_rules();

} // namespace rankscope
