// SPDX-License-Identifier: GPL-3.0-or-later
// Metric launch_stats: how long work takes from its launch to its start, and how full the queues are.
#include <map>

#include "core/analysis/gpu/launches.h"
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

void put_distribution(Json& json, const std::string& name, const Distribution& d) {
    if (d.count == 0)
        return;
    json[name + "_mean_us"] = rounded_us(d.mean);
    json[name + "_p50_us"] = as_us(d.p50);
    json[name + "_p95_us"] = as_us(d.p95);
    json[name + "_max_us"] = as_us(d.max);
}

Json short_json(const LaunchAnalysis& rank, std::size_t limit) {
    const ShortKernels& some = rank.short_kernels[limit];
    Json json{{"count", some.count}, {"time_us", as_us(some.time)}};
    put(json, "count_percent", rounded(percent_of(static_cast<double>(some.count), static_cast<double>(rank.kernels))));
    put(json, "time_percent",
        rounded(percent_of(static_cast<double>(some.time), static_cast<double>(rank.kernel_time))));
    return json;
}

Json queues_json(const LaunchAnalysis& rank) {
    Json queues = Json::array();
    for (const StreamQueue& queue : rank.queues) {
        queues.push_back({{"device", queue.device},
                          {"stream", queue.stream},
                          {"launches", queue.launches},
                          {"mean_length", rounded(queue.mean)},
                          {"longest", queue.longest},
                          {"time_us", as_us(queue.time)},
                          {"empty_us", as_us(queue.empty)},
                          {"full_us", as_us(queue.full)}});
    }
    return queues;
}

Json hta_launches_json(const RunAnalysis& analysis) {
    Json ranks = Json::array();
    for (std::size_t i = 0; i < analysis.hta().host.size(); ++i) {
        const HtaHost& host = analysis.hta().host[i];
        Json rank{{"rank", analysis.run().ranks[i]->rank}, {"launches", host.launch_delay_us.count}};
        put(rank, "launch_delay_mean_us", rounded(host.launch_delay_us.mean));
        put(rank, "launch_delay_p50_us", host.launch_delay_us.q50);
        put(rank, "launch_delay_max_us", host.launch_delay_us.max);
        Json queues = Json::array();
        for (const HtaQueueSummary& queue : host.queues) {
            queues.push_back({{"stream", queue.stream},
                              {"points", queue.length.count},
                              {"mean_length", rounded(queue.length.mean)},
                              {"p50_length", queue.length.q50},
                              {"longest", queue.length.max},
                              {"full_us", queue.full_us}});
        }
        rank["queues"] = std::move(queues);
        ranks.push_back(std::move(rank));
    }
    return {{"per_rank", std::move(ranks)}};
}

MetricResult compute_launch_stats(const RunAnalysis& analysis) {
    double sum = 0;
    double count = 0;
    LaunchAnalysis all;
    std::vector<RankValue> by_rank;
    Json ranks = Json::array();
    for (std::size_t i = 0; i < analysis.ranks().size(); ++i) {
        const LaunchAnalysis& launches = analysis.launches()[i];
        sum += static_cast<double>(launches.delay.sum);
        count += static_cast<double>(launches.delay.count);
        all.kernels += launches.kernels;
        all.kernel_time += launches.kernel_time;
        for (std::size_t k = 0; k < kShortKernelLimits.size(); ++k) {
            all.short_kernels[k].count += launches.short_kernels[k].count;
            all.short_kernels[k].time += launches.short_kernels[k].time;
        }
        Json rank{{"rank", analysis.ranks()[i].trace->rank},
                  {"launches", launches.delay.count},
                  {"gpu_events_without_launch", launches.without_launch}};
        put_distribution(rank, "delay", launches.delay);
        if (launches.delay.count > 0)
            by_rank.push_back({analysis.ranks()[i].trace->rank, rounded_us(launches.delay.mean)});
        put_distribution(rank, "delay_after_call", launches.after_call);
        put_distribution(rank, "call", launches.call);
        put_distribution(rank, "gpu", launches.gpu);
        rank["short_kernels_10us"] = short_json(launches, 0);
        rank["short_kernels_50us"] = short_json(launches, 1);
        rank["queues"] = queues_json(launches);
        ranks.push_back(std::move(rank));
    }
    if (count == 0)
        return MetricResult::unavailable(kNeedsLaunches);
    Json details{{"launches", static_cast<std::int64_t>(count)},
                 {"short_kernels_10us", short_json(all, 0)},
                 {"short_kernels_50us", short_json(all, 1)},
                 {"queue_capacity", kQueueCapacity},
                 {"per_rank", std::move(ranks)},
                 {"compat_hta_default", hta_launches_json(analysis)}};
    return MetricResult::of(rounded_us(sum / count), std::move(details), std::move(by_rank));
}

/// Means over the launches of each.
StepValues delays_by_iteration(const RunAnalysis& analysis) {
    StepValues delays;
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r) {
        const IterationWork work(analysis, r);
        const EventTable& events = analysis.ranks()[r].trace->events;
        std::map<std::int64_t, std::vector<double>> own;
        for (const GpuSlice& slice : analysis.ranks()[r].gpu_work)
            if (const EventIndex call = events.link[slice.event]; call != kNoEvent && events.link[call] == slice.event)
                if (const auto number = work.number_of(slice))
                    own[*number].push_back(as_us(events.start[slice.event] - events.start[call]));
        for (const auto& [number, of_launches] : own)
            delays[number].push_back(mean_of(of_launches));
    }
    return delays;
}

} // namespace

Metric launch_stats_metric() {
    Metric metric{
        "launch_stats",
        "Delay from launch to start",
        "us",
        Better::none,
        "Kernels",
        "From the start of a launch call to the start of what it launched, mean over launches. Long delays mean "
        "full queues, "
        "which is good; short ones with idle time mean the host is late. Details: durations of calls, short "
        "kernels, queue "
        "lengths of every stream over time.",
        compute_launch_stats};
    metric.moved_by = {SettingKind::host};
    metric.by_iteration = delays_by_iteration;
    return metric;
}

} // namespace rankscope
