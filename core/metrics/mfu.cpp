// SPDX-License-Identifier: GPL-3.0-or-later
// Metric mfu: model FLOP/s as a share of what the devices could do. FLOPs a token as in PaLM (Chowdhery et al. 2022,
// appendix B): training 6 (N_active - N_embedding) + 12 L H Q S, inference 2 (...) + 4 L H Q S.
#include "core/analysis/peak_flops.h"
#include "core/metrics/numbers.h"
#include "core/metrics/workload.h"

namespace rankscope {
namespace {

struct Architecture {
    double active_parameters = 0;
    double embedding_parameters = 0;
    double layers = 0;
    double heads = 0;
    double head_size = 0;
};

Result<Architecture> architecture_of(const RunConfig& config) {
    Architecture a;
    const auto active = find_number(config, {"workload.model.model_arch.num_params_active", "workload.model.model_arch.num_params"});
    if (!active)
        return input_error("needs workload_card.yaml: workload.model.model_arch.num_params");
    a.active_parameters = active->value;
    if (const auto embedding = find_number(config, {"workload.model.model_arch.num_params_embedding"}))
        a.embedding_parameters = embedding->value;
    const std::pair<const char*, double*> needed[] = {{"workload.model.model_arch.num_layers", &a.layers},
                                                      {"workload.model.model_arch.num_heads", &a.heads},
                                                      {"workload.model.model_arch.head_dim", &a.head_size}};
    for (const auto& [key, target] : needed) {
        const auto number = find_number(config, {key});
        if (!number)
            return input_error(std::string("needs workload_card.yaml: ") + key);
        *target = number->value;
    }
    return a;
}

double flops_per_token(const Architecture& a, double sequence_length, bool inference) {
    const double weights = a.active_parameters - a.embedding_parameters;
    const double attention = a.layers * a.heads * a.head_size * sequence_length;
    return inference ? 2 * weights + 4 * attention : 6 * weights + 12 * attention;
}

std::string device_name(const Run& run) {
    const std::vector<Device>& devices = run.ranks.front()->devices;
    return !devices.empty() ? devices.front().name : find_text(run.config, {"workload.hardware.xpu_spec.model"});
}

MetricResult compute(const RunAnalysis& analysis) {
    const Run& run = analysis.run();
    const auto architecture = architecture_of(run.config);
    if (!architecture)
        return MetricResult::unavailable(architecture.error().message);
    const auto step = step_tokens(run.config);
    if (!step)
        return MetricResult::unavailable(step.error().message);
    IterationTime time = iteration_time(analysis);
    if (!time.seconds && run.serving.average_latency_s)
        time.seconds = run.serving.average_latency_s;
    if (!time.seconds || *time.seconds <= 0)
        return MetricResult::unavailable(time.reason);

    const Precision precision = precision_of(find_text(run.config, {"workload.model.precision"}));
    // The card's model names the device where the trace only says "AMD Radeon Graphics".
    auto peak = peak_tflops(device_name(run), precision);
    if (!peak)
        peak = peak_tflops(find_text(run.config, {"workload.hardware.xpu_spec.model"}), precision);
    if (!peak)
        return MetricResult::unavailable("no peak throughput known for device \"" + device_name(run) + "\" at " +
                                         std::string(precision_word(precision)));
    const double per_token = flops_per_token(*architecture, step->sequence_length, is_inference(run.config));
    const double achieved = per_token * step->tokens() / *time.seconds / 1e12; // TFLOP/s of the job
    const double possible = *peak * device_count(run);
    Json details = Json::object();
    details["achieved_tflops_per_gpu"] = achieved / device_count(run);
    details["peak_tflops_per_gpu"] = *peak;
    details["precision"] = precision_word(precision);
    details["flops_per_token"] = per_token;
    details["tokens_per_step"] = step->tokens();
    details["step_seconds"] = *time.seconds;
    details["method"] = "workload_card";
    return MetricResult::of(100 * achieved / possible, std::move(details));
}

} // namespace

Metric mfu_metric() {
    return {"mfu",
            "Model FLOP/s utilisation",
            "%",
            Better::higher,
            "Workload",
            "FLOPs the model needs for the tokens of a step, over the step's time and the peak dense throughput of all devices.",
            compute};
}

} // namespace rankscope
