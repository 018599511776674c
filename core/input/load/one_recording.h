// SPDX-License-Identifier: GPL-3.0-or-later
// Of the files of a folder those that were recorded together: others cannot be compared with them.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "core/input/find/run_folder.h"

namespace rankscope {

/// Reads files of a run side by side.
using ReadFiles = std::function<std::vector<Result<RankTraces>>(const std::vector<RankFile>&)>;

/// Files whose times overlap were recorded together, directly or through others. So were files that have not a moment
/// in common (clocks of hosts) where content or name says which ranks they are and their steps, if recorded, have
/// numbers in common; or that name one communicator. Of several recordings of one run the one with the most ranks
/// stays, of equally large ones the newest: files.older is read for that, and what is left out is noticed. Traces of
/// Kineto, reports of Nsight Systems and their digests; of other formats the times do not tell. results: of
/// files.ranks. Error: several runs.
std::optional<Error> keep_one_recording(const std::filesystem::path& path, RunFiles& files,
                                        std::vector<Result<RankTraces>>& results, const ReadFiles& read);

} // namespace rankscope
