// SPDX-License-Identifier: GPL-3.0-or-later
// The average step of a run, phase by phase: what its GPUs do a tenth, a half, nine tenths into it.
#pragma once
#include <span>
#include <vector>

#include "core/compare/step_alignment.h"

namespace rankscope {

/// Shares of GPU time, 0 to 1, adding up to 1: computation (with memory sets), communication and copies that nothing
/// hides, and the rest.
struct PhaseShares {
    double computation = 0;
    double exposed_communication = 0;
    double exposed_copy = 0;
    double idle = 0;
};

/// phases: the step cut into equal parts, mean over steps and ranks. step_ns: mean length of a step.
/// steps: how many were averaged; 0, and phases empty: the run has no steps or no GPU work.
struct StepProfile {
    std::vector<PhaseShares> phases;
    double step_ns = 0;
    std::size_t steps = 0;
};

/// Over the given steps (absolute times, all ranks). parts > 0.
StepProfile step_profile(const RunAnalysis& analysis, std::span<const RunStep> steps, std::size_t parts);

} // namespace rankscope
