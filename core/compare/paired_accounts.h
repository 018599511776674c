// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of two runs, put into the same terms.
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "core/analysis/steps/step_account.h"

namespace rankscope {

/// Dimensions of the mesh that one run names and the other does not, though it has calls of unknown dimension: a card
/// beside one of two recordings of a job is no new communication.
std::array<bool, kParallelDimensionCount> unpaired_dimensions(const StepAccount& baseline, const StepAccount& test);
/// With what these dimensions have counted as of unknown dimension.
StepAccount without_dimensions(StepAccount account, const std::array<bool, kParallelDimensionCount>& dimensions);

/// Where each rank of the test does what another rank of the baseline did: rank of the baseline, rank of the test.
/// Empty where the ranks kept their places.
std::vector<std::pair<int, int>> renumbered_ranks(const StepAccount& baseline, const StepAccount& test);

} // namespace rankscope
