// SPDX-License-Identifier: GPL-3.0-or-later
// Metric temporal_breakdown: the share of GPU time spent computing, with HTA's own numbers beside it.
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

Json hta_breakdown_json(const std::vector<TemporalBreakdown>& breakdowns) {
    Json ranks = Json::array();
    for (const TemporalBreakdown& b : breakdowns) {
        if (b.kernel_us == 0)
            continue;
        Json entry{{"rank", b.rank},
                   {"idle_time_us", b.idle_us},
                   {"compute_time_us", b.compute_us},
                   {"non_compute_time_us", b.non_compute_us},
                   {"kernel_time_us", b.kernel_us}};
        put(entry, "idle_percent", b.idle_percent);
        put(entry, "compute_percent", b.compute_percent);
        put(entry, "non_compute_percent", b.non_compute_percent);
        ranks.push_back(std::move(entry));
    }
    return {{"per_rank", std::move(ranks)}};
}

/// Two decimals, as HTA prints percentages.
double two_decimals(double percent) { return std::nearbyint(percent * 100.0) / 100.0; }

MetricResult compute_temporal_breakdown(const RunAnalysis& analysis) {
    std::vector<double> compute_percents;
    std::vector<RankValue> by_rank;
    Json ranks = Json::array();
    for (const RankAnalysis& rank : analysis.ranks()) {
        const GpuTimeline& t = rank.timeline;
        if (t.total == 0)
            continue;
        const TimeNs non_compute = t.total - t.idle - t.computation;
        const auto share = [&](TimeNs part) {
            return percent_of(static_cast<double>(part), static_cast<double>(t.total));
        };
        compute_percents.push_back(share(t.computation));
        by_rank.push_back({rank.trace->rank, two_decimals(share(t.computation))});
        ranks.push_back({{"rank", rank.trace->rank},
                         {"idle_time_us", as_us(t.idle)},
                         {"compute_time_us", as_us(t.computation)},
                         {"non_compute_time_us", as_us(non_compute)},
                         {"kernel_time_us", as_us(t.total)},
                         {"idle_percent", two_decimals(share(t.idle))},
                         {"compute_percent", two_decimals(share(t.computation))},
                         {"non_compute_percent", two_decimals(share(non_compute))}});
    }
    if (ranks.empty())
        return MetricResult::unavailable("needs GPU events: kernels, copies or sets"_text);
    Json details{{"per_rank", std::move(ranks)}};
    details["compat_hta_default"] = hta_breakdown_json(analysis.hta_breakdowns());
    details["compat_hta_include_last_step"] = hta_breakdown_json(analysis.hta_breakdowns_with_last());
    return MetricResult::of(mean_of(compute_percents), std::move(details), std::move(by_rank));
}

} // namespace

Metric temporal_breakdown_metric() {
    Metric metric{
        "temporal_breakdown",
        "Compute share of GPU time",
        "%",
        Better::higher,
        "GPU time",
        "Time in which computation runs, as a share of the time from the first GPU event's start to the last one's "
        "end, mean over ranks; the rest is idle or communication and copies that nothing hides (HTA's temporal "
        "breakdown, exact and without its step filter).",
        compute_temporal_breakdown,
        Needs::gpu_work};
    metric.of_iteration = OfIteration::used_share;
    metric.moved_by = {SettingKind::transport, SettingKind::parallelism};
    metric.by_iteration = [](const RunAnalysis& analysis) {
        return shares_of_iterations(analysis, &GpuTimeline::computation, &GpuTimeline::total);
    };
    return metric;
}

} // namespace rankscope
