// SPDX-License-Identifier: GPL-3.0-or-later
// What a schedule leaves idle by itself: its actions played through with passes that are equally long everywhere.
#pragma once
#include <optional>

#include "core/analysis/pipeline/pipeline_actions.h"

namespace rankscope {

/// Mean over ranks of the share of the step in which a rank runs none of its actions. A forward pass takes one unit, a
/// backward pass two, each of its parts one; pairs that run together take as long as both; messages take no time.
/// Nothing where an action waits for one that never comes.
std::optional<double> program_bubble(const PipelineProgram& program);

} // namespace rankscope
