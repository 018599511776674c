// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps of a rank have an end.
#pragma once
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Whether the rank's steps are those of a serving engine (engine_steps.h).
bool has_engine_steps(const RankTrace& rank);

/// Whether it is recorded how long the rank's step of this number takes: an engine's takes until the next one starts,
/// so that of its last one is not.
bool has_known_end(const RankTrace& rank, std::int64_t number);

} // namespace rankscope
