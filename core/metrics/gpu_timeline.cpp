// SPDX-License-Identifier: GPL-3.0-or-later
// Metric gpu_timeline: where the GPUs' time went; the headline is the share in which they did nothing.
#include "core/metrics/gpu_timeline_json.h"
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"

namespace rankscope {

Json gpu_timeline_json(const GpuTimeline& t) {
    return {{"total_us", as_us(t.total)},
            {"busy_us", as_us(t.busy)},
            {"computation_us", as_us(t.computation)},
            {"total_comm_us", as_us(t.total_comm)},
            {"exposed_comm_us", as_us(t.exposed_comm)},
            {"total_memcpy_us", as_us(t.total_memcpy)},
            {"exposed_memcpy_us", as_us(t.exposed_memcpy)},
            {"idle_us", as_us(t.idle)},
            {"overlap_us", as_us(t.overlap)},
            {"micro_idle_us", as_us(t.micro_idle)},
            {"macro_idle_us", as_us(t.idle - t.micro_idle)}};
}

namespace {

/// Per rank, and the means over ranks of the times and of their percentages of each rank's own total.
struct TimelineSummary {
    double idle_percent = 0;
    std::vector<RankValue> idle_by_rank;
    Json details = Json::object();
};

TimelineSummary summarise(const RunAnalysis& analysis, GpuTimeline RankAnalysis::*timeline) {
    std::vector<double> idle_percents;
    std::vector<RankValue> idle_by_rank;
    Json ranks = Json::array();
    std::vector<std::pair<std::string, std::pair<double, double>>> sums; // field -> (sum of us, sum of percents)
    for (const RankAnalysis& rank : analysis.ranks()) {
        const GpuTimeline& t = rank.*timeline;
        if (t.total == 0)
            continue;
        const Json fields = gpu_timeline_json(t);
        Json entry{{"rank", rank.trace->rank}};
        entry.update(fields);
        idle_percents.push_back(percent_of(static_cast<double>(t.idle), static_cast<double>(t.total)));
        entry["idle_percent"] = rounded(idle_percents.back());
        idle_by_rank.push_back({rank.trace->rank, rounded(idle_percents.back())});
        ranks.push_back(std::move(entry));
        sums.resize(fields.size());
        std::size_t i = 0;
        for (const auto& [key, value] : fields.items()) {
            sums[i].first = key.substr(0, key.size() - 3); // without "_us"
            sums[i].second.first += value.get<double>();
            sums[i++].second.second += percent_of(value.get<double>() * 1000.0, static_cast<double>(t.total));
        }
    }
    TimelineSummary summary{mean_of(idle_percents), std::move(idle_by_rank), Json::object()};
    const auto count = static_cast<double>(idle_percents.size());
    for (const auto& [field, sum] : sums)
        summary.details[field + "_us"] = rounded_us(sum.first / count * 1000.0);
    for (const auto& [field, sum] : sums)
        summary.details[field + "_percent"] = rounded(sum.second / count);
    summary.details["per_rank"] = std::move(ranks);
    return summary;
}

MetricResult compute_gpu_timeline(const RunAnalysis& analysis) {
    TimelineSummary all = summarise(analysis, &RankAnalysis::timeline);
    if (all.details["per_rank"].empty())
        return MetricResult::unavailable("needs GPU events: kernels, copies or sets"_text);
    TimeNs queued = 0;
    for (const RankAnalysis& rank : analysis.ranks())
        queued += rank.queued();
    if (queued > 0)
        all.details["queued_before_us"] =
            rounded_us(static_cast<double>(queued) / static_cast<double>(analysis.ranks().size()));
    all.details["compat_linked_only"] = summarise(analysis, &RankAnalysis::linked_timeline).details;
    return MetricResult::of(all.idle_percent, std::move(all.details), std::move(all.idle_by_rank));
}

} // namespace

Metric gpu_timeline_metric() {
    Metric metric{
        "gpu_timeline",
        "GPU idle time",
        "%",
        Better::lower,
        "GPU time",
        "Share of the time from the first GPU event's start to the last one's end in which no kernel, copy or set "
        "runs, mean over ranks. The time in which a GPU works off what was queued before the recording is left out. "
        "Details: computation, exposed communication, exposed copies and idle, which add up "
        "to the total.",
        compute_gpu_timeline,
        Needs::gpu_work};
    metric.of_iteration = OfIteration::lost_share;
    metric.moved_by = {SettingKind::transport, SettingKind::parallelism, SettingKind::pipeline, SettingKind::host,
                       SettingKind::device};
    metric.by_iteration = [](const RunAnalysis& analysis) {
        return shares_of_iterations(analysis, &GpuTimeline::idle, &GpuTimeline::total);
    };
    return metric;
}

} // namespace rankscope
