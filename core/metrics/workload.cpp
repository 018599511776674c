// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/workload.h"

#include "core/analysis/graph/step_time.h"
#include "core/analysis/steps/step_windows.h"

namespace rankscope {

Metric iter_time_metric();

IterationTime iteration_time(const RunAnalysis& analysis) {
    const MetricResult result = iter_time_metric().compute(analysis);
    if (!result.available)
        return {{}, result.reason};
    if (result.value <= 0)
        return {{}, "the iterations take no time"_text};
    // Where the host runs ahead, iter_time is how long it launches; the work of a step takes what the GPU does.
    const StepGraph& graph = analysis.step_graph();
    const double on_gpu = graph.size() == 0 ? 0 : mean_step_time(graph, graph.start, graph.times) / 1e6;
    return {(host_runs_ahead(result.value, on_gpu) ? on_gpu : result.value) / 1e3, {}};
}

tl::expected<StepTokens, Message> step_tokens(const RunConfig& config) {
    StepTokens step;
    if (const auto global = find_number(config, {"workload.data.batch_size"})) {
        step.batch_size = global->value;
        step.batch_source = global->key;
    } else if (const auto local = find_number(
                   config, {"train_config.training.local_batch_size", "train_config.training.batch_size"})) {
        const Parallelism p = parallelism_of(config);
        // torchtitan's -1 means "what is left"; only a positive degree is a factor.
        const auto factor = [](const std::optional<Setting>& degree) {
            return degree && degree->value > 0 ? degree->value : 1.0;
        };
        step.batch_size = local->value * factor(p.dp_replicate) * factor(p.dp_shard);
        step.batch_source = local->key + " x dp_replicate x dp_shard";
    } else {
        return tl::unexpected<Message>(
            "needs workload_card.yaml: workload.data.batch_size, or train_config.toml: training.local_batch_size"_text);
    }
    const auto length = find_number(config, {"workload.data.seq_len", "train_config.training.seq_len"});
    if (!length)
        return tl::unexpected<Message>(
            "needs workload_card.yaml: workload.data.seq_len, or train_config.toml: training.seq_len"_text);
    step.sequence_length = length->value;
    if (step.tokens() <= 0)
        return tl::unexpected<Message>("batch size and sequence length must be positive"_text);
    return step;
}

double device_count(const Run& run) {
    const auto count = find_number(run.config, {"workload.hardware.xpu_spec.total_count"});
    return count && count->value >= 1 ? count->value : static_cast<double>(run.world_size);
}

std::string run_device_name(const Run& run) {
    const bool named =
        !run.ranks.empty() && !run.ranks.front()->devices.empty() && !run.ranks.front()->devices.front().name.empty();
    return named ? run.ranks.front()->devices.front().name
                 : find_text(run.config, {"workload.hardware.xpu_spec.model"});
}

bool is_inference(const RunConfig& config) {
    return find_text(config, {"workload.model.phase"}).starts_with("inference");
}

} // namespace rankscope
