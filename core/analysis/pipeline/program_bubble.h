// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules played through; what they leave idle by themselves, with passes that are equally long everywhere.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "core/analysis/pipeline/pipeline_actions.h"

namespace rankscope {

/// Both in the unit of the durations. busy: of a rank on average.
struct PlayedProgram {
    double length = 0;
    double busy = 0;
    std::vector<std::vector<double>> begin; ///< of each action, as the program; of a pair both have that of the pair
};
using PassDuration = std::function<double(const PipelineAction&)>;
/// Every pass as soon as its rank is free and what it needs is there; message: from one rank to another. Nothing where
/// an action waits for one that never comes.
std::optional<PlayedProgram> play_program(const PipelineProgram& program, const PassDuration& duration, double message);

/// Mean over ranks of the share of the step in which a rank runs none of its actions. A forward pass takes one unit, a
/// backward pass two, each of its parts one; pairs that run together take as long as both; messages take no time.
/// Nothing where an action waits for one that never comes.
std::optional<double> program_bubble(const PipelineProgram& program);

} // namespace rankscope
