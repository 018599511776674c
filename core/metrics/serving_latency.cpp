// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics ttft, tpot, inter_token_latency and serving_throughput of inference runs: from the requests or the results
// of a benchmark beside the trace, else from the GPU's work in the steps of the serving engine.
#include "core/metrics/numbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/input/find/run_config.h"
#include "core/metrics/workload.h"

namespace rankscope {
namespace {

enum class Latency : std::uint8_t { first_token, per_token, between_tokens };

bool decodes(EnginePhase phase) { return phase == EnginePhase::decode; }
bool starts_requests(EnginePhase phase) { return phase == EnginePhase::prefill || phase == EnginePhase::mixed; }
bool generates(EnginePhase phase) { return phase == EnginePhase::decode || phase == EnginePhase::mixed; }

/// Speculative decoding: how many of the tokens it computes the requests receive is not told.
bool is_speculative(const ServedStep& step) {
    return generates(step.step.phase) && step.generated() == kUnknown && step.step.generation.requests != kUnknown;
}
/// Each request receives one token, and no prompts are computed.
bool gives_one_token_each(const ServedStep& step) { return decodes(step.step.phase) && !is_speculative(step); }
bool gives_tokens(const ServedStep& step) { return generates(step.step.phase); }

Message speculative_text() {
    return "steps compute more tokens than requests decode (speculative decoding): how many of them the requests "
           "received is not in the names of the steps"_text;
}

Message no_phases_text() {
    return "the trace does not tell which steps compute prompts and which generate: record with annotations, or with "
           "Python frames"_text;
}

Json percentiles_of(const std::vector<double>& values) {
    Json json;
    json["values"] = values.size();
    if (values.empty())
        return json;
    put(json, "mean", mean_of(values));
    put(json, "p50", middle_median(values));
    put(json, "p90", nearest_rank_percentile(values, 0.90));
    put(json, "p95", nearest_rank_percentile(values, 0.95));
    put(json, "p99", nearest_rank_percentile(values, 0.99));
    put(json, "max", std::ranges::max(values));
    return json;
}

/// What the ranks' steps give; of several values the median, which a pause between requests does not move.
struct StepLatency {
    std::vector<double> by_rank_ms; ///< a median a rank
    std::vector<double> all_ms;
    std::map<std::string, std::size_t> steps; ///< selected steps by phase
    bool only_busy_time = false;              ///< no rank has two steps after each other
    bool speculative = false;                 ///< some selected steps are
    std::size_t left_out = 0;                 ///< steps with prompts of which it is not told whether they end them
    std::vector<double> ccl_bench_ms;         ///< a value a rank, of the host, by CCL-Bench's rule

    void add(std::vector<double> of_rank) {
        all_ms.insert(all_ms.end(), of_rank.begin(), of_rank.end());
        if (!of_rank.empty())
            by_rank_ms.push_back(middle_median(std::move(of_rank)));
    }
};

/// From the end of the GPU's work for one step to that for the next: when tokens are ready.
std::vector<double> distances(const std::vector<ServedStep>& steps, bool (*counts)(const ServedStep&)) {
    std::vector<double> distances;
    for (std::size_t k = 1; k < steps.size(); ++k)
        if (steps[k].selected && counts(steps[k]) && steps[k].gpu_events > 0 && steps[k - 1].gpu_events > 0 &&
            steps[k].gpu.end > steps[k - 1].gpu.end)
            distances.push_back(as_ms(steps[k].gpu.end - steps[k - 1].gpu.end));
    return distances;
}

std::vector<double> decode_busy(const std::vector<ServedStep>& steps) {
    std::vector<double> busy;
    for (const ServedStep& step : steps)
        if (step.selected && gives_one_token_each(step) && step.gpu_events > 0)
            busy.push_back(as_ms(step.busy));
    return busy;
}

/// Tokens of the step's prompts that steps before it computed (or a cache had); kUnknown where its name does not tell.
std::int64_t computed_before(const EngineStep& step) {
    return step.context.q == kUnknown || step.context.k == kUnknown ? kUnknown : step.context.k - step.context.q;
}

/// Of two steps with prompts, one after the other.
enum class Prompts : std::uint8_t { same, other, not_told };

/// Engines cut long prompts into chunks, a step each. Where both have one prompt, the later one goes on with it if what
/// was computed of it before is what the earlier one has come to.
Prompts prompts_of(const EngineStep& earlier, const EngineStep& later) {
    const std::int64_t before = computed_before(later);
    if (before == 0)
        return Prompts::other;
    if (before == kUnknown || earlier.context.k == kUnknown || earlier.context.requests != 1 ||
        later.context.requests != 1)
        return Prompts::not_told;
    return before == earlier.context.k ? Prompts::same : Prompts::other;
}

struct PrefillTimes {
    std::vector<double> ms;   ///< from the start of the first step of a prompt to the end of the work of its last
    std::size_t left_out = 0; ///< steps of which it is not told whether they end a prompt
};

/// Steps with prompts that follow each other may be chunks of one prompt: only where the names tell which are is the
/// time to the first token known.
PrefillTimes prefill_times(const std::vector<ServedStep>& steps) {
    PrefillTimes times;
    const auto has_prompts = [&](std::size_t k) { return starts_requests(steps[k].step.phase); };
    const auto relation = [&](std::size_t later) { return prompts_of(steps[later - 1].step, steps[later].step); };
    for (std::size_t first = 0, last = 0; first < steps.size(); first = last) {
        last = first + 1;
        if (!has_prompts(first))
            continue;
        while (last < steps.size() && has_prompts(last) && relation(last) == Prompts::same)
            ++last;
        const bool starts = first == 0 ? computed_before(steps[first].step) <= 0
                                       : !has_prompts(first - 1) || relation(first) == Prompts::other;
        const bool ends = last == steps.size() || !has_prompts(last) || relation(last) == Prompts::other;
        const auto prompt = std::span(steps).subspan(first, last - first);
        if (!std::ranges::all_of(prompt, [](const ServedStep& step) { return step.selected && step.gpu_events > 0; }))
            continue;
        if (starts && ends)
            times.ms.push_back(as_ms(prompt.back().gpu.end - prompt.front().step.range.begin));
        else
            times.left_out += prompt.size();
    }
    return times;
}

/// CCL-Bench: the host's duration of vLLM's first execution, or the mean of the inner ones' (of two the second's).
double host_value(const RankTrace& trace, const std::vector<ServedStep>& steps, bool first) {
    std::vector<double> host;
    for (const ServedStep& step : steps)
        if (step.selected && step.step.event != kNoEvent &&
            trace.event_name(step.step.event).starts_with("execute_context_"))
            host.push_back(as_ms(step.step.range.length()));
    if (first)
        return host.empty() ? std::nan("") : host.front();
    if (host.size() < 2)
        return std::nan("");
    return mean_of(host.size() == 2 ? std::vector(host.begin() + 1, host.end())
                                    : std::vector(host.begin() + 1, host.end() - 1));
}

StepLatency latency_of(const RunAnalysis& analysis, Latency kind) {
    StepLatency latency;
    for (std::size_t rank = 0; rank < analysis.served_steps().size(); ++rank) {
        const std::vector<ServedStep>& steps = analysis.served_steps()[rank];
        for (const ServedStep& step : steps)
            if (step.selected) {
                ++latency.steps[std::string(engine_phase_word(step.step.phase))];
                latency.speculative = latency.speculative || is_speculative(step);
            }
        if (kind != Latency::between_tokens)
            if (const double host = host_value(*analysis.ranks()[rank].trace, steps, kind == Latency::first_token);
                std::isfinite(host))
                latency.ccl_bench_ms.push_back(host);
        if (kind == Latency::first_token) {
            PrefillTimes times = prefill_times(steps);
            latency.left_out += times.left_out;
            latency.add(std::move(times.ms));
        } else {
            latency.add(distances(steps, kind == Latency::per_token ? gives_one_token_each : gives_tokens));
        }
    }
    if (kind == Latency::per_token && latency.all_ms.empty()) {
        latency.only_busy_time = true;
        for (const std::vector<ServedStep>& steps : analysis.served_steps())
            latency.add(decode_busy(steps));
    }
    return latency;
}

Message why_not(const StepLatency& latency, Latency kind) {
    if (latency.steps.empty())
        return "needs an inference run: bench_results.jsonl, or the steps of vLLM (execute_context_...), SGLang "
               "(step[...], run_batch) or TensorRT-LLM ([Executor] _forward_step) in the trace"_text;
    const auto has = [&](const char* phase) { return latency.steps.contains(phase); };
    if (latency.left_out > 0)
        return "steps with prompts follow each other, and their names do not tell which are chunks of one prompt: when "
               "it has its first token is not known"_text;
    if (kind == Latency::per_token && latency.speculative)
        return speculative_text();
    if (kind == Latency::between_tokens && (has("decode") || has("mixed")))
        return "needs two steps after each other with GPU work, the second of which generates"_text;
    if (kind == Latency::first_token ? has("prefill") || has("mixed") : has("decode"))
        return "the trace holds no GPU work that the steps launched"_text;
    if (has("unknown"))
        return no_phases_text();
    return kind == Latency::first_token
               ? "only decode steps were recorded: no first token was computed in the trace"_text
               : "no step was recorded that only decodes"_text;
}

/// Values of the requests that were logged beside the trace; empty where none tells it.
std::vector<double> of_requests(const ServingResults& serving, Latency kind) {
    std::vector<double> values;
    for (const ServedRequest& request : serving.requests) {
        if (kind == Latency::first_token) {
            if (std::isfinite(request.ttft_ms))
                values.push_back(request.ttft_ms);
        } else if (kind == Latency::between_tokens) {
            values.insert(values.end(), request.token_gaps_ms.begin(), request.token_gaps_ms.end());
        } else if (request.output_tokens > 1 && std::isfinite(request.latency_ms) && std::isfinite(request.ttft_ms)) {
            values.push_back((request.latency_ms - request.ttft_ms) / static_cast<double>(request.output_tokens - 1));
        }
    }
    return values;
}

/// Steps of the GPU are another quantity than what a benchmark measured: they do not stand in for one that was not
/// read.
bool benchmark_is_unread(const Run& run) {
    return std::ranges::any_of(
        run.notices,
        [](const Notice& notice) { return notice.code == "config_too_large" && is_serving_results(notice.file); });
}

MetricResult result_of(const RunAnalysis& analysis, std::optional<double> recorded, Latency kind) {
    const std::vector<double> requests = of_requests(analysis.run().serving, kind);
    Json details = Json::object();
    if (!requests.empty())
        details["requests"] = percentiles_of(requests);
    // A training run has no first token; one whose phase nobody states is judged by its annotations.
    const bool training = find_text(analysis.run().config, {"workload.model.phase"}).starts_with("training");
    if (training && !recorded && requests.empty())
        return MetricResult::unavailable("only for inference: the workload card says training"_text);
    const StepLatency latency = training ? StepLatency{} : latency_of(analysis, kind);
    if (!latency.steps.empty()) {
        details["steps"] = latency.steps;
        details["values"] = latency.all_ms.size();
        if (!latency.all_ms.empty())
            details["per_step"] = percentiles_of(latency.all_ms);
    }
    if (latency.left_out > 0)
        details["steps_left_out"] = latency.left_out;
    if (!latency.ccl_bench_ms.empty())
        details["compat_ccl_bench_ms"] = mean_of(latency.ccl_bench_ms);
    if (recorded) {
        details["method"] = "bench_results.jsonl";
        return MetricResult::of(*recorded, std::move(details));
    }
    if (!requests.empty()) {
        details["method"] = "median of the requests logged beside the trace";
        return MetricResult::of(middle_median(requests), std::move(details));
    }
    if (benchmark_is_unread(analysis.run()))
        return MetricResult::unavailable("the results of the benchmark beside the trace are too large to be read"_text,
                                         std::move(details));
    if (latency.by_rank_ms.empty())
        return MetricResult::unavailable(why_not(latency, kind), std::move(details));
    details["method"] = kind == Latency::first_token ? "host start of a prefill step to the end of its GPU work"
                        : latency.only_busy_time     ? "GPU busy time of a decode step; a distance needs two steps"
                                                     : "distance of consecutive steps on the GPU";
    return MetricResult::of(mean_of(latency.by_rank_ms), std::move(details));
}

MetricResult compute_ttft(const RunAnalysis& analysis) {
    return result_of(analysis, analysis.run().serving.ttft_ms, Latency::first_token);
}

MetricResult compute_tpot(const RunAnalysis& analysis) {
    return result_of(analysis, analysis.run().serving.tpot_ms, Latency::per_token);
}

MetricResult compute_inter_token_latency(const RunAnalysis& analysis) {
    return result_of(analysis, analysis.run().serving.itl_ms, Latency::between_tokens);
}

Json phase_json(const PhaseSummary& phase) {
    Json json;
    json["phase"] = engine_phase_word(phase.phase);
    json["steps"] = phase.steps;
    put(json, "requests_per_step", phase.requests);
    put(json, "tokens_per_step", phase.tokens);
    put(json, "median_ms", phase.median_ms);
    put(json, "p95_ms", phase.p95_ms);
    put(json, "p99_ms", phase.p99_ms);
    put(json, "between_us", phase.between_us);
    put(json, "gpu_busy_percent", 100 * phase.busy_share);
    put(json, "tokens_per_second", phase.tokens_per_second);
    Json parts;
    for (std::size_t p = 0; p < kStepParts; ++p)
        put(parts, std::string(step_part_word(static_cast<StepPart>(p))) + "_percent", 100 * phase.shares[p]);
    json["time"] = parts;
    return json;
}

MetricResult compute_serving_throughput(const RunAnalysis& analysis) {
    const auto& ranks = analysis.served_steps();
    Json details;
    details["phases"] = Json::array();
    bool any = false;
    for (const PhaseSummary& phase : summarise_phases(ranks)) {
        details["phases"].push_back(phase_json(phase));
        any = true;
    }
    if (!any)
        return MetricResult::unavailable(why_not({}, Latency::per_token));
    // All ranks of a replica report the same tokens, so the mean over ranks is that of a replica.
    std::vector<double> rates;
    bool untold = false;
    bool speculative = false;
    bool no_phases = false;
    for (const std::vector<ServedStep>& steps : ranks) {
        double tokens = 0;
        double seconds = 0;
        for (std::size_t k = 0; k < steps.size(); ++k) {
            const ServedStep& step = steps[k];
            if (!step.selected || step.gpu_events == 0)
                continue;
            // Of a step that follows none, as for tpot, the time in which the GPU is busy.
            seconds +=
                static_cast<double>(k > 0 && steps[k - 1].gpu_events > 0 ? step.cycle.length() : step.busy) / 1e9;
            untold = untold || (step.generated() == kUnknown && generates(step.step.phase));
            speculative = speculative || is_speculative(step);
            no_phases = no_phases || step.step.phase == EnginePhase::unknown;
            tokens += static_cast<double>(std::max<std::int64_t>(0, step.generated()));
        }
        if (seconds > 0 && tokens > 0)
            rates.push_back(tokens / seconds);
    }
    if (speculative)
        return MetricResult::unavailable(speculative_text(), std::move(details));
    if (untold)
        return MetricResult::unavailable("the names of the engine's steps do not tell how many requests generate"_text,
                                         std::move(details));
    if (rates.empty())
        return MetricResult::unavailable(
            no_phases ? no_phases_text() : Message("no step with GPU work generates tokens"_text), std::move(details));
    return MetricResult::of(mean_of(rates), std::move(details));
}

} // namespace

Metric ttft_metric() {
    Metric metric{
        "ttft",
        "Time to first token",
        "ms",
        Better::lower,
        "Workload",
        "Inference only: median_ttft_ms of bench_results.jsonl, else the median of the requests logged beside the "
        "trace, else from the start of the first engine step that computes a prompt to the end of the GPU work of its "
        "last, median over prompts, mean over ranks. Steps with prompts that follow each other count where their "
        "names tell which are chunks of one prompt. Time in the queue before the step is not in the trace.",
        compute_ttft};
    metric.stands_for_itself = true;
    return metric;
}

Metric tpot_metric() {
    Metric metric{
        "tpot",
        "Time per output token",
        "ms",
        Better::lower,
        "Workload",
        "Inference only: median_tpot_ms of bench_results.jsonl, else the median of the requests logged beside the "
        "trace, else the time from the end of the GPU work of one engine step to that of the decode step after it, "
        "median over decode steps, mean over ranks. Of a single step the time in which the GPU is busy. No value with "
        "speculative decoding, where a step gives a request several tokens.",
        compute_tpot};
    metric.stands_for_itself = true;
    return metric;
}

Metric inter_token_latency_metric() {
    Metric metric{
        "inter_token_latency",
        "Inter-token latency",
        "ms",
        Better::lower,
        "Workload",
        "Inference only: median_itl_ms of bench_results.jsonl, else the median gap between the tokens of a request, of "
        "the requests logged beside the trace, "
        "else from the end of the GPU work of one engine step to that of the next that generates, prompts beside it "
        "or not; median over steps, mean over ranks.",
        compute_inter_token_latency};
    metric.stands_for_itself = true;
    return metric;
}

Metric serving_throughput_metric() {
    Metric metric{
        "serving_throughput",
        "Serving throughput",
        "tokens/s",
        Better::higher,
        "Workload",
        "Inference only: tokens that decoding requests received in the engine's steps over the time of these steps, "
        "mean over ranks; counted from the names of the steps. Of a step that follows none, the time in which the GPU "
        "is busy.",
        compute_serving_throughput};
    metric.stands_for_itself = true;
    return metric;
}

} // namespace rankscope
