// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of a run once all of its ranks are read: what is missing, cut or contradicts.
#pragma once
#include "core/trace/run.h"

namespace rankscope {

/// World size and missing ranks of the run, with a notice about those that have no trace.
void note_missing_ranks(Run& run);
/// A card of another job, or one that was not changed along. What the traces do not tell contradicts nothing.
void note_other_settings(Run& run);
/// What the readers told of each rank, and which ranks have no GPU work and why.
void note_ranks(Run& run);
/// A process that uses several GPUs records them in one file.
void note_several_devices(Run& run);
/// Where the recordings of some ranks have ended long before those of all others start: for longer than any of them
/// takes, and than clocks of machines differ.
void note_launches(Run& run);
/// Names the first rank and the first step of those that lack some.
void note_missing_steps(Run& run);
/// Steps in which a recording stopped: names the first of them.
void note_cut_steps(Run& run);

} // namespace rankscope
