// SPDX-License-Identifier: GPL-3.0-or-later
// Metric comm_comp_overlap: how much of the communication computation hides.
#include "core/metrics/evidence.h"
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"

#include <algorithm>

namespace rankscope {
namespace {

Json hta_overlap_json(const std::vector<TemporalBreakdown>& breakdowns) {
    Json ranks = Json::array();
    for (const TemporalBreakdown& b : breakdowns) {
        Json entry{{"rank", b.rank}};
        put(entry, "overlap_percent", b.comm_comp_overlap_percent);
        ranks.push_back(std::move(entry));
    }
    return {{"per_rank", std::move(ranks)}};
}

/// CCL-Bench reads one file only; which one depends on the file system. Here it is the lowest rank's.
Json ccl_bench_overlap(const CclBenchCounts& counts) {
    const auto ratio = [&](TimeNs whole) {
        return std::min(1.0, static_cast<double>(counts.overlap_time) / static_cast<double>(whole));
    };
    Json json{{"comm_time_ms", as_ms(counts.comm_time)},
              {"comp_time_ms", as_ms(counts.comp_time)},
              {"overlap_time_ms", as_ms(counts.overlap_time)},
              {"num_comm_kernels", counts.comm_events},
              {"num_comp_kernels", counts.comp_events}};
    if (counts.comm_time > 0)
        json["overlap_ratio_of_comm"] = ratio(counts.comm_time);
    if (counts.comp_time > 0)
        json["overlap_ratio_of_comp"] = ratio(counts.comp_time);
    return json;
}

MetricResult compute_comm_comp_overlap(const RunAnalysis& analysis) {
    std::vector<double> of_comm;
    std::vector<double> of_compute;
    std::vector<RankValue> by_rank;
    Json ranks = Json::array();
    for (const RankAnalysis& rank : analysis.ranks()) {
        const GpuTimeline& t = rank.timeline;
        if (t.total_comm == 0)
            continue;
        Json entry{{"rank", rank.trace->rank},
                   {"overlap_us", as_us(t.overlap)},
                   {"total_comm_us", as_us(t.total_comm)},
                   {"exposed_comm_us", as_us(t.exposed_comm)},
                   {"computation_us", as_us(t.computation)}};
        of_comm.push_back(percent_of(static_cast<double>(t.overlap), static_cast<double>(t.total_comm)));
        entry["overlap_percent"] = rounded(of_comm.back());
        by_rank.push_back({rank.trace->rank, rounded(of_comm.back())});
        if (t.computation > 0) {
            of_compute.push_back(static_cast<double>(t.overlap) / static_cast<double>(t.computation));
            entry["ratio_of_compute"] = rounded(of_compute.back());
        }
        ranks.push_back(std::move(entry));
    }
    if (ranks.empty())
        return MetricResult::unavailable("needs communication kernels"_text);
    Json details = Json::object();
    put(details, "ratio_of_compute", rounded(mean_of(of_compute)));
    details["per_rank"] = std::move(ranks);
    details["compat_hta_default"] = hta_overlap_json(analysis.hta_breakdowns());
    details["compat_hta_include_last_step"] = hta_overlap_json(analysis.hta_breakdowns_with_last());
    details["compat_ccl_bench"] = ccl_bench_overlap(analysis.ccl_bench().front());
    return MetricResult::of(mean_of(of_comm), std::move(details), std::move(by_rank));
}

} // namespace

Metric comm_comp_overlap_metric() {
    Metric metric{
        "comm_comp_overlap",
        "Communication hidden by computation",
        "%",
        Better::higher,
        "Communication",
        "Time in which communication and computation run at once, as a share of the time in which communication "
        "runs, mean over the ranks that communicate.",
        compute_comm_comp_overlap,
        Needs::gpu_work};
    metric.moved_by = {SettingKind::transport, SettingKind::parallelism, SettingKind::work};
    metric.by_iteration = [](const RunAnalysis& analysis) {
        return shares_of_iterations(analysis, &GpuTimeline::overlap, &GpuTimeline::total_comm);
    };
    metric.evidence = longest_call;
    return metric;
}

} // namespace rankscope
