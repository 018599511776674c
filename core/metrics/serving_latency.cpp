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
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/serving/request_waits.h"
#include "core/base/statistics.h"
#include "core/input/find/run_config.h"
#include "core/metrics/ccl_bench_kernels.h"
#include "core/metrics/workload.h"

namespace rankscope {
namespace {

enum class Latency : std::uint8_t { first_token, per_token, between_tokens };

/// Speculative decoding: how many of the tokens it computes the requests receive is not told.
bool is_untold(const ServedStep& step) { return step.is_speculative() && std::isnan(step.generated()); }

bool is_untold_and_selected(const ServedStep& step) { return step.selected && is_untold(step); }

Message speculative_text() {
    return "steps compute more tokens than requests decode (speculative decoding), and their names do not tell how "
           "many the requests received: give the mean acceptance length in the workload card (%1)"_text(
               kAcceptanceLengthOfCard);
}

/// The mean acceptance length by which tokens are counted, and where it is from; null where no step needs it.
Json acceptance_json(const RunAnalysis& analysis) {
    for (const std::vector<ServedStep>& steps : analysis.served_steps())
        for (const ServedStep& step : steps)
            if (step.selected && step.is_speculative() && std::isfinite(step.generated()))
                if (const auto length = acceptance_length_of(analysis.run().config))
                    return {{"tokens_per_request_and_step", length->value}, {"source", length->key}};
    return {};
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

Json percentiles_of(const std::vector<RequestWait>& waits) {
    Json json;
    json["values"] = waits.size();
    if (waits.empty())
        return json;
    const WaitSummary summary = summarise_waits(waits);
    json["requests"] = summary.requests;
    put(json, "mean", summary.mean_ms);
    put(json, "p50", summary.p50_ms);
    put(json, "p90", summary.p90_ms);
    put(json, "p95", summary.p95_ms);
    put(json, "p99", summary.p99_ms);
    put(json, "max", summary.max_ms);
    return json;
}

/// What the ranks' steps give.
struct StepLatency {
    std::vector<double> by_rank_ms;
    std::map<int, std::vector<RequestWait>> by_job; ///< of the first rank of each: all serve the same requests
    std::vector<RequestWait> all;
    std::map<std::string, std::size_t> steps; ///< selected steps by phase
    bool only_cycles = false;                 ///< no rank has two steps that generate
    bool speculative = false;                 ///< some selected steps are
    std::size_t left_out = 0;                 ///< steps with prompts of which it is not told whether they end them
    std::vector<double> ccl_bench_ms;         ///< a value a rank, of the host, by CCL-Bench's rule

    void add(const std::vector<RequestWait>& of_rank, int job, double WaitSummary::*value) {
        all.insert(all.end(), of_rank.begin(), of_rank.end());
        if (of_rank.empty())
            return;
        by_rank_ms.push_back(summarise_waits(of_rank).*value);
        by_job.try_emplace(job, of_rank);
    }
    /// The mean of the ranks; of several jobs side by side, whose requests wait differently, over all their requests.
    [[nodiscard]] double value_ms(double WaitSummary::*value) const {
        if (by_job.size() < 2)
            return mean_of(by_rank_ms);
        std::vector<RequestWait> requests;
        for (const auto& [job, waits] : by_job)
            requests.insert(requests.end(), waits.begin(), waits.end());
        return summarise_waits(requests).*value;
    }
};

/// The steps that only decode, each as long as it takes.
std::vector<RequestWait> decode_cycles(const std::vector<ServedStep>& steps) {
    std::vector<RequestWait> waits;
    for (const ServedStep& step : steps)
        if (step.selected && step.step.phase == EnginePhase::decode && !step.is_speculative() && step.gpu_events > 0)
            waits.push_back({step.cycle.length(), 1});
    return waits;
}

/// CCL-Bench: the host's duration of vLLM's first execution, or the mean of the inner ones' (of two the second's).
double host_value(const RankTrace& trace, const std::vector<ServedStep>& steps, bool first) {
    std::vector<double> host;
    for (const ServedStep& step : steps)
        if (step.selected && step.step.event != kNoEvent &&
            trace.event_name(step.step.event).starts_with(kVllmExecution))
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
        const int job = analysis.run().ranks[rank]->job;
        for (const ServedStep& step : steps)
            if (step.selected) {
                ++latency.steps[std::string(engine_phase_word(step.step.phase))];
                latency.speculative = latency.speculative || is_untold(step);
            }
        if (kind != Latency::between_tokens)
            if (const double host = host_value(*analysis.ranks()[rank].trace, steps, kind == Latency::first_token);
                std::isfinite(host))
                latency.ccl_bench_ms.push_back(host);
        if (kind == Latency::first_token) {
            const PromptWaits prompts = prompt_waits(steps);
            latency.left_out += prompts.left_out;
            latency.add(prompts.waits, job, &WaitSummary::p50_ms);
        } else if (kind == Latency::between_tokens) {
            latency.add(token_waits(steps).waits, job, &WaitSummary::p50_ms);
        } else if (std::ranges::none_of(steps, is_untold_and_selected)) {
            latency.add(waits_per_token(token_waits(steps).waits), job, &WaitSummary::mean_ms);
        }
    }
    if (kind == Latency::per_token && latency.all.empty() && !latency.speculative) {
        latency.only_cycles = true;
        for (std::size_t rank = 0; rank < analysis.served_steps().size(); ++rank)
            latency.add(decode_cycles(analysis.served_steps()[rank]), analysis.run().ranks[rank]->job,
                        &WaitSummary::mean_ms);
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
    if (kind == Latency::between_tokens && (has("decode") || has("mixed") || has("verify")))
        return "needs two steps with GPU work that generate, and only prompts between them"_text;
    if (kind == Latency::first_token ? has("prefill") || has("mixed") : has("decode"))
        return "the trace holds no GPU work that the steps launched"_text;
    if (has("unknown"))
        return no_phases_text();
    return kind == Latency::first_token
               ? "no step with a prompt was recorded: no first token was computed in the trace"_text
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

/// What the benchmark beside the trace says of all its requests; empty without one. By the names of percentiles_of().
Json of_benchmark(const RunConfig& config, Latency kind) {
    const char* time = kind == Latency::first_token ? "ttft" : kind == Latency::per_token ? "tpot" : "itl";
    Json json = Json::object();
    for (const auto& [name, told] : {std::pair("mean", "mean"), std::pair("p50", "median"), std::pair("p90", "p90"),
                                     std::pair("p95", "p95"), std::pair("p99", "p99")})
        if (const auto value = find_number(config, {fmt::format("benchmark.{}_{}_ms", told, time).c_str()}))
            put(json, name, value->value);
    return json;
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
    if (Json benchmark = of_benchmark(analysis.run().config, kind); !benchmark.empty())
        details["benchmark"] = std::move(benchmark);
    // A training run has no first token; one whose phase nobody states is judged by its annotations.
    const bool training = find_text(analysis.run().config, {"workload.model.phase"}).starts_with("training");
    if (training && !recorded && requests.empty())
        return MetricResult::unavailable("only for inference: the workload card says training"_text);
    const StepLatency latency = training ? StepLatency{} : latency_of(analysis, kind);
    if (!latency.steps.empty()) {
        details["steps"] = latency.steps;
        details["values"] = latency.all.size();
        if (!latency.all.empty())
            details["per_step"] = percentiles_of(latency.all);
    }
    if (kind == Latency::per_token)
        if (Json acceptance = acceptance_json(analysis); !acceptance.is_null())
            details["acceptance_length"] = std::move(acceptance);
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
                        : latency.only_cycles        ? "time of a decode step on the GPU; a wait needs two steps"
                                                     : "from one step that generates to the next, by requests";
    return MetricResult::of(latency.value_ms(kind == Latency::per_token ? &WaitSummary::mean_ms : &WaitSummary::p50_ms),
                            std::move(details));
}

/// Whether the value is of the engine's steps: nothing beside the trace tells it.
bool is_of_steps(const RunAnalysis& analysis, std::optional<double> recorded, Latency kind) {
    return !recorded && of_requests(analysis.run().serving, kind).empty() && !benchmark_is_unread(analysis.run());
}

/// The batches are those of all steps of a wait: one with a prompt in it is held against its like.
std::vector<BatchTime> waits_by_batch(const RunAnalysis& analysis, Latency kind) {
    std::vector<BatchTime> times;
    const std::size_t from = kind == Latency::first_token ? 0 : 1; // a prompt waits in its first step, too
    for (const std::vector<ServedStep>& steps : analysis.served_steps()) {
        if (kind == Latency::per_token && std::ranges::any_of(steps, is_untold_and_selected))
            continue;
        const std::vector<RequestWait> waits =
            kind == Latency::first_token ? prompt_waits(steps).waits : token_waits(steps).waits;
        const std::vector<RequestWait> counted = kind == Latency::per_token ? waits_per_token(waits) : waits;
        for (std::size_t i = 0; i < waits.size(); ++i) {
            BatchTime& time = times.emplace_back(BatchTime{{}, waits[i].requests, counted[i]});
            for (std::size_t k = waits[i].after + from; k <= waits[i].step; ++k)
                if (steps[k].gpu_events > 0)
                    time.batches.push_back(batch_size(steps[k].step));
            if (!std::ranges::all_of(time.batches, &BatchSize::known))
                time.batches.clear();
        }
    }
    return times;
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
    put(json, "mean_ms", phase.mean_ms);
    put(json, "median_ms", phase.median_ms);
    put(json, "p95_ms", phase.p95_ms);
    put(json, "p99_ms", phase.p99_ms);
    put(json, "between_us", phase.between_us);
    put(json, "gpu_busy_percent", 100 * phase.busy_share);
    const double both = computes_prompts(phase.phase) && generates(phase.phase)
                            ? phase.prompt_tokens_per_second + phase.generated_tokens_per_second
                        : computes_prompts(phase.phase) ? phase.prompt_tokens_per_second
                                                        : phase.generated_tokens_per_second;
    put(json, "tokens_per_second", both);
    put(json, "prompt_tokens_per_second", phase.prompt_tokens_per_second);
    put(json, "generated_tokens_per_second", phase.generated_tokens_per_second);
    Json parts;
    for (std::size_t p = 0; p < kStepParts; ++p)
        put(parts, std::string(step_part_word(static_cast<StepPart>(p))) + "_percent", 100 * phase.shares[p]);
    json["time"] = parts;
    Json& waits = json["host_waits"] = Json::array();
    for (const PhaseWait& wait : phase.waits) {
        waits.push_back({{"range", wait.range.empty() ? Json() : Json(wait.range)}});
        put(waits.back(), "mean_us", wait.mean_us);
        put(waits.back(), "percent", 100 * wait.share);
    }
    return json;
}

/// By kind and batch, so that a gate finds them: {"decode": {"32": ...}, "mixed": {"512_31": ...}}.
Json batches_json(std::span<const std::vector<ServedStep>> ranks) {
    Json json = Json::object();
    const bool several = std::ranges::any_of(ranks, [](const auto& steps) { return steps.size() > 1; });
    for (const auto& [size, summary] : summarise_batches(ranks)) {
        std::string key = computes_prompts(size.phase) ? std::to_string(size.prompt_tokens) : std::string();
        if (generates(size.phase))
            key += (key.empty() ? "" : "_") + std::to_string(size.decoding);
        Json& batch = json[std::string(engine_phase_word(size.phase))][key];
        batch["steps"] = summary.steps;
        // The first step of a recording lacks what passed before its own work: it is held against no other.
        if (summary.whole == 0 && several)
            continue;
        put(batch, "mean_ms", summary.mean_ms);
        put(batch, "median_ms", summary.median_ms);
        put(batch, "p99_ms", summary.p99_ms);
    }
    return json;
}

/// By kind of step and of work, so that a gate finds them: {"decode": {"attention": {"mean_us": ...}}}.
Json work_json(std::span<const PhaseSummary> phases) {
    Json json = Json::object();
    for (const PhaseSummary& phase : phases)
        for (const PhaseWork& work : phase.work) {
            Json& entry = json[std::string(engine_phase_word(phase.phase))][std::string(step_work_word(work.work))];
            put(entry, "mean_us", work.mean_us);
            put(entry, "percent", 100 * work.share);
            put(entry, "kernels", work.kernels);
        }
    return json;
}

/// By kind of step, of the first rank that repeats a sequence of kernels.
Json layers_json(const RunAnalysis& analysis, std::span<const PhaseSummary> phases) {
    Json json = Json::object();
    for (const PhaseSummary& phase : phases)
        if (const auto found = first_layers(analysis.step_layers(), phase.phase)) {
            const StepLayers& layers = *found->layers;
            const std::size_t longest = layers.longest();
            json[std::string(engine_phase_word(phase.phase))] = {
                {"layers", layers.layers.size()},
                {"kernels_per_layer", layers.kernels},
                {"mean_us", as_us(layers.mean_ns())},
                {"longest", longest + 1},
                {"longest_us", as_us(layers.layers[longest].range.length())},
                {"step", layers.step + 1},
                {"rank", analysis.run().ranks[found->rank]->rank}};
        }
    return json;
}

MetricResult compute_serving_throughput(const RunAnalysis& analysis) {
    const auto& ranks = analysis.served_steps();
    Json details;
    details["phases"] = Json::array();
    const std::vector<PhaseSummary> phases = summarise_phases(ranks);
    for (const PhaseSummary& phase : phases)
        details["phases"].push_back(phase_json(phase));
    if (details["phases"].empty())
        return MetricResult::unavailable(why_not({}, Latency::per_token));
    details["by_batch"] = batches_json(ranks);
    details["work"] = work_json(phases);
    if (Json layers = layers_json(analysis, phases); !layers.empty())
        details["repeated_layers"] = std::move(layers);
    // All ranks of a replica report the same tokens, so the mean over ranks is that of a replica. Jobs side by side
    // serve requests of their own.
    std::map<int, std::vector<double>> rates, prompt_rates; // by job
    const auto of_all_jobs = [](const std::map<int, std::vector<double>>& by_job) {
        double sum = 0;
        for (const auto& [job, values] : by_job)
            sum += mean_of(values);
        return sum;
    };
    bool untold = false;
    bool speculative = false;
    bool no_phases = false;
    bool untold_prompts = false;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const std::vector<ServedStep>& steps = ranks[r];
        const int job = analysis.run().ranks[r]->job;
        TokenSums sums;
        for (const ServedStep& step : steps) {
            if (!step.selected || step.gpu_events == 0)
                continue;
            sums.add(step);
            speculative |= is_untold(step);
            no_phases |= step.step.phase == EnginePhase::unknown;
        }
        untold |= sums.untold_generated;
        untold_prompts |= sums.untold_prompt_tokens;
        if (const double rate = sums.generated_rate(); std::isfinite(rate))
            rates[job].push_back(rate);
        if (const double rate = sums.prompt_rate(); std::isfinite(rate))
            prompt_rates[job].push_back(rate);
    }
    if (Json acceptance = acceptance_json(analysis); !acceptance.is_null())
        details["acceptance_length"] = std::move(acceptance);
    if (!prompt_rates.empty() && !untold_prompts)
        put(details, "prompt_tokens_per_second", of_all_jobs(prompt_rates));
    if (speculative)
        return MetricResult::unavailable(speculative_text(), std::move(details));
    if (untold)
        return MetricResult::unavailable("the names of the engine's steps do not tell how many requests generate"_text,
                                         std::move(details));
    if (rates.empty())
        return MetricResult::unavailable(
            no_phases ? no_phases_text() : Message("no step with GPU work generates tokens"_text), std::move(details));
    return MetricResult::of(of_all_jobs(rates), std::move(details));
}

MetricResult compute_prefill_stall(const RunAnalysis& analysis) {
    const auto& ranks = analysis.served_steps();
    std::vector<double> by_rank;
    std::vector<RequestWait> all;
    double steps = 0, stalled = 0, waited = 0; // time times requests
    bool mixed = false;
    for (const std::vector<ServedStep>& of_rank : ranks) {
        const TokenWaits waits = token_waits(of_rank);
        std::vector<RequestWait> stalls; // each once, however many requests wait for it
        for (const PrefillStall& stall : waits.stalls) {
            stalls.push_back({stall.time, 1});
            stalled += static_cast<double>(stall.time) * stall.requests;
            steps += static_cast<double>(stall.steps);
        }
        for (const RequestWait& wait : waits.waits)
            waited += static_cast<double>(wait.time) * wait.requests;
        if (!stalls.empty())
            by_rank.push_back(summarise_waits(stalls).p50_ms);
        all.insert(all.end(), stalls.begin(), stalls.end());
        mixed |= std::ranges::any_of(
            of_rank, [](const ServedStep& s) { return s.selected && s.step.phase == EnginePhase::mixed; });
    }
    if (by_rank.empty())
        return MetricResult::unavailable(
            std::ranges::all_of(ranks, [](const auto& of_rank) { return of_rank.empty(); })
                ? why_not({}, Latency::per_token)
            : mixed
                ? Message("prompts are computed beside running requests, in mixed steps: what that delays these is not "
                          "known apart"_text)
                : Message("no step with prompts lies between two steps of running requests"_text));
    const WaitSummary summary = summarise_waits(all);
    Json details{{"stalls", all.size()}, {"prefill_steps", steps}};
    put(details, "mean_ms", summary.mean_ms);
    put(details, "p90_ms", summary.p90_ms);
    put(details, "max_ms", summary.max_ms);
    put(details, "share_of_token_waits_percent", percent_of(stalled, waited));
    return MetricResult::of(mean_of(by_rank), std::move(details));
}

/// Only a serving engine has it, and it is better or worse whatever the step does.
Metric of_serving(Metric metric) {
    metric.stands_for_itself = true;
    metric.inference_only = true;
    return metric;
}

} // namespace

Metric ttft_metric() {
    Metric metric = of_serving(
        {"ttft", "Time to first token", "ms", Better::lower, "Workload",
         "Inference only: median_ttft_ms of bench_results.jsonl, else the median of the requests logged beside the "
         "trace, else from the start of the first engine step that computes a prompt to the end of the GPU work of its "
         "last, median over prompts, mean over ranks. Steps with prompts that follow each other count where their "
         "names tell which are chunks of one prompt. Time in the queue before the step is not in the trace; time in "
         "which the GPU works off what was queued before the recording does not count.",
         compute_ttft});
    metric.by_batch = [](const RunAnalysis& analysis) {
        return is_of_steps(analysis, analysis.run().serving.ttft_ms, Latency::first_token)
                   ? waits_by_batch(analysis, Latency::first_token)
                   : std::vector<BatchTime>();
    };
    metric.of_waits = &WaitSummary::p50_ms;
    return metric;
}

Metric tpot_metric() {
    Metric metric = of_serving(
        {"tpot", "Time per output token", "ms", Better::lower, "Workload",
         "Inference only: median_tpot_ms of bench_results.jsonl, else the median of the requests logged beside the "
         "trace, else the time from the end of the GPU work of one engine step that generates to that of the next, "
         "steps with prompts between them included: mean over the running requests of all steps, mean over ranks. A "
         "request that joins waits since its own prompt. Of a single step its own time. With speculative decoding, "
         "where a step gives a request several tokens, over the mean acceptance length (of the workload card, a "
         "benchmark's result or a log of requests); no value without one.",
         compute_tpot});
    metric.by_batch = [](const RunAnalysis& analysis) {
        return is_of_steps(analysis, analysis.run().serving.tpot_ms, Latency::per_token)
                   ? waits_by_batch(analysis, Latency::per_token)
                   : std::vector<BatchTime>();
    };
    return metric;
}

Metric inter_token_latency_metric() {
    Metric metric = of_serving(
        {"inter_token_latency", "Inter-token latency", "ms", Better::lower, "Workload",
         "Inference only: median_itl_ms of bench_results.jsonl, else the median gap between the tokens of a request, "
         "of the requests logged beside the trace, else from the end of the GPU work of one engine step that generates "
         "to that of the next, steps with prompts between them included: median over the running requests of all "
         "steps, mean over ranks. A request that joins waits since its own prompt.",
         compute_inter_token_latency});
    metric.by_batch = [](const RunAnalysis& analysis) {
        return is_of_steps(analysis, analysis.run().serving.itl_ms, Latency::between_tokens)
                   ? waits_by_batch(analysis, Latency::between_tokens)
                   : std::vector<BatchTime>();
    };
    metric.of_waits = &WaitSummary::p50_ms;
    return metric;
}

Metric prefill_stall_metric() {
    return of_serving(
        {"prefill_stall", "Stall by a prefill", "ms", Better::lower, "Workload",
         "Inference only: how long running requests stand still while the engine computes prompts alone: from the end "
         "of the GPU work of the last step that generated to that of the last step with prompts before the next one, "
         "median over such stalls, mean over ranks. Details: its share of the time that running requests wait for "
         "tokens. What prompts cost in mixed steps is not known apart.",
         compute_prefill_stall});
}

Metric serving_throughput_metric() {
    return of_serving(
        {"serving_throughput", "Serving throughput", "tokens/s", Better::higher, "Workload",
         "Inference only: tokens that decoding requests received in the engine's steps over the time of all steps, "
         "mean over ranks; counted from the names of the steps. Drafts are no tokens: where steps verify them, "
         "requests receive the mean acceptance length, and without one there is no value. Details: prompt tokens per "
         "second, and the time of a step by kind and batch (by_batch.decode.32: 32 requests; by_batch.prefill.512: 512 "
         "prompt tokens; by_batch.mixed.512_31: both).",
         compute_serving_throughput});
}

} // namespace rankscope
