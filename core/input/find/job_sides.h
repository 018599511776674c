// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of one time are of one job, where several tell the same rank.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core/input/find/run_folder.h"

namespace rankscope {

/// Whether most calls of the groups that two files have in common end together. Nothing: they have none in common, or
/// are not read yet.
using EndTogether = std::function<std::optional<bool>(const RankFile&, const RankFile&)>;

/// One job's files, or one machine's, by the rank that they tell.
struct JobSide {
    std::map<int, const RankFile*> files;
    [[nodiscard]] int ranks() const; ///< of the job, of which some may have no file
};

/// Parts the files so that no part has two of one rank, and all of a part tell the same number of ranks: by their
/// names, else by the number of ranks and by device, else by the calls that end together. Each way counts only if no
/// calls contradict it; where they contradict all, as wrong clocks do, the first one is taken. of_rank: recorded at one
/// time, several of one rank.
std::vector<JobSide> job_sides(const std::map<int, std::vector<const RankFile*>>& of_rank,
                               const EndTogether& end_together);

} // namespace rankscope
