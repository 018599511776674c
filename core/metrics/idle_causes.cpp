// SPDX-License-Identifier: GPL-3.0-or-later
// Metric idle_causes: how much of the GPUs' idle time is the host's fault.
#include "core/analysis/gpu/idle_causes.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

Json causes_json(const IdleByCause& causes) {
    TimeNs total = 0;
    for (const IdleTime& idle : causes)
        total += idle.time;
    Json json = Json::object();
    for (std::size_t c = 0; c < kIdleCauseCount; ++c) {
        const std::string word(idle_cause_word(static_cast<IdleCause>(c)));
        json[word + "_us"] = as_us(causes[c].time);
        put(json, word + "_percent",
            rounded(percent_of(static_cast<double>(causes[c].time), static_cast<double>(total))));
        json[word + "_gaps"] = causes[c].gaps;
        json[word + "_longest_us"] = as_us(causes[c].longest);
    }
    return json;
}

Json hta_idle_json(const RunAnalysis& analysis, const HtaAnalysis& hta) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < hta.host.size(); ++i) {
        for (const HtaIdle& idle : hta.host[i].idle) {
            Json row{{"rank", analysis.run().ranks[i]->rank},
                     {"stream", idle.stream},
                     {"idle_category", idle_cause_word(idle.cause)},
                     {"idle_time_us", idle.time_us}};
            put(row, "idle_time_ratio", idle.ratio);
            row["intervals"] = idle.intervals.count;
            put(row, "mean_us", idle.intervals.mean);
            put(row, "p50_us", idle.intervals.q50);
            put(row, "max_us", idle.intervals.max);
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

MetricResult compute_idle_causes(const RunAnalysis& analysis) {
    IdleByCause all{};
    std::vector<RankValue> by_rank;
    Json ranks = Json::array();
    Json streams = Json::array();
    bool any_work = false;
    for (std::size_t i = 0; i < analysis.ranks().size(); ++i) {
        const RankAnalysis& rank = analysis.ranks()[i];
        const IdleByCause of_rank = sum_by_cause(gpu_idle_gaps(*rank.trace, rank.gpu_work, rank.queued_until));
        any_work |= !rank.gpu_work.empty();
        for (const StreamIdle& stream : analysis.idle_causes()[i]) {
            Json row{{"rank", rank.trace->rank}, {"device", stream.device}, {"stream", stream.stream}};
            row.update(causes_json(stream.causes));
            streams.push_back(std::move(row));
        }
        for (std::size_t c = 0; c < kIdleCauseCount; ++c) {
            all[c].time += of_rank[c].time;
            all[c].gaps += of_rank[c].gaps;
            all[c].longest = std::max(all[c].longest, of_rank[c].longest);
        }
        Json row{{"rank", rank.trace->rank}};
        row.update(causes_json(of_rank));
        ranks.push_back(std::move(row));
        by_rank.push_back({rank.trace->rank, as_us(of_rank[0].time)}); // waits for the host
    }
    if (!any_work)
        return MetricResult::unavailable("needs GPU events: kernels, copies or sets"_text);
    if (std::ranges::all_of(analysis.launches(), [](const LaunchAnalysis& rank) { return rank.delay.count == 0; }))
        return MetricResult::unavailable(kNeedsLaunches);
    Json details = causes_json(all);
    details["kernel_wait_limit_us"] = as_us(kKernelWaitLimit);
    details["per_rank"] = std::move(ranks);
    details["per_stream"] = std::move(streams);
    details["compat_hta_default"] = hta_idle_json(analysis, analysis.hta());
    details["compat_hta_include_last_step"] = hta_idle_json(analysis, analysis.hta_with_last());
    const TimeNs idle = all[0].time + all[1].time + all[2].time;
    return MetricResult::of(idle == 0 ? 0 : percent_of(static_cast<double>(all[0].time), static_cast<double>(idle)),
                            std::move(details), std::move(by_rank));
}

/// A gap is of the iteration whose work ends it; iterations without a gap have no share.
StepValues shares_by_iteration(const RunAnalysis& analysis) {
    struct Idle {
        TimeNs host = 0;
        TimeNs all = 0;
    };
    StepValues shares;
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r) {
        const RankAnalysis& rank = analysis.ranks()[r];
        const IterationWork work(analysis, r);
        std::map<std::int64_t, Idle> own;
        for (const IdleGap& gap : gpu_idle_gaps(*rank.trace, rank.gpu_work, rank.queued_until)) {
            const auto next = std::ranges::lower_bound(rank.gpu_work, gap.range.end, {},
                                                       [](const GpuSlice& slice) { return slice.range.begin; });
            const auto number = next == rank.gpu_work.end() ? std::nullopt : work.number_of(*next);
            if (!number)
                continue;
            own[*number].all += gap.range.length();
            own[*number].host += gap.cause == IdleCause::host_wait ? gap.range.length() : 0;
        }
        for (const auto& [number, idle] : own)
            if (idle.all > 0)
                shares[number].push_back(percent_of(static_cast<double>(idle.host), static_cast<double>(idle.all)));
    }
    return shares;
}

} // namespace

Metric idle_causes_metric() {
    Metric metric{
        "idle_causes",
        "Idle time that waits for the host",
        "%",
        Better::lower,
        "GPU time",
        "Share of the GPU's idle time, in which none of its streams works, in which the next work was not launched yet "
        "(host_wait), over all ranks. A call that takes longer than the usual launch does something else before, such "
        "as loading code. In the rest it was launched and had not started: kernel_wait when that takes "
        "under 30 us, else other, which also holds idle time before work without a launch in the trace. Idle time of "
        "single streams, also while others work, is in per_stream; HTA's, in compat_hta_default, takes the whole gap "
        "of a stream when the launch comes after its start.",
        compute_idle_causes,
        Needs::gpu_work};
    metric.of_iteration = OfIteration::share_of_idle;
    metric.moved_by = {SettingKind::host};
    metric.by_iteration = shares_by_iteration;
    return metric;
}

} // namespace rankscope
