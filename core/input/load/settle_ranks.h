// SPDX-License-Identifier: GPL-3.0-or-later
// What only reading a file tells of which rank it is.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/input/find/run_folder.h"
#include "core/input/load/one_recording.h"

namespace rankscope {

/// Decides anew which rank each file is, where their contents say so: files of several ranks and those of processes
/// without GPU work are left out with a notice, and files that were taken for older ones but were recorded beside those
/// shown are read and shown as well. Traces of Kineto, and reports of Nsight Systems, which are all of ranks. results:
/// of files.ranks, as read_run_file() gives them. Error: files that hold several ranks, beside none of a rank.
std::optional<Error> settle_ranks(RunFiles& files, std::vector<Result<RankTraces>>& results, const ReadFiles& read);

/// The rank as the run has it: its number, and that of its job where several lie side by side. Its groups get the
/// numbers that the ranks of its job have. from: the place that it was given before.
std::shared_ptr<const RankTrace> placed(const std::shared_ptr<const RankTrace>& rank, const RankFile& file,
                                        const JobRanks& from = {});

} // namespace rankscope
