// SPDX-License-Identifier: GPL-3.0-or-later
// Which rank each file of a run is, from what the files hold and only then from their names: which were recorded by one
// process, which side by side, and whose numbers are those of one job.
#pragma once
#include <vector>

#include "core/input/find/job_sides.h"
#include "core/input/find/run_folder.h"

namespace rankscope {

/// Recorded at the same time by two processes, so far as is known: never one rank twice. Files whose times are not read
/// yet count as such when they start close to each other; those that were read and have no moment in common, when
/// processes of other numbers marked the same steps within ten seconds.
bool are_side_by_side(const RankFile& a, const RankFile& b);

/// The number of ranks that files tell, the largest where there are several jobs; 0: none tells more than one rank.
int told_world(const std::vector<RankFile>& files);

/// The rank that a word in the name says, unless it is beyond the number of ranks. world: what other files tell.
std::optional<int> rank_word(const RankFile& file, int world);

/// Gives each file its rank, and adds to files.ranks, files.older and files.notices:
/// - what the file says; where several files of one time say rank 0 of 1, that is none;
/// - else what its name says, unless the number is that of a process in the file or beyond the number of ranks that it
///   or, where it says nothing, other files tell;
/// - files that tell one rank and were recorded side by side are ranks of several jobs, or of several machines where no
///   file says of how many ranks its job is: told apart by job_sides();
/// - else its place among such files, unless all ranks of the job are there: then it is left out once it is read.
/// Recordings of one process are one rank, of which the newest is shown.
/// all: newest first. end_together: empty before the files are read.
void give_ranks(std::vector<RankFile> all, RunFiles& files, const EndTogether& end_together = {});

} // namespace rankscope
