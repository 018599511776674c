// SPDX-License-Identifier: GPL-3.0-or-later
// What the traces tell of why a part of an iteration changed.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/operators/input_sizes.h"
#include "core/base/message.h"
#include "core/compare/config_comparison.h"
#include "core/compare/moved_ranks.h"
#include "core/compare/operator_diff.h"
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

/// before, after: of the analyses, all iterations or some. moved: ranks of them that moved.
Message compute_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                      const StepAccount& after, std::span<const MovedRanks> moved);
/// The kernel that accounts for most of what they take longer (more), or less; kernels of one run only stand for each
/// other where both take similar times. of_both: a kernel of one run only is none that takes longer. "most in gemm
/// (6.4 ms -> 6.9 ms)"; empty where none does.
Message leading_kernel(const std::vector<OperatorChange>& changes, bool more, bool of_both = false);
/// Kernels that only one run has, those of the test in place of those of the baseline: "a (7.2 ms) in place of b and c
/// (6.0 ms)"; empty where either take less than this. least: ns an iteration.
Message replaced_kernels(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                         const StepAccount& after, double least);
/// Why more, or less, communication of a dimension is in the open.
Message communication_cause(const StepAccount& before, const StepAccount& after, ParallelDimension dimension);
/// Which copies take longer, or less long: by direction, with their calls. change: of copies in the open, ns an
/// iteration.
Message copies_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                     const StepAccount& after, double change);
/// For which ranks the others wait longer, or less long; empty where no few ranks are half of it. change: of the
/// waiting at collectives, ns an iteration.
Message late_ranks_cause(const StepAccount& before, const StepAccount& after, double change);
Message bubble_cause(const StepAccount& before, const StepAccount& after);
/// That data loading changed, or how fast the host launches, where that is at least half of it; and the ranks that
/// changed more than the others.
Message host_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                   const StepAccount& after, std::span<const MovedRanks> moved);
/// "loading data takes the host 0.1 ms -> 4 ms", where that is at least half of the difference; else empty. ranks:
/// ascending; empty: all. difference: ns an iteration.
Message loading_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                      const StepAccount& after, const std::vector<int>& ranks, double difference);

/// Engine, GPU, degrees of parallelism, microbatches, world size, sizes of inputs and settings that differ and may
/// change an iteration's time. What one of the runs does not tell is no change.
std::vector<Message> setup_changes(const RunAnalysis& baseline, const RunAnalysis& test, const InputSizes& inputs,
                                   std::span<const ConfigEntry> config);

/// Jobs of one size, whose known degrees of parallelism are the same.
bool split_alike(const RunAnalysis& baseline, const RunAnalysis& test);

std::string ms_text(double us);        ///< at most four significant digits: "1.234 ms", "50.64 ms"
std::string signed_ms_text(double us); ///< "+1.234 ms"

} // namespace rankscope
