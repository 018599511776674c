// SPDX-License-Identifier: GPL-3.0-or-later
// Which moments of a rank a selection includes, and which ranks are looked at.
#pragma once
#include <optional>

#include "core/analysis/selection/selection.h"

namespace rankscope {

/// Index in Run::ranks; nothing: all ranks together.
using RankChoice = std::optional<std::size_t>;

/// For what has no duration, or counts where it starts: CPU events, samples. time: absolute, the rank's own.
bool is_selected(const Run& run, const RankTrace& rank, const Selection& selection, TimeNs time);

} // namespace rankscope
