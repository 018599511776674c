// SPDX-License-Identifier: GPL-3.0-or-later
// From the command line to analysed runs, with progress on the terminal.
#pragma once
#include <span>
#include <stop_token>
#include <vector>

#include "app/command/options.h"
#include "app/command/timing.h"
#include "core/compare/analysed_run.h"
#include "core/input/load/load_run.h"
#include "core/remote/remote_wishes.h"

namespace rankscope {

/// The part of the run that the options name. Error (input): there is nothing in it. Notices: what of it is not there.
Result<Selection> select_part(const Options& options, const Run& run, Notices& notices);

/// What the options say about runs on other machines. What happens to a connection is told on stderr.
RemoteWishes remote_wishes(const Options& options);

/// A run that was read and of which nothing is computed yet.
struct ReadRun {
    AnalysedRun analysed; ///< notices and analysis
    std::filesystem::path path;
    LoadOptions load; ///< as it was read
    RemoteWishes wishes;
    bool dumps_beside = false; ///< the folder also has dumps of the Flight Recorder
};
/// load: the mode, and whom to tell of progress; the rest is set from the options.
Result<ReadRun> read_run(const Options& options, const std::filesystem::path& path, LoadOptions load,
                         RemoteWishes wishes);
/// Metrics, predictions, and what dumps beside the run tell.
void compute(const Options& options, ReadRun& read);

/// Reads and analyses the runs at the paths, in their order. Progress goes to stderr. timing: is told each stage.
Result<std::vector<AnalysedRun>> analyse_runs(const Options& options, std::span<const std::filesystem::path> paths,
                                              const std::stop_token& cancel, Timing& timing);

} // namespace rankscope
