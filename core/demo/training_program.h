// SPDX-License-Identifier: GPL-3.0-or-later
// What every rank of a simulated training run launches, in order: layers, messages, reductions, the 1F1B schedule.
#pragma once
#include <optional>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/demo/run_simulator.h"

namespace rankscope {

/// Where a task of a collective lies.
struct CallMember {
    std::uint32_t rank = 0;
    std::uint32_t task = kNoTask;
};

/// A run whose times are still open. members[c][i] is the task of truth.collectives[c].ranks[i].
struct TrainingProgram {
    SimulatedRun run;
    std::vector<std::vector<CallMember>> members;
};

/// Place of a rank in the mesh; the tensor dimension is innermost, the pipeline outermost.
struct MeshPlace {
    int pp = 0;
    int dp = 0;
    int tp = 0;
};
MeshPlace mesh_place(const SimulatorOptions& options, int rank);
int rank_at(const SimulatorOptions& options, MeshPlace place);

std::vector<LayerKernel> transformer_forward_layer(GpuVendor vendor);
std::vector<LayerKernel> transformer_backward_layer(GpuVendor vendor);

/// options must have passed check_options().
TrainingProgram plan_training(const SimulatorOptions& options);
/// Nothing, or why these options make no sense.
std::optional<Error> check_options(const SimulatorOptions& options);

} // namespace rankscope
