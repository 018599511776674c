// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics ttft and tpot: time to the first token and time per output token of inference runs, from the benchmark's
// results or, as CCL-Bench does, from the step annotations of the serving engine.
#include "core/metrics/numbers.h"

#include "core/metrics/workload.h"
#include <algorithm>
#include <cmath>
#include <optional>

namespace rankscope {
namespace {

/// vLLM's execute_context_*; SGLang's run_batch as a Python frame.
bool is_engine_step(EventKind kind, std::string_view name) {
    if (kind == EventKind::annotation)
        return name.starts_with("execute_context_");
    if (kind != EventKind::python || !name.ends_with("run_batch"))
        return false;
    name.remove_suffix(std::string_view("run_batch").size());
    return name.empty() || name.ends_with(':') || name.ends_with(": ");
}

std::vector<TimeRange> engine_steps(const RunAnalysis& analysis, const RankTrace& rank) {
    std::vector<TimeRange> steps;
    const auto& window = analysis.selection().time;
    for (EventIndex i = rank.events.gpu_count; i < rank.events.size(); ++i) {
        if (!is_engine_step(rank.events.kind[i], rank.event_name(i)))
            continue;
        const TimeRange range = rank.events.range(i);
        if (!window || window->contains(range.begin - analysis.run().span.begin))
            steps.push_back(range);
    }
    std::ranges::sort(steps, {}, &TimeRange::begin);
    return steps;
}

/// Mean over ranks of what a rank's steps give, ms; NaN without steps.
template <typename OfSteps>
double mean_over_ranks(const RunAnalysis& analysis, OfSteps of_steps) {
    std::vector<double> values;
    for (const auto& rank : analysis.run().ranks) {
        const double value = of_steps(engine_steps(analysis, *rank));
        if (std::isfinite(value))
            values.push_back(value);
    }
    return mean_of(values);
}

double first_step_ms(const std::vector<TimeRange>& steps) {
    return steps.empty() ? std::nan("") : as_ms(steps.front().length());
}

/// Mean of the steps between the first and the last; of two steps the second.
double inner_steps_ms(const std::vector<TimeRange>& steps) {
    if (steps.size() < 2)
        return std::nan("");
    std::vector<double> inner;
    for (std::size_t i = 1; i < (steps.size() == 2 ? 2 : steps.size() - 1); ++i)
        inner.push_back(as_ms(steps[i].length()));
    return mean_of(inner);
}

MetricResult result_of(const RunAnalysis& analysis, std::optional<double> recorded,
                       double (*of_steps)(const std::vector<TimeRange>&)) {
    if (recorded)
        return MetricResult::of(*recorded, Json{{"method", "bench_results.jsonl"}});
    // A training run has no first token; one whose phase nobody states is judged by its annotations.
    if (find_text(analysis.run().config, {"workload.model.phase"}).starts_with("training"))
        return MetricResult::unavailable("only for inference: the workload card says training");
    const double value = mean_over_ranks(analysis, of_steps);
    if (!std::isfinite(value))
        return MetricResult::unavailable(
            "needs an inference run: bench_results.jsonl, or enough execute_context_* or run_batch steps in the trace");
    return MetricResult::of(value, Json{{"method", "step annotations"}});
}

MetricResult compute_ttft(const RunAnalysis& analysis) {
    return result_of(analysis, analysis.run().serving.ttft_ms, first_step_ms);
}

MetricResult compute_tpot(const RunAnalysis& analysis) {
    return result_of(analysis, analysis.run().serving.tpot_ms, inner_steps_ms);
}

} // namespace

Metric ttft_metric() {
    return {
        "ttft",
        "Time to first token",
        "ms",
        Better::lower,
        "Workload",
        "Inference only: median_ttft_ms of bench_results.jsonl, else the first engine step of a rank, mean over ranks.",
        compute_ttft};
}

Metric tpot_metric() {
    return {"tpot",
            "Time per output token",
            "ms",
            Better::lower,
            "Workload",
            "Inference only: median_tpot_ms of bench_results.jsonl, else the mean of the inner engine steps, mean over "
            "ranks.",
            compute_tpot};
}

} // namespace rankscope
