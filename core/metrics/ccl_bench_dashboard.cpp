// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/ccl_bench_dashboard.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/metrics/ccl_bench_numbers.h"
#include "core/metrics/numbers.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

/// A latency of serving in seconds. Theirs is the host's of vLLM's executions.
DashboardNumber seconds_of(const RunAnalysis& analysis, std::string_view id) {
    const MetricResult result = find_metric(id)->compute(analysis);
    const double theirs = result.details.contains("compat_ccl_bench_ms")
                              ? result.details["compat_ccl_bench_ms"].get<double>()
                              : kNoNumber;
    return {result.available ? result.value / 1e3 : kNoNumber, theirs / 1e3};
}
DashboardNumber ttft_seconds(const RunAnalysis& analysis) { return seconds_of(analysis, "ttft"); }
DashboardNumber tpot_seconds(const RunAnalysis& analysis) { return seconds_of(analysis, "tpot"); }

/// A rate of the benchmark beside the trace.
DashboardNumber benchmarked(const RunAnalysis& analysis, const char* ours, const char* theirs) {
    const auto number = [&](const char* key) {
        const auto found = find_number(analysis.run().config, {key});
        return found ? found->value : kNoNumber;
    };
    return {number(ours), number(theirs)};
}

DashboardNumber output_throughput(const RunAnalysis& analysis) {
    DashboardNumber number =
        benchmarked(analysis, "benchmark.output_throughput", "benchmark.ccl_bench.output_throughput");
    if (std::isnan(number.ours))
        if (const MetricResult of_steps = find_metric("serving_throughput")->compute(analysis); of_steps.available)
            number.ours = of_steps.value;
    return number;
}

DashboardNumber request_throughput(const RunAnalysis& analysis) {
    return benchmarked(analysis, "benchmark.request_throughput", "benchmark.ccl_bench.request_throughput");
}

struct DashboardMetric {
    std::string_view id;
    std::string_view unit;
    Better better;
    std::string_view definition;
    DashboardNumber (*compute)(const RunAnalysis&);
    bool ours = true;                              ///< false: a metric of ours has the name
    Json (*details)(const RunAnalysis&) = nullptr; ///< beside our number
};

constexpr std::array kDashboardMetrics{
    DashboardMetric{"avg_step_time", "s", Better::lower,
                    "Mean time of a step on the host without the first and the last, then over ranks: profiler steps, "
                    "else executions of vLLM, else batches of SGLang.",
                    dashboard::avg_step_time},
    DashboardMetric{"ttft", "s", Better::lower, "Time to first token.", ttft_seconds, false},
    DashboardMetric{"tpot", "s", Better::lower, "Time per output token.", tpot_seconds, false},
    DashboardMetric{"traffic_window", "s", Better::lower,
                    "Time in kernels of NCCL for an iteration and a GPU; an iteration is a call of "
                    "RedistributeBackward on the first rank.",
                    dashboard::traffic_time, false},
    DashboardMetric{"output_throughput", "tokens/s", Better::higher,
                    "Tokens that requests receive in a second: by the results of a benchmark beside the trace, else by "
                    "the engine's steps.",
                    output_throughput},
    DashboardMetric{"request_throughput", "requests/s", Better::higher,
                    "Requests that are served in a second, by the results of a benchmark beside the trace.",
                    request_throughput},
    DashboardMetric{"mean_sm_coverage", "%", Better::higher,
                    "Mean of min(blocks per SM, 1) over kernels, weighted by their time; theirs is not weighted for "
                    "Nsight Systems.",
                    dashboard::mean_sm_coverage},
    DashboardMetric{"dominant_kernel_concentration", "%", Better::lower,
                    "Share of the kernel that takes most time in the time of all kernels.",
                    dashboard::dominant_kernel_concentration},
    DashboardMetric{"moe_fraction", "%", Better::none,
                    "Share of kernels of experts in the time of all kernels; theirs counts all names with topk, "
                    "combine or gate_ of Kineto traces.",
                    dashboard::moe_fraction},
    DashboardMetric{"total_kernel_time", "s", Better::lower, "Times of all kernels of all ranks added.",
                    dashboard::total_kernel_time},
    DashboardMetric{"average_memory_bandwidth", "GB/s", Better::higher, "Bytes of copies over their time.",
                    dashboard::average_memory_bandwidth},
    DashboardMetric{"memory_transfer_overhead", "%", Better::lower,
                    "Time with copies from a rank's first GPU work to its last, mean over ranks.",
                    dashboard::memory_transfer_overhead},
    DashboardMetric{"communication_fraction", "%", Better::lower,
                    "Share of communication in the time of kernels, mean over steps without the first and the last, "
                    "then ranks.",
                    dashboard::communication_fraction},
    DashboardMetric{"communication_ratio", "%", Better::lower,
                    "Share of communication in the time of all kernels of all ranks.", dashboard::communication_ratio},
    DashboardMetric{"total_communication_time", "s", Better::lower,
                    "Time with communication in a step, without the first and the last, mean over ranks.",
                    dashboard::total_communication_time},
    DashboardMetric{"compute_comm_overlap", "%", Better::higher,
                    "Share of the time with communication that computation runs beside, in the steps without the "
                    "first and the last, mean over ranks.",
                    dashboard::compute_comm_overlap},
    DashboardMetric{"bandwidth_utilization_allgather_group_6", "GB/s", Better::higher,
                    "Median bus bandwidth of all-gathers.", dashboard::all_gather_bandwidth},
    DashboardMetric{"bandwidth_utilization_allreduce_group_6", "GB/s", Better::higher,
                    "Median bus bandwidth of all-reduces.", dashboard::all_reduce_bandwidth},
    DashboardMetric{"bandwidth_utilization_alltoall_group_6", "GB/s", Better::higher,
                    "Median bus bandwidth of all-to-alls.", dashboard::all_to_all_bandwidth},
    DashboardMetric{"bandwidth_utilization_reducescatter_group_6", "GB/s", Better::higher,
                    "Median bus bandwidth of reduce-scatters.", dashboard::reduce_scatter_bandwidth},
    DashboardMetric{"bandwidth_utilization_peertopeer_group_6", "GB/s", Better::higher, "Median bandwidth of messages.",
                    dashboard::message_bandwidth},
    DashboardMetric{"load_imbalance_ratio", "x", Better::lower,
                    "Longest over shortest time that a rank computes; theirs counts communication as work.",
                    dashboard::load_imbalance_ratio},
    DashboardMetric{"straggler", "ratio", Better::lower,
                    "(longest - shortest) / longest time that a rank computes; theirs is of the time in NCCL.",
                    dashboard::straggler},
    DashboardMetric{"aggregate_gpu_utilization", "%", Better::higher,
                    "Time with kernels from a rank's first to its last, mean over ranks.",
                    dashboard::aggregate_gpu_utilization},
    DashboardMetric{"network_utilization", "GB/s", Better::higher,
                    "Bytes that a rank puts into collectives over its recorded time, mean over ranks.",
                    dashboard::network_utilization},
    DashboardMetric{"hockney_alpha_s", "s", Better::lower,
                    "Latency of a send of a ring: all-reduces of S bytes on n ranks take 2(n-1)(alpha + beta S/n), by "
                    "least squares over whole calls, from the last arrival to the last end.",
                    dashboard::hockney_alpha, true, dashboard::own_link_fits},
    DashboardMetric{"hockney_beta_s_per_byte", "s/byte", Better::lower,
                    "Time of a byte of a send of a ring: beta of hockney_alpha_s.", dashboard::hockney_beta, true,
                    dashboard::own_link_fits},
    DashboardMetric{"hockney_inverse_beta_Bps", "byte/s", Better::higher,
                    "Bandwidth of a send of a ring: 1/beta of hockney_alpha_s.", dashboard::hockney_inverse_beta, true,
                    dashboard::own_link_fits},
    DashboardMetric{"gpu_step_score", "x", Better::higher,
                    "Half of 16 over the GPUs and half of 0.44 s over avg_step_time.", dashboard::gpu_step_score},
};

struct NotMeasured {
    std::string_view name;
    std::string_view instead;
    bool simulated = false; ///< its tool runs Astra-sim
};

/// The other names of its tools/main.py.
constexpr std::array kNotMeasured{
    NotMeasured{"achieved_flops_from_trace_json", "roofline"},
    NotMeasured{"allreduce_comm_time_s", "comm_bandwidth"},
    NotMeasured{"avg_comm_bandwidth_GBps", "comm_bandwidth"},
    NotMeasured{"avg_comm_kernel_time_s", "kernel_breakdown"},
    NotMeasured{"bandwidth_utilization", "comm_bandwidth"},
    NotMeasured{"break_down_steps", "temporal_breakdown"},
    NotMeasured{"collective_vol_allgather_gb", "traffic_distribution"},
    NotMeasured{"collective_vol_allreduce_gb", "traffic_distribution"},
    NotMeasured{"collective_vol_alltoall_gb", "traffic_distribution"},
    NotMeasured{"collective_vol_reducescatter_gb", "traffic_distribution"},
    NotMeasured{"collective_vol_total_gb", "traffic_distribution"},
    NotMeasured{"comm_kernel_breakdown_tpu", "kernel_breakdown"},
    NotMeasured{"communication_overhead", "communication_fraction"},
    NotMeasured{"communication_overlap_ratio", "compute_comm_overlap"},
    NotMeasured{"compute_bound_fraction", "roofline"},
    NotMeasured{"compute_utilization_proxy", "gpu_timeline"},
    NotMeasured{"estimated_bandwidth", "comm_bandwidth"},
    NotMeasured{"estimated_throughput_tokens_per_s", "throughput_tokens"},
    NotMeasured{"estimated_total_tokens", "throughput_tokens"},
    NotMeasured{"flops_per_token_used", "mfu"},
    NotMeasured{"kernel_compute_time_group_6", "kernel_breakdown"},
    NotMeasured{"memory_bound_fraction", "roofline"},
    NotMeasured{"num_comm_kernels", "coll_call_num"},
    NotMeasured{"scale_up_bw_utility", "--what-if comm=2x", true},
    NotMeasured{"straggler_metrics", "straggler_lag"},
    NotMeasured{"throughput", "throughput_tokens"},
    NotMeasured{"throughput_group_6", "output_throughput"},
    NotMeasured{"total_comm_time_s", "total_communication_time"},
    NotMeasured{"total_compute_time_s", "gpu_timeline"},
    NotMeasured{"total_model_flops_from_args", "mfu"},
    NotMeasured{"total_trace_time", "gpu_timeline"},
    NotMeasured{"tpot_group_6", "tpot"},
    NotMeasured{"ttft_group_6", "ttft"},
    NotMeasured{"wall_time_s", "gpu_timeline"},
};

MetricResult dashboard_result(double value, std::optional<double> beside, Json details = Json::object()) {
    if (beside)
        put(details, "compat_ccl_bench", rounded(*beside));
    if (!std::isfinite(value))
        return MetricResult::unavailable("the run does not hold what the metric measures"_text, std::move(details));
    return MetricResult::of(value, std::move(details));
}

MetricPointer dashboard_metric(const DashboardMetric& of, bool theirs) {
    Metric metric;
    metric.id = (theirs ? "ccl_bench_" : "") + std::string(of.id);
    metric.title = theirs ? "CCL-Bench's " + std::string(of.id) : std::string(of.id);
    metric.unit = of.unit;
    metric.better = of.better;
    metric.topic = "CCL-Bench";
    metric.stands_for_itself = true;
    metric.definition =
        theirs ? "By the rule of CCL-Bench's tool: " + std::string(of.definition) : std::string(of.definition);
    metric.compute = [compute = of.compute, details = of.details, theirs](const RunAnalysis& analysis) {
        const DashboardNumber number = compute(analysis);
        return theirs ? dashboard_result(number.theirs, {})
                      : dashboard_result(number.ours, number.theirs, details ? details(analysis) : Json::object());
    };
    return std::make_shared<const Metric>(std::move(metric));
}

} // namespace

const MetricList& ccl_bench_dashboard() {
    static const MetricList all = [] {
        MetricList list;
        for (const DashboardMetric& metric : kDashboardMetrics) {
            if (metric.ours)
                list.push_back(dashboard_metric(metric, false));
            list.push_back(dashboard_metric(metric, true));
        }
        return list;
    }();
    return all;
}

std::optional<Message> not_measured_of_ccl_bench(std::string_view name) {
    const auto found = std::ranges::find(kNotMeasured, name, &NotMeasured::name);
    if (found == kNotMeasured.end())
        return std::nullopt;
    const std::string instead(found->instead);
    return found->simulated
               ? "\"%1\" of CCL-Bench needs a simulation with Astra-sim; nearest: %2"_text(std::string(name), instead)
               : "\"%1\" of CCL-Bench is not measured; nearest: %2"_text(std::string(name), instead);
}

} // namespace rankscope
