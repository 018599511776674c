// SPDX-License-Identifier: GPL-3.0-or-later
// What to open where a folder holds several runs.
#pragma once
#include <filesystem>
#include <stop_token>
#include <vector>

#include "core/base/message.h"

namespace rankscope {

/// Whether an error's message says that a folder holds several runs (several_runs()), also if a far side sent it.
bool tells_of_several_runs(const Message& message);

/// Where a folder was refused because it holds several runs: the paths to open instead, sorted. The folder of each run;
/// of a run whose files lie in the folder itself, beside the others, each file. Empty: nothing can be chosen.
std::vector<std::filesystem::path> runs_to_choose_from(const std::filesystem::path& path);

/// The runs at a path: a folder that holds several stands for all of them, in order of their paths; else the path.
std::vector<std::filesystem::path> paths_of_runs(const std::filesystem::path& path, const std::stop_token& stop = {});

} // namespace rankscope
