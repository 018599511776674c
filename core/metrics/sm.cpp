// SPDX-License-Identifier: GPL-3.0-or-later
// Metric sm: how much of the device the kernels could fill. Kineto records "blocks per SM" and the estimated occupancy.
#include <algorithm>
#include <cmath>

#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

/// Means weighted by duration; NaN without a kernel that has the value.
struct Coverage {
    double blocks_percent = 0;
    double occupancy_percent = 0;
    std::int64_t kernels = 0;
};

class WeightedMean {
public:
    void add(double value, double weight) {
        if (!std::isfinite(value))
            return;
        sum_ += value * weight;
        weight_ += weight;
    }
    [[nodiscard]] double value() const { return sum_ / weight_; }

private:
    double sum_ = 0;
    double weight_ = 0;
};

void add_rank(const RankAnalysis& rank, WeightedMean& blocks, WeightedMean& occupancy, std::int64_t& kernels) {
    const GpuColumns& gpu = rank.trace->gpu;
    if (gpu.occupancy.empty())
        return;
    for (const GpuSlice& slice : rank.gpu_work) {
        if (rank.trace->events.kind[slice.event] != EventKind::kernel)
            continue;
        const auto weight = static_cast<double>(slice.range.length());
        const auto [per_sm, percent] = gpu.occupancy_of(slice.event);
        blocks.add(std::isfinite(per_sm) ? std::min(double{per_sm}, 1.0) * 100 : double{per_sm}, weight);
        occupancy.add(percent, weight);
        kernels += std::isfinite(per_sm);
    }
}

Coverage coverage_of(const RankAnalysis& rank) {
    WeightedMean blocks;
    WeightedMean occupancy;
    Coverage coverage;
    add_rank(rank, blocks, occupancy, coverage.kernels);
    coverage.blocks_percent = blocks.value();
    coverage.occupancy_percent = occupancy.value();
    return coverage;
}

/// Nsight Systems samples how many multiprocessors are active: mean over the samples while the rank's selected GPU work
/// lasts.
void add_samples(const RankAnalysis& rank, WeightedMean& active) {
    if (rank.gpu_work.empty())
        return;
    TimeRange span = rank.gpu_work.front().range;
    for (const GpuSlice& slice : rank.gpu_work)
        span.end = std::max(span.end, slice.range.end);
    for (const CounterSample& sample : rank.trace->counters)
        if (span.contains(sample.time) && rank.trace->names->view(sample.series).starts_with("SMs Active"))
            active.add(sample.value, 1);
}

MetricResult compute_sm(const RunAnalysis& analysis) {
    WeightedMean blocks;
    WeightedMean occupancy;
    WeightedMean active;
    std::int64_t kernels = 0;
    std::vector<RankValue> by_rank;
    Json ranks = Json::array();
    for (const RankAnalysis& rank : analysis.ranks()) {
        add_rank(rank, blocks, occupancy, kernels);
        const Coverage coverage = coverage_of(rank);
        Json entry{{"rank", rank.trace->rank}, {"kernels", coverage.kernels}};
        put(entry, "coverage_percent", rounded(coverage.blocks_percent));
        if (std::isfinite(coverage.blocks_percent))
            by_rank.push_back({rank.trace->rank, rounded(coverage.blocks_percent)});
        put(entry, "occupancy_percent", rounded(coverage.occupancy_percent));
        WeightedMean active_here;
        add_samples(rank, active_here);
        add_samples(rank, active);
        put(entry, "sm_active_percent", rounded(active_here.value()));
        ranks.push_back(std::move(entry));
    }
    if (!std::isfinite(blocks.value()) && !std::isfinite(active.value()))
        return MetricResult::unavailable(
            "needs \"blocks per SM\" of kernels, which traces from AMD devices do not record; of Nsight Systems the "
            "list of GPUs (TARGET_INFO_GPU) or sampled GPU metrics (--gpu-metrics-devices)"_text);
    Json details = Json::object();
    details["method"] = std::isfinite(blocks.value()) ? "blocks" : "gpu_metrics";
    put(details, "sm_active_percent", rounded(active.value()));
    put(details, "occupancy_percent", rounded(occupancy.value()));
    details["kernels"] = kernels;
    details["per_rank"] = std::move(ranks);
    return MetricResult::of(std::isfinite(blocks.value()) ? blocks.value() : active.value(), std::move(details),
                            std::move(by_rank));
}

} // namespace

Metric sm_metric() {
    Metric metric{
        "sm",
        "SM coverage",
        "%",
        Better::higher,
        "Kernels",
        "Mean of min(blocks per SM, 1) over all kernels, weighted by their duration; details have the estimated "
        "achieved occupancy, and the active multiprocessors where Nsight Systems sampled them (the value, where "
        "nothing else is known).",
        compute_sm};
    metric.moved_by = {SettingKind::work, SettingKind::device};
    return metric;
}

} // namespace rankscope
