// SPDX-License-Identifier: GPL-3.0-or-later
// Metric pipeline_bubble: the share of a step in which a pipeline stage waits for its neighbours.
#include <limits>
#include <map>

#include "core/analysis/compat/ccl_bench_pipeline.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

/// Sums over steps.
struct Sums {
    StepBubble time; ///< its window is not used
    TimeNs window = 0;
    std::int64_t steps = 0;
    double shares = 0;

    void add(const StepBubble& step) {
        time.compute += step.compute;
        time.warmup += step.warmup;
        time.steady += step.steady;
        time.cooldown += step.cooldown;
        time.unplaced += step.unplaced;
        time.exposed_comm += step.exposed_comm;
        time.other += step.other;
        window += step.window.length();
        ++steps;
        shares += static_cast<double>(step.bubble()) / static_cast<double>(step.window.length());
    }
    [[nodiscard]] Json json() const {
        const auto mean = [&](TimeNs sum) { return rounded_us(static_cast<double>(sum) / static_cast<double>(steps)); };
        Json json{{"bubble_percent", rounded(100 * shares / static_cast<double>(steps))},
                  {"bubble_us", mean(time.bubble())},
                  {"warmup_us", mean(time.warmup)},
                  {"steady_us", mean(time.steady)},
                  {"cooldown_us", mean(time.cooldown)}};
        if (time.unplaced > 0)
            json["unplaced_us"] = mean(time.unplaced);
        json["exposed_comm_us"] = mean(time.exposed_comm);
        json["other_idle_us"] = mean(time.other);
        json["compute_us"] = mean(time.compute);
        json["step_us"] = mean(window);
        return json;
    }
};

Json bubble_of_ccl_bench(const RunAnalysis& analysis) {
    const CclBenchBubble bubble = ccl_bench_bubble(analysis.run());
    Json json = Json::object();
    put(json, "bubble_ratio",
        bubble.total > 0 ? static_cast<double>(bubble.bubble) / static_cast<double>(bubble.total)
                         : std::numeric_limits<double>::quiet_NaN());
    json["bubble_time_ms"] = as_ms(bubble.bubble);
    json["total_time_ms"] = as_ms(bubble.total);
    json["num_ranks"] = analysis.ranks().size();
    return json;
}

MetricResult compute_pipeline_bubble(const RunAnalysis& analysis) {
    const PipelineAnalysis& pipeline = analysis.pipeline();
    if (!pipeline.unavailable.empty())
        return MetricResult::unavailable(pipeline.unavailable, {{"compat_ccl_bench", bubble_of_ccl_bench(analysis)}});
    std::map<std::uint32_t, Sums> ranks;
    std::map<int, Sums> stages;
    for (const StepBubble& step : pipeline.steps) {
        if (step.window.empty())
            continue;
        ranks[step.rank].add(step);
        stages[pipeline.stages[step.rank]].add(step);
    }
    if (ranks.empty())
        return MetricResult::unavailable("needs GPU work inside the selected steps"_text);
    double sum = 0;
    std::vector<RankValue> by_rank;
    Json details{{"method", bubble_method_word(pipeline.method)}};
    if (pipeline.ideal)
        details["ideal_percent"] = rounded(100 * *pipeline.ideal);
    details["schedule"] = schedule_word(pipeline.schedule);
    if (pipeline.schedule == ScheduleKind::dualpipe || pipeline.schedule == ScheduleKind::dualpipev)
        details["schedule_variant"] = schedule_name(pipeline.schedule);
    if (pipeline.chunks)
        details["model_chunks"] = *pipeline.chunks;
    if (pipeline.busiest_stage >= 0) {
        details["busiest_stage"] = pipeline.busiest_stage;
        details["stage_imbalance"] = rounded(pipeline.imbalance);
    }
    if (pipeline.stage_count)
        details["stages"] = *pipeline.stage_count;
    if (pipeline.microbatches)
        details["microbatches"] = *pipeline.microbatches;
    details["per_rank"] = Json::array();
    for (const auto& [index, sums] : ranks) {
        Json json{{"rank", analysis.run().ranks[index]->rank}};
        if (pipeline.stages[index] >= 0)
            json["stage"] = pipeline.stages[index];
        json.update(sums.json());
        by_rank.push_back({analysis.run().ranks[index]->rank, json["bubble_percent"].get<double>()});
        details["per_rank"].push_back(std::move(json));
        sum += sums.shares / static_cast<double>(sums.steps);
    }
    details["per_stage"] = Json::array();
    for (const auto& [stage, sums] : stages) {
        if (stage >= 0) {
            Json json{{"stage", stage}};
            json.update(sums.json());
            details["per_stage"].push_back(std::move(json));
        }
    }
    details["compat_ccl_bench"] = bubble_of_ccl_bench(analysis);
    return MetricResult::of(rounded(100 * sum / static_cast<double>(ranks.size())), std::move(details),
                            std::move(by_rank));
}

StepValues bubbles_by_iteration(const RunAnalysis& analysis) {
    StepValues bubbles;
    for (const StepBubble& step : analysis.pipeline().steps)
        if (!step.window.empty())
            bubbles[step.step].push_back(
                percent_of(static_cast<double>(step.bubble()), static_cast<double>(step.window.length())));
    return bubbles;
}

std::optional<Evidence> longest_bubble(const RunAnalysis& analysis) {
    std::optional<Evidence> longest;
    for (const StepBubble& step : analysis.pipeline().steps)
        for (const BubbleSpan& span : step.spans)
            if (!longest || span.range.length() > longest->range.length())
                longest = Evidence{analysis.run().ranks[step.rank]->rank, span.range};
    return longest;
}

} // namespace

Metric pipeline_bubble_metric() {
    Metric metric{"pipeline_bubble",
                  "Pipeline bubble",
                  "%",
                  Better::lower,
                  "Iterations",
                  "Share of a step's GPU window in which a rank computes nothing because it waits for a message of its "
                  "pipeline neighbours, mean over ranks. ideal_percent: (stages - 1) / (microbatches + stages - 1).",
                  compute_pipeline_bubble,
                  Needs::gpu_work};
    metric.of_iteration = OfIteration::lost_share;
    metric.moved_by = {SettingKind::parallelism, SettingKind::pipeline};
    metric.by_iteration = bubbles_by_iteration;
    metric.evidence = longest_bubble;
    return metric;
}

} // namespace rankscope
