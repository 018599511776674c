// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of two runs: which cost more, and how their durations are spread.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/compare/operator_diff.h"

namespace rankscope {

/// GPU work by name that belongs to the iterations of RunAnalysis::steps(), mean of one iteration of a rank. Work
/// belongs to the step of its launch where steps are recorded, else to the iteration it starts in.
NameTotals kernel_totals_per_step(const RunAnalysis& analysis);
/// Computing kernels of these iterations only. account: of the analysis, all of its iterations or some (steps_of()).
NameTotals compute_totals_per_step(const RunAnalysis& analysis, const StepAccount& account);

/// Copies of these iterations only.
NameTotals copy_totals_per_step(const RunAnalysis& analysis, const StepAccount& account);

/// A kernel, copy or set; counts and times are those of kernel_totals_per_step() where both runs have iterations of one
/// kind, else means of a rank. Names as in OperatorChange.
struct KernelChange {
    std::string name; ///< the baseline's, or that of the test when the baseline has none
    std::string test_name;
    bool shortened = false;
    NameTotal baseline;
    NameTotal test;
    [[nodiscard]] double cost_us() const {
        return test.time_us - baseline.time_us;
    } ///< what the change costs, all calls together
};

/// Slower in the test first: by cost, descending; ties by name. Matched by exact, then by shortened names
/// (operator_diff.h).
std::vector<KernelChange> compare_kernels(const RunAnalysis& baseline, const RunAnalysis& test);

/// Calls by duration in both runs, over all ranks. Bins are equally wide on a logarithmic scale: bin i holds durations
/// from edges_us[i] up to edges_us[i + 1]. Medians in us, NaN without calls.
struct DurationHistograms {
    std::vector<double> edges_us; ///< empty when neither run has such a kernel
    std::vector<std::size_t> baseline;
    std::vector<std::size_t> test;
    double baseline_median_us = 0;
    double test_median_us = 0;
};
DurationHistograms duration_histograms(const RunAnalysis& baseline, const RunAnalysis& test, const KernelChange& kernel,
                                       std::size_t bins);

} // namespace rankscope
