// SPDX-License-Identifier: GPL-3.0-or-later
// The program without a window: reads runs, analyses them, writes the report.
#pragma once
#include "app/command/interrupt.h"
#include "app/command/options.h"

namespace rankscope {

inline constexpr int kExitGateFailed = 1;

/// Exit code of an error, as in docs/cli.md.
int exit_code(Error::Code code);
/// One line on stderr, safe for a terminal.
void print_error(const Error& error);
/// Writes data to stdout; an error when it cannot be written there.
Result<void> print_data(std::string_view text);

/// --batch, and --trace DIR --metric NAME. Returns the exit code; every error has been printed.
int run_batch(const Options& options, Interrupt& interrupt);

} // namespace rankscope
