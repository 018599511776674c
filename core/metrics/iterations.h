// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics iteration by iteration: what several of them share.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <vector>

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
    [[nodiscard]] bool contains(const GpuSlice& slice) const { return number_of(slice).has_value(); }
    /// Of the recorded step, or the place of the repetition, from 0.
    [[nodiscard]] std::optional<std::int64_t> number_of(const GpuSlice& slice) const;
    [[nodiscard]] std::vector<std::int64_t> numbers() const;

private:
    std::optional<WorkSteps> steps_; ///< nothing: the ranges are repetitions, on the GPU
    struct Iteration {
        TimeNs end = 0;
        std::int64_t number = 0;
    };
    std::map<TimeNs, Iteration> ranges_; ///< by start
};

/// By iteration and rank: the sum of value(rank, slice) over the GPU work of each; iterations without any have 0.
template <typename Value>
StepValues sums_of_iterations(const RunAnalysis& analysis, const Value& value) {
    StepValues sums;
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r) {
        const IterationWork work(analysis, r);
        std::map<std::int64_t, double> own;
        for (const std::int64_t number : work.numbers())
            own[number] = 0;
        for (const GpuSlice& slice : analysis.ranks()[r].gpu_work)
            if (const auto number = work.number_of(slice))
                own[*number] += value(*analysis.ranks()[r].trace, slice);
        for (const auto& [number, sum] : own)
            sums[number].push_back(sum);
    }
    return sums;
}

/// Writes avg_ms, min_ms, max_ms, std_ms and p50_ms. durations: ns, not empty.
void put_statistics(Json& json, const std::vector<double>& durations);

/// What the GPU takes for them, ns (step_windows.h); without recorded steps none.
StepValues gpu_iterations(const RunAnalysis& analysis);

/// A share of the GPU's time in each iteration, in percent of a whole; iterations without the whole have none.
StepValues shares_of_iterations(const RunAnalysis& analysis, TimeNs GpuTimeline::*part, TimeNs GpuTimeline::*whole);

/// The step of the first rank that runs at an aligned time; between two steps the earlier one.
std::optional<std::int64_t> iteration_at(const RunAnalysis& analysis, TimeNs time);

/// time(rank, step) of the selected steps of serving engines that have GPU work and are the run's iterations; a step
/// of which it gives nothing is none.
std::vector<BatchTime>
times_by_batch(const RunAnalysis& analysis,
               const std::function<std::optional<TimeNs>(const RankAnalysis&, const ServedStep&)>& time);

/// Where nothing tells the iterations.
MetricResult no_iteration_known(const Run& run);

/// Means over the ranks, in the order of the iterations.
std::vector<double> means_of(const StepValues& values);

} // namespace rankscope
