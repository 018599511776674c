// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics iteration by iteration: what several of them share.
#pragma once
#include <map>
#include <optional>

#include "core/metrics/metric.h"

namespace rankscope {

/// Durations, ms: of the steps whose end is known; without recorded steps, of the repetitions found (numbered from 0).
StepValues iteration_durations(const RunAnalysis& analysis);

/// GPU work of the iterations of a rank: of its recorded steps whose end is known, or, without any, of the repetitions
/// found. What runs before, between and after them is of none.
class IterationWork {
public:
    IterationWork(const RunAnalysis& analysis, std::size_t rank);
    [[nodiscard]] std::size_t iterations() const { return ranges_.size(); }
    [[nodiscard]] bool contains(const GpuSlice& slice) const;

private:
    std::optional<WorkSteps> steps_;  ///< nothing: the ranges are repetitions, on the GPU
    std::map<TimeNs, TimeNs> ranges_; ///< start -> end
};

/// Writes avg_ms, min_ms, max_ms, std_ms and p50_ms. durations: ns, not empty.
void put_statistics(Json& json, const std::vector<double>& durations);

/// What the GPU takes for them, ns (step_windows.h); without recorded steps none.
StepValues gpu_iterations(const RunAnalysis& analysis);

/// A share of the GPU's time in each iteration, in percent of a whole; iterations without the whole have none.
StepValues shares_of_iterations(const RunAnalysis& analysis, TimeNs GpuTimeline::*part, TimeNs GpuTimeline::*whole);

/// The step of the first rank that runs at an aligned time; between two steps the earlier one.
std::optional<std::int64_t> iteration_at(const RunAnalysis& analysis, TimeNs time);

/// Means over the ranks, in the order of the iterations.
std::vector<double> means_of(const StepValues& values);

} // namespace rankscope
