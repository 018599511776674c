// SPDX-License-Identifier: GPL-3.0-or-later
// How long the passes of a pipeline take, so that another schedule of them can be played through.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/findings/finding_inputs.h"
#include "core/analysis/pipeline/program_bubble.h"
#include "core/base/message.h"

namespace rankscope {

/// Of one microbatch through all that a stage's ranks hold of the model, ns.
struct StagePasses {
    double forward = 0;
    double backward = 0; ///< both parts
    double weight = 0;   ///< its weight part, where it is recorded by itself; else half of it
};

struct PassTimes {
    Message unavailable; ///< why there are none
    std::vector<StagePasses> stages;
    int microbatches = 0;
    int chunks = 1;
    double message = 0; ///< ns, of an activation or a gradient from stage to stage
    bool weights_known = false;
    PipelineProgram program; ///< that was recorded: one rank of each stage
    /// ns from the first computation of a pass to the last one, over all ranks, mean over steps; 0 without steps.
    double span = 0;
};

/// By annotations of passes: from a pass's first computation to its last one, without what it waits for before.
/// start, times: of the graph, as recorded or of a replay.
PassTimes pass_times(const FindingInputs& inputs, std::span<const TimeNs> start, const GraphTimes& times);

/// The program of a schedule, or nothing where it cannot run so: interleaved schedules need microbatches in rounds of
/// as many as there are ranks, DualPipe an even number of ranks.
std::optional<PipelineProgram> scheduled_program(ScheduleKind kind, int ranks, int chunks, int microbatches);

/// How long a program with the recorded passes takes, ns. Where it cuts the model into more parts, they share the time
/// of what they are cut from; what the first and the last of three or more stages take longer than the ones between
/// them (an embedding, a head) stays with the first and the last part.
std::optional<double> program_time(const PassTimes& passes, const PipelineProgram& program);

} // namespace rankscope
