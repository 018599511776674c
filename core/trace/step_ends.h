// SPDX-License-Identifier: GPL-3.0-or-later
// How long steps last whose marks do not touch each other.
#pragma once
#include "core/trace/rank_trace.h"

namespace rankscope {

/// steps: with the ranges of their events. What lies between two marks belongs to the first: sampling and scheduling of
/// an engine, and, where a program's own ranges of consecutive numbers leave a gap of more than a hundredth, the loss
/// that is read and the data that is loaded outside of them. PyTorch's own steps follow each other anyway.
void close_gaps_of_steps(const RankTrace& rank, std::vector<ProfilerStep>& steps);

/// Whether the rank's steps are those of a serving engine (engine_steps.h).
bool has_engine_steps(const RankTrace& rank);

/// Whether it is recorded how long the rank's step of this number takes. Where steps last until the next one starts,
/// that of the last one is not.
bool has_known_end(const RankTrace& rank, std::int64_t number);

} // namespace rankscope
