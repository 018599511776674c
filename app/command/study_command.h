// SPDX-License-Identifier: GPL-3.0-or-later
// --study: runs as one series; and the history that gates are held against.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "app/command/interrupt.h"
#include "app/command/options.h"
#include "core/compare/gate_history.h"
#include "core/compare/study.h"

namespace rankscope {

struct ReadStudy {
    Study study;
    std::vector<std::string> left_out; ///< why a run could not be read, a line each
};
/// The runs at the paths, and in folders of runs there, one after the other. Error: none can be read.
Result<ReadStudy> read_study(const Options& options, const std::stop_token& stop);

/// Reads the runs one after the other and prints the study: a table, or JSON; with --output study.csv and study.json as
/// well. A run that cannot be read is told on stderr and left out; the exit code is 3 then.
Result<int> print_study(const Options& options, Interrupt& interrupt);

/// All runs below the folder, with the metrics asked for. Error (input): there is none.
Result<std::vector<HistoryRun>> read_history(const Options& options, const std::vector<std::string>& ids,
                                             const std::stop_token& stop);

} // namespace rankscope
