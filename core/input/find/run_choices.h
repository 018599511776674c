// SPDX-License-Identifier: GPL-3.0-or-later
// What to open where a folder holds several runs.
#pragma once
#include <filesystem>
#include <vector>

namespace rankscope {

/// Where find_run_files refuses a folder because it holds several runs: the paths to open instead, sorted. The folder
/// of each run; of a run whose files lie in the folder itself, beside the others, each file. Empty: it is not so.
std::vector<std::filesystem::path> runs_to_choose_from(const std::filesystem::path& path);

} // namespace rankscope
