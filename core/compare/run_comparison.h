// SPDX-License-Identifier: GPL-3.0-or-later
// All comparisons of two analysed runs, each computed once, on first use, and shared by the window, the table and the
// reports: they cannot disagree. Thread-safe.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "core/base/lazy.h"
#include "core/compare/change_explanation.h"
#include "core/compare/common_part.h"
#include "core/compare/comparability.h"
#include "core/compare/config_comparison.h"
#include "core/compare/kernel_comparison.h"
#include "core/compare/memory_comparison.h"
#include "core/compare/metric_comparison.h"
#include "core/compare/module_comparison.h"
#include "core/compare/operator_diff.h"

namespace rankscope {

/// How the metrics of the part of two runs that both have changed. baseline, test: of that part.
std::vector<MetricChange> changes_of_part(const CommonPart& part, const Comparability& comparability,
                                          const MetricReport& baseline, const MetricReport& test);

class RunComparison {
public:
    RunComparison(std::shared_ptr<const RunAnalysis> baseline, const MetricReport& baseline_metrics,
                  std::shared_ptr<const RunAnalysis> test, const MetricReport& test_metrics);

    [[nodiscard]] const RunAnalysis& baseline() const { return *baseline_; }
    [[nodiscard]] const RunAnalysis& test() const { return *test_; }

    /// What of the runs is compared: all that follows is of that.
    [[nodiscard]] const CommonPart& part() const { return part_; }
    [[nodiscard]] const Comparability& comparability() const { return comparability_; }

    [[nodiscard]] const std::vector<MetricChange>& metrics() const { return metrics_; }
    [[nodiscard]] const std::vector<ConfigEntry>& config() const { return config_; }
    [[nodiscard]] const ChangeExplanation& explanation() const;
    [[nodiscard]] const std::vector<OperatorChange>& operators() const;
    /// Steps whose operators operators() sums, mean over the ranks of the baseline and of the test; 0: not known.
    [[nodiscard]] std::pair<double, double> summed_steps() const;
    [[nodiscard]] const std::vector<KernelChange>& kernels() const;
    [[nodiscard]] const std::vector<ModuleChange>& modules() const; ///< empty where no trace names any
    /// Of memory snapshots; empty where no two are of one rank. They borrow from the analyses.
    [[nodiscard]] const std::vector<DeviceMemoryComparison>& memory() const;

private:
    std::shared_ptr<const RunAnalysis> baseline_;
    std::shared_ptr<const RunAnalysis> test_;
    CommonPart part_;
    Comparability comparability_;
    std::vector<MetricChange> metrics_;
    std::vector<ConfigEntry> config_;
    Lazy<ChangeExplanation> explanation_;
    Lazy<std::vector<OperatorChange>> operators_;
    Lazy<std::vector<KernelChange>> kernels_;
    Lazy<std::vector<ModuleChange>> modules_;
    Lazy<std::vector<DeviceMemoryComparison>> memory_;
};

} // namespace rankscope
