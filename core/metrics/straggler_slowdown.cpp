// SPDX-License-Identifier: GPL-3.0-or-later
// Metric straggler_slowdown: how much slower a job is than if all its ranks and microbatches were alike.
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

/// Six decimals.
double ratio(double value) { return rounded(value); }

MetricResult compute_straggler_slowdown(const RunAnalysis& analysis) {
    const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
    if (!slowdown.unavailable.empty())
        return MetricResult::unavailable(slowdown.unavailable);
    Json details{{"simulation_error", ratio(slowdown.simulation_error())}};
    if (slowdown.m_w)
        details["m_w"] = ratio(*slowdown.m_w);
    if (slowdown.m_s)
        details["m_s"] = ratio(*slowdown.m_s);
    for (const char* key : {"by_operation", "by_dp_rank", "by_stage"})
        details[key] = Json::object();
    for (const GroupSlowdown& group : slowdown.by_operation)
        details["by_operation"][group.name] = ratio(group.slowdown);
    for (const GroupSlowdown& group : slowdown.by_dp_rank)
        details["by_dp_rank"][std::to_string(group.number)] = ratio(group.slowdown);
    for (const GroupSlowdown& group : slowdown.by_stage)
        details["by_stage"][std::to_string(group.number)] = ratio(group.slowdown);
    details["by_worker"] = Json::array();
    for (const WorkerSlowdown& worker : slowdown.by_worker)
        details["by_worker"].push_back({{"dp_rank", worker.dp_rank},
                                        {"stage", worker.stage},
                                        {"rank", analysis.run().ranks[worker.rank]->rank},
                                        {"slowdown", ratio(worker.slowdown)}});
    details["t_measured_us"] = rounded_us(slowdown.measured);
    details["t_nodelay_us"] = rounded_us(slowdown.no_delay);
    details["t_ideal_us"] = rounded_us(slowdown.ideal);
    if (!slowdown.by_step.empty()) {
        details["steps"] = slowdown.by_step.size();
        details["by_step"] = Json::object();
    }
    for (const StepSlowdown& step : slowdown.by_step)
        details["by_step"][std::to_string(step.step)] = ratio(step.slowdown());
    if (slowdown.left_out_steps > 0)
        details["steps_left_out"] = slowdown.left_out_steps;
    for (const auto& [type, count] : slowdown.left_out_types)
        details["operations_left_out"][type] = count;
    return MetricResult::of(ratio(slowdown.slowdown()), std::move(details));
}

} // namespace

Metric straggler_slowdown_metric() {
    Metric metric{
        "straggler_slowdown",
        "Slowdown by stragglers",
        "x",
        Better::lower,
        "Communication",
        "Mean step replayed with the recorded operations, over the mean step with all operations of a type equally "
        "long. None where more than half of the recorded step is no operation.",
        compute_straggler_slowdown,
        Needs::gpu_work};
    metric.with_untraced_ranks = ValueBound::at_least;
    metric.of_judged = true;
    return metric;
}

} // namespace rankscope
