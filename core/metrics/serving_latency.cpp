// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics ttft and tpot: time to the first token and time per output token of inference runs, from the benchmark's
// results or from the GPU's work in the steps of the serving engine.
#include "core/metrics/numbers.h"

#include "core/analysis/basics/intervals.h"
#include "core/analysis/selection/selected_time.h"
#include "core/base/statistics.h"
#include "core/metrics/workload.h"
#include "core/trace/engine_steps.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankscope {
namespace {

/// A step of the engine with the work that it launched on the GPU.
struct ServedStep {
    EngineStep step;
    bool selected = false;
    bool has_work = false;
    TimeNs gpu_end = 0; ///< of the last work
    TimeNs gpu_busy = 0;
};

/// GPU work belongs to the step in which, or after which, the host launched it; work without a launch belongs to none.
std::vector<ServedStep> served_steps(const RunAnalysis& analysis, const RankTrace& rank) {
    std::vector<ServedStep> served;
    for (const EngineStep& step : engine_steps(rank))
        served.push_back({step, is_selected(analysis.run(), rank, analysis.selection(), step.range.begin)});
    if (served.empty())
        return served;
    std::vector<std::vector<TimeRange>> work(served.size());
    for (EventIndex i = 0; i < rank.events.gpu_count; ++i) {
        const EventIndex launch = rank.events.link[i];
        if (launch == kNoEvent)
            continue;
        const TimeNs at = rank.events.start[launch];
        const auto after =
            std::ranges::upper_bound(served, at, {}, [](const ServedStep& s) { return s.step.range.begin; });
        if (after == served.begin() || (after == served.end() && !std::prev(after)->step.range.contains(at)))
            continue; // behind the last step the next may have begun
        work[static_cast<std::size_t>(after - served.begin()) - 1].push_back(rank.events.range(i));
    }
    for (std::size_t k = 0; k < served.size(); ++k) {
        served[k].has_work = !work[k].empty();
        if (!work[k].empty())
            served[k].gpu_end = std::ranges::max_element(work[k], {}, &TimeRange::end)->end;
        served[k].gpu_busy = measure(merge(std::move(work[k])));
    }
    return served;
}

/// What the ranks' steps give; of several values the median, which a pause between requests does not move.
struct Latency {
    std::vector<double> by_rank_ms; ///< a median a rank
    std::size_t values = 0;
    std::map<std::string, std::size_t> steps; ///< selected steps by phase
    bool only_busy_time = false;              ///< no rank has two steps after each other
    std::vector<double> ccl_bench_ms;         ///< a value a rank, of the host, by CCL-Bench's rule

    void add(std::vector<double> of_rank) {
        values += of_rank.size();
        if (!of_rank.empty())
            by_rank_ms.push_back(middle_median(std::move(of_rank)));
    }
};

bool decodes(EnginePhase phase) { return phase == EnginePhase::decode; }
bool begins_requests(EnginePhase phase) { return phase == EnginePhase::prefill || phase == EnginePhase::mixed; }

/// From the end of the GPU's work for one step to that for the next: when tokens are ready.
std::vector<double> decode_distances(const std::vector<ServedStep>& steps) {
    std::vector<double> distances;
    for (std::size_t k = 1; k < steps.size(); ++k)
        if (steps[k].selected && decodes(steps[k].step.phase) && steps[k].has_work && steps[k - 1].has_work &&
            steps[k].gpu_end > steps[k - 1].gpu_end)
            distances.push_back(as_ms(steps[k].gpu_end - steps[k - 1].gpu_end));
    return distances;
}

std::vector<double> decode_busy(const std::vector<ServedStep>& steps) {
    std::vector<double> busy;
    for (const ServedStep& step : steps)
        if (step.selected && decodes(step.step.phase) && step.has_work)
            busy.push_back(as_ms(step.gpu_busy));
    return busy;
}

/// From the begin of a step that computes prompts to the end of its work.
std::vector<double> prefill_times(const std::vector<ServedStep>& steps) {
    std::vector<double> times;
    for (const ServedStep& step : steps)
        if (step.selected && begins_requests(step.step.phase) && step.has_work)
            times.push_back(as_ms(step.gpu_end - step.step.range.begin));
    return times;
}

/// CCL-Bench: the host's duration of the first step, or the mean of the inner steps' (of two the second's).
double host_value(const std::vector<ServedStep>& steps, bool first) {
    std::vector<double> host;
    for (const ServedStep& step : steps)
        if (step.selected)
            host.push_back(as_ms(step.step.range.length()));
    if (first)
        return host.empty() ? std::nan("") : host.front();
    if (host.size() < 2)
        return std::nan("");
    return mean_of(host.size() == 2 ? std::vector(host.begin() + 1, host.end())
                                    : std::vector(host.begin() + 1, host.end() - 1));
}

Latency latency_of(const RunAnalysis& analysis, bool first_token) {
    Latency latency;
    std::vector<std::vector<ServedStep>> by_rank;
    for (const auto& rank : analysis.run().ranks) {
        const std::vector<ServedStep> steps = served_steps(analysis, *rank);
        for (const ServedStep& step : steps)
            if (step.selected)
                ++latency.steps[std::string(engine_phase_word(step.step.phase))];
        if (const double host = host_value(steps, first_token); std::isfinite(host))
            latency.ccl_bench_ms.push_back(host);
        latency.add(first_token ? prefill_times(steps) : decode_distances(steps));
        by_rank.push_back(steps);
    }
    if (!first_token && latency.values == 0) {
        latency.only_busy_time = true;
        for (const auto& steps : by_rank)
            latency.add(decode_busy(steps));
    }
    return latency;
}

std::string why_not(const Latency& latency, bool first_token) {
    if (latency.steps.empty())
        return "needs an inference run: bench_results.jsonl, or the steps of vLLM (execute_context_...) or SGLang "
               "(step[...], run_batch) in the trace";
    const auto has = [&](const char* phase) { return latency.steps.contains(phase); };
    if (first_token ? has("prefill") || has("mixed") : has("decode"))
        return "the trace holds no GPU work that the steps launched";
    if (has("unknown"))
        return "the trace does not tell which steps compute prompts and which generate: record with annotations, or "
               "with Python frames";
    return first_token ? "only decode steps were recorded: no first token was computed in the trace"
                       : "no step was recorded that only decodes";
}

MetricResult result_of(const RunAnalysis& analysis, std::optional<double> recorded, bool first_token) {
    if (recorded)
        return MetricResult::of(*recorded, Json{{"method", "bench_results.jsonl"}});
    // A training run has no first token; one whose phase nobody states is judged by its annotations.
    if (find_text(analysis.run().config, {"workload.model.phase"}).starts_with("training"))
        return MetricResult::unavailable("only for inference: the workload card says training");
    const Latency latency = latency_of(analysis, first_token);
    Json details = Json::object();
    if (!latency.steps.empty()) {
        details["method"] = first_token              ? "host begin of a prefill step to the end of its GPU work"
                            : latency.only_busy_time ? "GPU busy time of a decode step; a distance needs two steps"
                                                     : "distance of consecutive steps on the GPU";
        details["steps"] = latency.steps;
        details["values"] = latency.values;
    }
    if (!latency.ccl_bench_ms.empty())
        details["compat_ccl_bench_ms"] = mean_of(latency.ccl_bench_ms);
    if (latency.by_rank_ms.empty())
        return MetricResult::unavailable(why_not(latency, first_token), std::move(details));
    return MetricResult::of(mean_of(latency.by_rank_ms), std::move(details));
}

MetricResult compute_ttft(const RunAnalysis& analysis) {
    return result_of(analysis, analysis.run().serving.ttft_ms, true);
}

MetricResult compute_tpot(const RunAnalysis& analysis) {
    return result_of(analysis, analysis.run().serving.tpot_ms, false);
}

} // namespace

Metric ttft_metric() {
    return {
        "ttft",
        "Time to first token",
        "ms",
        Better::lower,
        "Workload",
        "Inference only: median_ttft_ms of bench_results.jsonl, else from the begin of an engine step that computes "
        "prompts to the end of its GPU work, median over such steps, mean over ranks. Time in the queue before the "
        "step is not recorded.",
        compute_ttft};
}

Metric tpot_metric() {
    return {"tpot",
            "Time per output token",
            "ms",
            Better::lower,
            "Workload",
            "Inference only: median_tpot_ms of bench_results.jsonl, else the time from the end of the GPU work of one "
            "engine step to that of the decode step after it, median over decode steps, mean over ranks. Of a single "
            "step the time in which the GPU is busy.",
            compute_tpot};
}

} // namespace rankscope
