// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/iterations.h"

#include <algorithm>

#include "core/metrics/numbers.h"
#include "core/trace/recorded.h"
#include "core/trace/step_ends.h"

namespace rankscope {

StepValues iteration_durations(const RunAnalysis& analysis) {
    StepValues durations;
    for (const RankAnalysis& rank : analysis.ranks())
        for (const ProfilerStep& step : rank.steps)
            if (has_known_end(*rank.trace, step.number))
                durations[step.number].push_back(as_ms(step.range.length()));
    if (durations.empty())
        for (const InferredSteps& rank : analysis.inferred_steps())
            for (std::size_t i = 0; i < rank.steps.size(); ++i)
                durations[static_cast<std::int64_t>(i)].push_back(as_ms(rank.steps[i].length()));
    return durations;
}

IterationWork::IterationWork(const RunAnalysis& analysis, std::size_t rank) {
    const RankAnalysis& own = analysis.ranks()[rank];
    for (const ProfilerStep& step : own.steps)
        if (has_known_end(*own.trace, step.number))
            ranges_.emplace(step.range.begin, Iteration{step.range.end, step.number});
    if (std::ranges::any_of(analysis.ranks(), [](const RankAnalysis& any) { return !any.steps.empty(); }))
        steps_.emplace(*own.trace);
    else
        for (const TimeRange& step : analysis.inferred_steps()[rank].steps)
            ranges_.emplace(step.begin, Iteration{step.end, static_cast<std::int64_t>(ranges_.size())});
}

std::optional<std::int64_t> IterationWork::number_of(const GpuSlice& slice) const {
    if (steps_) {
        const ProfilerStep* step = steps_->of(slice.event);
        return step != nullptr && ranges_.contains(step->range.begin) ? std::optional(step->number) : std::nullopt;
    }
    const auto after = ranges_.upper_bound(slice.range.begin);
    return after != ranges_.begin() && slice.range.begin < std::prev(after)->second.end
               ? std::optional(std::prev(after)->second.number)
               : std::nullopt;
}

std::vector<std::int64_t> IterationWork::numbers() const {
    std::vector<std::int64_t> numbers;
    for (const auto& [start, iteration] : ranges_)
        numbers.push_back(iteration.number);
    return numbers;
}

void put_statistics(Json& json, const std::vector<double>& durations) {
    const auto ms = [](double ns) { return rounded(ns / 1e6); };
    json["avg_ms"] = ms(mean_of(durations));
    json["min_ms"] = ms(*std::ranges::min_element(durations));
    json["max_ms"] = ms(*std::ranges::max_element(durations));
    json["std_ms"] = ms(sample_deviation(durations));
    json["p50_ms"] = ms(nearest_rank(durations, 50));
}

StepValues gpu_iterations(const RunAnalysis& analysis) {
    StepValues times;
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r) {
        const std::vector<TimeRange>& windows = analysis.step_windows()[r];
        for (std::size_t i = 0; i < windows.size(); ++i)
            times[analysis.ranks()[r].steps[i].number].push_back(static_cast<double>(windows[i].length()));
    }
    return times;
}

StepValues shares_of_iterations(const RunAnalysis& analysis, TimeNs GpuTimeline::*part, TimeNs GpuTimeline::*whole) {
    StepValues shares;
    for (const std::vector<IterationRow>& rank : analysis.iteration_tables())
        for (const IterationRow& row : rank)
            if (row.gpu.*whole > 0)
                shares[row.step.number].push_back(
                    percent_of(static_cast<double>(row.gpu.*part), static_cast<double>(row.gpu.*whole)));
    return shares;
}

std::optional<std::int64_t> iteration_at(const RunAnalysis& analysis, TimeNs time) {
    const auto& steps = analysis.ranks().front().steps;
    const auto after = std::ranges::upper_bound(steps, time + analysis.clock().offset.front(), {},
                                                [](const ProfilerStep& s) { return s.range.begin; });
    return after == steps.begin() ? std::nullopt : std::optional(std::prev(after)->number);
}

std::vector<BatchTime>
times_by_batch(const RunAnalysis& analysis,
               const std::function<std::optional<TimeNs>(const RankAnalysis&, const ServedStep&)>& time) {
    std::vector<BatchTime> times;
    for (std::size_t r = 0; r < analysis.served_steps().size(); ++r) {
        if (!has_engine_steps(*analysis.ranks()[r].trace))
            continue; // the profiler's own steps are the iterations
        for (const ServedStep& step : analysis.served_steps()[r]) {
            if (!step.selected || step.gpu_events == 0)
                continue;
            const BatchSize size = batch_size(step.step);
            if (const auto taken = time(analysis.ranks()[r], step))
                times.push_back({size.known() ? std::vector{size} : std::vector<BatchSize>(), 1, {*taken, 1}});
        }
    }
    return times;
}

MetricResult no_iteration_known(const Run& run) {
    return MetricResult::unavailable(
        steps_are_marked(run) ? "no iteration lies whole in the selection on all ranks"_text()
                              : "no iteration is known: there are neither marks of steps nor work that repeats"_text());
}

std::vector<double> means_of(const StepValues& values) {
    std::vector<double> means;
    for (const auto& [step, of_ranks] : values)
        means.push_back(mean_of(of_ranks));
    return means;
}

} // namespace rankscope
