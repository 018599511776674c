// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels, copies and messages a simulated rank uses, each described once.
#pragma once
#include <vector>

#include "core/demo/training_calls.h"

namespace rankscope {

using SpecId = std::uint16_t; ///< index in RankProgram::specs

struct LayerStep {
    SpecId spec = 0;
    TimeNs duration = 0;
    bool all_reduce_after = false;
};

/// Those of a dimension or a neighbour that the rank does not have are not set.
struct RankSpecs {
    std::vector<LayerStep> forward;
    std::vector<LayerStep> backward;
    SpecId copy = 0;
    SpecId zero = 0;
    SpecId embedding = 0;
    SpecId loss = 0;
    SpecId optimizer = 0;
    SpecId surplus = 0;  ///< FaultCause::more_kernels
    SpecId dispatch = 0; ///< tokens to their experts
    SpecId experts = 0;
    SpecId combine = 0; ///< and back
    double expert_load = 1;
    SpecId tensor_reduce = 0;
    SpecId bucket = 0;
    SpecId last_bucket = 0; ///< the layers that fill no whole bucket
    SpecId send_forward = 0;
    SpecId receive_forward = 0;
    SpecId send_backward = 0;
    SpecId receive_backward = 0;
};

/// Describes them in program.specs.
RankSpecs make_rank_specs(const SimulatorOptions& options, const Groups& groups, RankProgram& program);

} // namespace rankscope
