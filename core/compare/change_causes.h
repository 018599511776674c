// SPDX-License-Identifier: GPL-3.0-or-later
// What the traces tell of why a part of an iteration changed.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/run/run_analysis.h"

namespace rankscope {

/// A quantity that is a product of factors, and how much of its change each of them accounts for (logarithmic mean
/// Divisia index: contributions add up to the change exactly).
struct Factor {
    double baseline = 0;
    double test = 0;
};
/// Index of the factor that moves the product most in the direction it went; factors that are not positive in both runs
/// count as unchanged. Empty when none does.
std::optional<std::size_t> leading_factor(std::span<const Factor> factors, double change);

std::string compute_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                          const StepAccount& after);
/// Why more, or less, communication of a dimension is in the open.
std::string communication_cause(const StepAccount& before, const StepAccount& after, ParallelDimension dimension);
std::string late_ranks_cause(const StepAccount& before, const StepAccount& after);
std::string bubble_cause(const StepAccount& before, const StepAccount& after);
/// That data loading changed, where that is at least half of it; and the rank that changed more than the others.
std::string host_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                       const StepAccount& after);

/// A rank whose own work (StepTimes::own) moved away from, or back to, that of the others, by at least half of the
/// change of the iteration: the others wait for it. Where the other ranks of its pipeline stage moved as well, or it
/// has none, it is the stage whose work changed. "" when there is neither.
std::string slow_rank_cause(const StepAccount& before, const StepAccount& after);

/// GPU, degrees of parallelism, microbatches and world size that differ.
std::vector<std::string> setup_changes(const StepAccount& before, const StepAccount& after);

std::string ms_text(double us); ///< "1.234 ms"

} // namespace rankscope
