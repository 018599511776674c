// SPDX-License-Identifier: GPL-3.0-or-later
// Which rank each file of a run is, from what the files hold and only then from their names: which were recorded by one
// process, which side by side, and whose numbers are those of one job.
#pragma once
#include <vector>

#include "core/input/find/run_folder.h"

namespace rankscope {

/// Recorded at the same time by two processes, so far as is known: never one rank twice. Files whose times are not read
/// yet count as such when they start close to each other.
bool are_side_by_side(const RankFile& a, const RankFile& b);

/// Gives each file its rank, and adds to files.ranks, files.older and files.notices:
/// - what the file says; where several files of one time say rank 0 of 1, that is none;
/// - else what its name says, unless the number is that of a process in the file or beyond the number of ranks;
/// - files that tell one rank and were recorded side by side are ranks of several jobs, or of several machines where no
///   file says of how many ranks its job is: told apart by what differs in their names, else by device;
/// - else its place among such files. Recordings of one process are one rank, of which the newest is shown.
/// all: newest first.
void give_ranks(std::vector<RankFile> all, RunFiles& files);

} // namespace rankscope
