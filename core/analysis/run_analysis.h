// SPDX-License-Identifier: GPL-3.0-or-later
// All analyses of one run under one selection, each computed once, on first use, and shared by the window, the tables
// and the exports: they cannot disagree. Thread-safe.
#pragma once
#include <memory>
#include <vector>

#include "core/analysis/gpu_timeline.h"
#include "core/analysis/kernel_table.h"
#include "core/analysis/lazy.h"
#include "core/analysis/selection.h"
#include "core/analysis/temporal_breakdown.h"

namespace rankscope {

/// What is known of one rank under the selection.
struct RankAnalysis {
    const RankTrace* trace = nullptr;
    std::vector<GpuSlice> gpu_work;
    std::vector<ProfilerStep> steps;
    GpuTimeline timeline;
    GpuTimeline linked_timeline; ///< only events with a runtime launch (TraceLens's default)
};

class RunAnalysis {
public:
    RunAnalysis(std::shared_ptr<const Run> run, Selection selection);

    [[nodiscard]] const Run& run() const { return *run_; }
    [[nodiscard]] const std::shared_ptr<const Run>& run_pointer() const { return run_; }
    [[nodiscard]] const Selection& selection() const { return selection_; }

    /// One entry per rank, in the order of Run::ranks.
    [[nodiscard]] const std::vector<RankAnalysis>& ranks() const;
    [[nodiscard]] const std::vector<std::vector<KernelStatistics>>& kernel_tables() const;
    [[nodiscard]] const std::vector<TemporalBreakdown>& hta_breakdowns() const;           ///< HTA as run: last step dropped
    [[nodiscard]] const std::vector<TemporalBreakdown>& hta_breakdowns_with_last() const; ///< include_last_profiler_step

private:
    std::shared_ptr<const Run> run_;
    Selection selection_;
    Lazy<std::vector<RankAnalysis>> ranks_;
    Lazy<std::vector<std::vector<KernelStatistics>>> kernel_tables_;
    Lazy<std::vector<TemporalBreakdown>> hta_;
    Lazy<std::vector<TemporalBreakdown>> hta_with_last_;
};

} // namespace rankscope
