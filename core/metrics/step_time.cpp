// SPDX-License-Identifier: GPL-3.0-or-later
// Metric step_time: what the GPU takes for an iteration.
#include <algorithm>

#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

double step_ms(double ns) { return rounded(ns / 1e6); }

MetricResult compute_step_time(const RunAnalysis& analysis) {
    const StepAccount& account = analysis.judged().steps();
    if (account.unit == StepAccount::Unit::window || account.ranks.empty())
        return no_iteration_known(analysis.run());
    std::vector<double> all;
    std::vector<RankValue> by_rank;
    std::size_t most = 0;
    for (const std::vector<StepParts>& steps : account.parts) {
        for (const StepParts& step : steps)
            all.push_back(static_cast<double>(step.wall));
        most = std::max(most, steps.size());
    }
    for (const RankSteps& rank : analysis.steps().ranks)
        by_rank.push_back({rank.rank, step_ms(rank.mean.wall)});
    Json details = Json::object();
    put_statistics(details, all);
    details["num_iterations"] = most;
    details["method"] = account.unit == StepAccount::Unit::profiler_steps ? "profiler_steps" : "inferred";
    return MetricResult::of(account.mean.wall / 1e6, std::move(details), std::move(by_rank));
}

StepValues step_time_by_iteration(const RunAnalysis& analysis) {
    const StepAccount& account = analysis.judged().steps();
    StepValues times;
    if (account.unit == StepAccount::Unit::window)
        return times;
    for (std::size_t r = 0; r < account.parts.size(); ++r)
        for (std::size_t i = 0; i < account.parts[r].size(); ++i)
            times[account.numbers[r][i]].push_back(step_ms(static_cast<double>(account.parts[r][i].wall)));
    return times;
}

/// The first step of a recording, of whose time before its own work nothing is known, is none.
std::vector<BatchTime> step_time_by_batch(const RunAnalysis& analysis) {
    return times_by_batch(
        analysis,
        [](const RankAnalysis&, const ServedStep& step) -> std::optional<TimeNs> {
            return step.follows ? std::optional(step.cycle.length()) : std::nullopt;
        });
}

} // namespace

Metric step_time_metric() {
    Metric metric{
        "step_time",
        "Step time",
        "ms",
        Better::lower,
        "Iterations",
        "Time of an iteration until the GPU has done its work, mean over steps and the ranks that can be judged. A "
        "step ends when both the "
        "host and the GPU have finished it; the next one starts at that moment. Runs are compared by it. iter_time is "
        "what the profiler's marks on the host enclose.",
        compute_step_time,
        Needs::times};
    metric.of_iteration = OfIteration::time;
    metric.moved_by = all_setting_kinds();
    metric.by_iteration = step_time_by_iteration;
    metric.by_batch = step_time_by_batch;
    return metric;
}

} // namespace rankscope
