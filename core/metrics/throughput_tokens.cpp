// SPDX-License-Identifier: GPL-3.0-or-later
// Metric throughput_tokens: tokens the whole job trains on, or generates, per second.
#include "core/metrics/numbers.h"

#include "core/analysis/steps/step_windows.h"
#include "core/metrics/iterations.h"
#include "core/metrics/workload.h"
#include <optional>

namespace rankscope {
namespace {

/// CCL-Bench (generation C): batch x seq x the card's iteration count (of the whole job), or the number of
/// ProfilerSteps, over the span of everything in the first file: far too high when the profile covers a few steps of
/// many.
std::optional<double> ccl_bench(const RunAnalysis& analysis, const StepTokens& step) {
    const RankTrace& first = *analysis.run().ranks.front();
    const double seconds = static_cast<double>(first.span.length()) / 1e9;
    const auto iterations = find_number(analysis.run().config, {"workload.model.iteration"});
    const double count = iterations ? iterations->value : std::max<double>(1, static_cast<double>(first.steps.size()));
    return seconds > 0 ? std::optional(step.tokens() * count / seconds) : std::nullopt;
}

MetricResult compute_throughput_tokens(const RunAnalysis& analysis) {
    const auto step = step_tokens(analysis.run().config);
    if (!step)
        return MetricResult::unavailable(step.error());
    const IterationTime time = iteration_time(analysis);
    if (!time.seconds)
        return MetricResult::unavailable(time.reason);
    const double throughput = step->tokens() / *time.seconds;
    Json details = Json::object();
    details["tokens_per_second_per_gpu"] = throughput / device_count(analysis.run());
    details["tokens_per_step"] = step->tokens();
    details["batch_size"] = step->batch_size;
    details["batch_size_from"] = step->batch_source;
    details["seq_len"] = step->sequence_length;
    if (const auto compat = ccl_bench(analysis, *step))
        details["compat_ccl_bench"] = *compat;
    return MetricResult::of(throughput, std::move(details));
}

/// As many tokens in each iteration.
StepValues tokens_by_iteration(const RunAnalysis& analysis) {
    const auto step = step_tokens(analysis.run().config);
    const IterationTime time = iteration_time(analysis);
    StepValues values;
    if (!step || !time.seconds)
        return values;
    StepValues durations = iteration_durations(analysis);
    // Where the host runs ahead, a launch is no iteration.
    if (StepValues on_gpu = gpu_iterations(analysis);
        !on_gpu.empty() && host_runs_ahead(mean_of(means_of(durations)), mean_of(means_of(on_gpu)) / 1e6))
        durations = std::move(on_gpu);
    const double throughput = step->tokens() / *time.seconds;
    const double mean = mean_of(means_of(durations));
    for (const auto& [number, of_ranks] : durations)
        values[number] = {mean_of(of_ranks) > 0 ? throughput * mean / mean_of(of_ranks) : throughput};
    return values;
}

} // namespace

Metric throughput_tokens_metric() {
    Metric metric{"throughput_tokens",
                  "Throughput",
                  "tokens/s",
                  Better::higher,
                  "Workload",
                  "Tokens of one step (global batch x sequence length) over the mean iteration time.",
                  compute_throughput_tokens,
                  Needs::times};
    metric.moved_by = all_setting_kinds();
    metric.by_iteration = tokens_by_iteration;
    metric.stands_for_itself = true;
    return metric;
}

} // namespace rankscope
