// SPDX-License-Identifier: GPL-3.0-or-later
// Metric iter_time: wall time of an iteration.
#include <algorithm>
#include <map>
#include <set>

#include "core/analysis/basics/change_points.h"
#include "core/analysis/steps/step_windows.h"
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"
#include "core/trace/recorded.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

constexpr std::string_view kEngineSteps = "engine_steps";

struct RankIterations {
    int rank = 0;
    std::vector<double> durations; ///< ns
};

struct Iterations {
    std::string method;
    std::size_t distinct = 0;
    std::vector<RankIterations> ranks;
};

/// What told the steps.
std::string steps_method(const RunAnalysis& analysis) {
    for (const auto& rank : analysis.run().ranks)
        if (has_engine_steps(*rank))
            return std::string(kEngineSteps);
    return analysis.run().source == TraceSource::nsys ? "nvtx_ranges" : "profiler_steps";
}

Iterations profiler_steps(const RunAnalysis& analysis) {
    Iterations result{steps_method(analysis), 0, {}};
    std::set<std::int64_t> numbers;
    for (const RankAnalysis& rank : analysis.ranks()) {
        RankIterations iterations{rank.trace->rank, {}};
        for (const ProfilerStep& step : rank.steps) {
            if (!has_known_end(*rank.trace, step.number))
                continue;
            numbers.insert(step.number);
            iterations.durations.push_back(static_cast<double>(step.range.length()));
        }
        if (!iterations.durations.empty())
            result.ranks.push_back(std::move(iterations));
    }
    result.distinct = numbers.size();
    return result;
}

Iterations inferred(const RunAnalysis& analysis) {
    Iterations result{"inferred", 0, {}};
    for (std::size_t i = 0; i < analysis.ranks().size(); ++i) {
        RankIterations iterations{analysis.ranks()[i].trace->rank, {}};
        for (const TimeRange& step : analysis.inferred_steps()[i].steps)
            iterations.durations.push_back(static_cast<double>(step.length()));
        result.distinct = std::max(result.distinct, iterations.durations.size());
        if (!iterations.durations.empty())
            result.ranks.push_back(std::move(iterations));
    }
    return result;
}

double ms(double ns) { return rounded(ns / 1e6); }

/// What the GPU takes for an iteration, ns, where the host launches it in less.
std::optional<JudgedValue> gpu_step(const RunAnalysis& analysis, double launched) {
    const StepValues by_step = gpu_iterations(analysis);
    std::vector<double> all;
    for (const auto& [number, of_ranks] : by_step)
        all.insert(all.end(), of_ranks.begin(), of_ranks.end());
    if (all.empty() || !host_runs_ahead(launched, mean_of(all)))
        return {};
    const std::vector<double> means = means_of(by_step);
    return JudgedValue{ms(mean_of(all)),
                       means.size() > 1 ? std::optional(ms(deviation_around_levels(means))) : std::nullopt};
}

MetricResult result_of(const RunAnalysis& analysis, const Iterations& iterations) {
    std::vector<double> all;
    std::vector<double> means;
    std::vector<RankValue> by_rank;
    Json ranks = Json::array();
    for (const RankIterations& rank : iterations.ranks) {
        all.insert(all.end(), rank.durations.begin(), rank.durations.end());
        means.push_back(mean_of(rank.durations));
        Json entry{{"rank", rank.rank}, {"num_iterations", rank.durations.size()}};
        put_statistics(entry, rank.durations);
        by_rank.push_back({rank.rank, ms(means.back())});
        ranks.push_back(std::move(entry));
    }
    Json details = Json::object();
    put_statistics(details, all);
    const auto [least, most] = std::minmax_element(means.begin(), means.end());
    details["num_iterations"] = iterations.distinct;
    details["rank_spread_ms"] = ms(*most - *least);
    details["method"] = iterations.method;
    if (iterations.method == "inferred") {
        const auto& repetitions = analysis.inferred_steps();
        const auto found = std::find_if(repetitions.begin(), repetitions.end(),
                                        [](const InferredSteps& s) { return !s.steps.empty(); });
        details["inferred_from"] = step_source_word(found->source);
        details["events_per_iteration"] = found->events_per_step;
    }
    std::optional<JudgedValue> on_gpu;
    if (iterations.method != "inferred")
        on_gpu = gpu_step(analysis, mean_of(all));
    if (on_gpu)
        details["gpu_step_ms"] = on_gpu->value;
    if (on_gpu && on_gpu->spread)
        details["gpu_step_spread_ms"] = *on_gpu->spread;
    details["per_rank"] = std::move(ranks);
    return MetricResult::of(mean_of(all) / 1e6, std::move(details), std::move(by_rank));
}

MetricResult compute_iter_time(const RunAnalysis& analysis) {
    const Iterations recorded = profiler_steps(analysis);
    if (!recorded.ranks.empty())
        return result_of(analysis, recorded);
    if (steps_are_marked(analysis.run()))
        return MetricResult::unavailable(
            "no whole iteration (ProfilerStep#N, or a step of a serving engine) lies in the selection"_text);
    const Iterations found = inferred(analysis);
    if (!found.ranks.empty())
        return result_of(analysis, found);
    return MetricResult::unavailable(
        "needs ProfilerStep#N annotations, or a sequence of collectives or kernels that repeats at least three times"_text);
}

std::vector<BatchTime> iter_time_by_batch(const RunAnalysis& analysis) {
    return times_by_batch(
        analysis,
        [](const RankAnalysis& rank, const ServedStep& step) -> std::optional<TimeNs> {
            const auto own = std::ranges::find(rank.steps, step.step.event, &ProfilerStep::event);
            if (own == rank.steps.end() || !has_known_end(*rank.trace, own->number))
                return {};
            return own->range.length();
        });
}

} // namespace

Metric iter_time_metric() {
    Metric metric{
        "iter_time",
        "Iteration time",
        "ms",
        Better::lower,
        "Iterations",
        "Wall time of the ProfilerStep#N annotations on the CPU (of NVTX ranges named step N or iteration N in "
        "reports of Nsight Systems; of a serving engine from the start of a step to that of the next), "
        "mean over ranks and steps. Without them, the time "
        "from one repetition of the collective or kernel sequence to the next (method: inferred). A host that runs "
        "ahead launches an iteration in less time than the GPU takes for it, which is step_time.",
        compute_iter_time,
        Needs::times};
    metric.of_iteration = OfIteration::time;
    metric.moved_by = all_setting_kinds();
    metric.by_iteration = iteration_durations;
    metric.by_batch = iter_time_by_batch;
    return metric;
}

} // namespace rankscope
