// SPDX-License-Identifier: GPL-3.0-or-later
// Runs another program and waits for it: arguments as they are, never through a shell.
#pragma once
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/notice.h"

namespace rankscope {

struct ChildResult {
    int exit_code = 0;  ///< 128 + signal when a signal ended it
    std::string output; ///< the end of what it wrote to stdout and stderr, at most 16 KiB
};

/// The first of the program's names on PATH that can be executed; empty when there is none.
std::filesystem::path find_on_path(std::string_view program);

/// on_output gets what it writes as it comes. Cancel ends it and what it started within two seconds. Error: cannot be
/// started, or cancelled.
Result<ChildResult> run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                const std::stop_token& cancel = {},
                                const std::function<void(std::string_view)>& on_output = {});

} // namespace rankscope
