// SPDX-License-Identifier: GPL-3.0-or-later
// Metric mfu: model FLOP/s as a share of what the devices could do. FLOPs a token as in PaLM (Chowdhery et al. 2022,
// appendix B): training 6 (N_active - N_embedding) + 12 L H Q S, inference 2 (...) + 4 L H Q S.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/analysis/operators/peak_flops.h"
#include "core/analysis/operators/roofline.h"
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

tl::expected<Architecture, Message> architecture_of(const RunConfig& config) {
    Architecture a;
    const auto active =
        find_number(config, {"workload.model.model_arch.num_params_active", "workload.model.model_arch.num_params"});
    if (!active)
        return tl::unexpected<Message>("needs workload_card.yaml: %1"_text("workload.model.model_arch.num_params"));
    const std::string experts = find_text(config, {"workload.model.moe"});
    if ((experts == "true" || experts == "True") && active->key.ends_with("num_params"))
        // A token goes through some of the experts only.
        return tl::unexpected<Message>(
            "needs workload_card.yaml: %1"_text("workload.model.model_arch.num_params_active (moe: true)"));
    a.active_parameters = active->value;
    if (const auto embedding = find_number(config, {"workload.model.model_arch.num_params_embedding"}))
        a.embedding_parameters = embedding->value;
    const std::pair<const char*, double*> needed[] = {{"workload.model.model_arch.num_layers", &a.layers},
                                                      {"workload.model.model_arch.num_heads", &a.heads},
                                                      {"workload.model.model_arch.head_dim", &a.head_size}};
    for (const auto& [key, target] : needed) {
        const auto number = find_number(config, {key});
        if (!number)
            return tl::unexpected<Message>("needs workload_card.yaml: %1"_text(key));
        *target = number->value;
    }
    return a;
}

double flops_per_token(const Architecture& a, double sequence_length, bool inference) {
    const double weights = a.active_parameters - a.embedding_parameters;
    const double attention = a.layers * a.heads * a.head_size * sequence_length;
    return inference ? 2 * weights + 4 * attention : 6 * weights + 12 * attention;
}

/// The card's model names the device where the trace only says "AMD Radeon Graphics".
std::optional<double> device_peak(const RunAnalysis& analysis, Precision precision) {
    const Run& run = analysis.run();
    const std::vector<DevicePeak> own = peaks_of(analysis.run(), analysis.rules().peaks);
    const auto peak = peak_tflops(run_device_name(run), precision, own);
    return peak ? peak : peak_tflops(find_text(run.config, {"workload.hardware.xpu_spec.model"}), precision, own);
}

/// Of a slice of a GPU, that it is one.
void put_slice(const Run& run, Json& details) {
    if (const double share = multiprocessor_share(run); share < 1)
        details["multiprocessors_percent"] = rounded(100 * share);
}

/// What is computed faster than the devices can was not computed: the numbers it is made of do not belong together.
/// mismatch: a text with places for the two rates.
MetricResult share_of_peak(double achieved, double peak, const Text<2>& mismatch, Json details) {
    if (achieved > peak)
        return MetricResult::unavailable(mismatch(fmt::format("{:.0f}", achieved), fmt::format("{:.0f}", peak)),
                                         std::move(details));
    return MetricResult::of(100 * achieved / peak, std::move(details));
}

/// ns, of all ranks: kernels whose names say that they multiply matrices, whatever launched them. What a compiler has
/// put together (torch.compile) is launched by no operator whose FLOPs are known.
double matrix_kernel_time(const RunAnalysis& analysis) {
    std::map<NameId, bool> is_matrix; // by name
    const auto counts = [&](const RankTrace& rank, EventIndex event) {
        const auto [at, first] = is_matrix.try_emplace(rank.events.name[event]);
        if (first) {
            const ComputeKind kind = compute_kind(rank.event_name(event));
            at->second = kind == ComputeKind::gemm || kind == ComputeKind::convolution ||
                         kind == ComputeKind::attention || kind == ComputeKind::experts;
        }
        return at->second;
    };
    double time = 0;
    for (const RankAnalysis& rank : analysis.ranks()) {
        std::vector<TimeRange> kernels;
        for (const GpuSlice& slice : rank.gpu_work)
            if (slice.kernel_class == KernelClass::compute && rank.trace->events.link[slice.event] != kNoEvent &&
                counts(*rank.trace, slice.event))
                kernels.push_back(slice.range);
        time += static_cast<double>(measure(merge(std::move(kernels))));
    }
    return time;
}

/// Without a card: FLOPs of the matrix work seen on the GPUs, over the time it was seen in. needed: why the card gives
/// none.
MetricResult from_operators(const RunAnalysis& analysis, const Message& needed) {
    const Run& run = analysis.run();
    const MatrixFlops flops = matrix_flops(*run.names, analysis.leaves());
    const double total = flops.recorded + flops.by_shape;
    TimeNs time = 0;
    // Work launched before the capture started has no operator, so its time must not count either.
    for (const RankAnalysis& rank : analysis.ranks())
        time += rank.linked_timeline.total - rank.queued();
    if (total == 0 || time == 0)
        return MetricResult::unavailable(
            "%1, or operators with recorded FLOPs (with_flops=True) or shapes (record_shapes=True)"_text(needed));
    const std::string stated = find_text(run.config, {"workload.model.precision"});
    const Precision precision = !stated.empty() || flops.main_type.empty()
                                    ? precision_of(stated)
                                    : matrix_precision(flops.main_type, flops.main_in_tf32);
    const auto peak = device_peak(analysis, precision);
    if (!peak)
        return MetricResult::unavailable("no peak throughput known for device \"%1\" at %2"_text(
            run_device_name(run), std::string(precision_word(precision))));
    constexpr double kNearlyAll = 0.9;
    const double matrix_time = std::max(flops.time, matrix_kernel_time(analysis));
    if (flops.time_with < kNearlyAll * matrix_time)
        return MetricResult::unavailable(
            "%1; or FLOPs of the operators, which are known of %2 % of the time of matrix work only: record with "
            "with_flops=True or record_shapes=True, and without torch.compile"_text(
                needed, fmt::format("{:.0f}", 100 * flops.time_with / matrix_time)));
    const double achieved = total / static_cast<double>(time) / 1000.0; // TFLOP/s of one GPU, mean
    Json details{{"achieved_tflops_per_gpu", achieved}, {"peak_tflops_per_gpu", *peak}};
    put_slice(run, details);
    details["precision"] = precision_word(precision);
    details["recorded_gflops"] = flops.recorded / 1e9;
    details["shape_gflops"] = flops.by_shape / 1e9;
    details["matrix_calls_without_flops"] = flops.calls_without;
    details["gpu_window_us"] = as_us(time);
    details["method"] = flops.recorded == 0   ? "shapes"
                        : flops.by_shape == 0 ? "recorded_flops"
                                              : "recorded_flops_and_shapes";
    return share_of_peak(achieved, *peak,
                         "a GPU would compute %1 TFLOP/s and can do %2 at most: the operators do not compute in the "
                         "precision whose peak that is"_text,
                         std::move(details));
}

MetricResult compute_mfu(const RunAnalysis& analysis) {
    const Run& run = analysis.run();
    const auto architecture = architecture_of(run.config);
    if (!architecture)
        return from_operators(analysis, architecture.error());
    const auto step = step_tokens(run.config);
    if (!step)
        return MetricResult::unavailable(step.error());
    IterationTime time = iteration_time(analysis);
    if (!time.seconds && run.serving.average_latency_s)
        time.seconds = run.serving.average_latency_s;
    if (!time.seconds || *time.seconds <= 0)
        return MetricResult::unavailable(time.reason);

    const Precision precision = precision_of(find_text(run.config, {"workload.model.precision"}));
    const auto peak = device_peak(analysis, precision);
    if (!peak)
        return MetricResult::unavailable("no peak throughput known for device \"%1\" at %2"_text(
            run_device_name(run), std::string(precision_word(precision))));
    const double per_token = flops_per_token(*architecture, step->sequence_length, is_inference(run.config));
    const double achieved = per_token * step->tokens() / *time.seconds / 1e12; // TFLOP/s of the job
    Json details{{"achieved_tflops_per_gpu", achieved / device_count(run)}, {"peak_tflops_per_gpu", *peak}};
    put_slice(run, details);
    details["precision"] = precision_word(precision);
    details["flops_per_token"] = per_token;
    details["tokens_per_step"] = step->tokens();
    details["step_seconds"] = *time.seconds;
    details["method"] = "workload_card";
    return share_of_peak(achieved / device_count(run), *peak,
                         "a GPU would compute %1 TFLOP/s and can do %2 at most: the workload card (parameters, tokens "
                         "of a step, precision) is not of this trace"_text,
                         std::move(details));
}

} // namespace

Metric mfu_metric() {
    Metric metric{
        "mfu",
        "Model FLOP/s utilisation",
        "%",
        Better::higher,
        "Workload",
        "FLOPs the model needs for the tokens of a step, over the step's time and the peak dense throughput of all "
        "devices; of a slice of a GPU, that of its multiprocessors. Without a "
        "workload card: FLOPs of the matrix operators seen, recorded or by shape, over the time from first to last "
        "GPU event whose launch is in the "
        "trace, without the time in which the GPU works off what was queued before the recording; no value if those of "
        "less than nine tenths of the GPU time of matrix work are known.",
        compute_mfu,
        Needs::times};
    metric.moved_by = {SettingKind::transport, SettingKind::parallelism, SettingKind::pipeline,
                       SettingKind::work,      SettingKind::dtype,       SettingKind::device};
    return metric;
}

} // namespace rankscope
