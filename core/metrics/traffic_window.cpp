// SPDX-License-Identifier: GPL-3.0-or-later
// Metric traffic_window: how long the network is left alone between collective calls.
#include "core/metrics/evidence.h"
#include "core/metrics/numbers.h"

#include <algorithm>

namespace rankscope {
namespace {

Json window_json(const TrafficWindow& window) {
    return {{"from", parallel_dimension_word(window.from)},
            {"to", parallel_dimension_word(window.to)},
            {"count", window.idle.count},
            {"start_to_start_us",
             {{"mean", rounded_us(window.start_to_start.mean)},
              {"p50", rounded_us(window.start_to_start.median)},
              {"p95", rounded_us(window.p95_start_to_start)}}},
            {"idle_us",
             {{"mean", rounded_us(window.idle.mean)},
              {"p50", rounded_us(window.idle.median)},
              {"p95", rounded_us(window.p95_idle)}}}};
}

MetricResult compute_traffic_window(const RunAnalysis& analysis) {
    const TrafficAnalysis& traffic = analysis.traffic();
    std::vector<double> means;
    std::vector<RankValue> by_rank;
    Json ranks = Json::array();
    auto window = traffic.windows.begin();
    for (std::size_t r = 0; r < traffic.idle.size(); ++r) {
        if (traffic.idle[r].count == 0)
            continue;
        means.push_back(traffic.idle[r].mean);
        by_rank.push_back({analysis.run().ranks[r]->rank, rounded_us(traffic.idle[r].mean)});
        Json entry{{"rank", analysis.run().ranks[r]->rank}, {"mean_idle_us", rounded_us(traffic.idle[r].mean)}};
        entry["windows"] = Json::array();
        for (window = std::find_if(window, traffic.windows.end(), [&](const TrafficWindow& w) { return w.rank == r; });
             window != traffic.windows.end() && window->rank == r; ++window)
            entry["windows"].push_back(window_json(*window));
        ranks.push_back(std::move(entry));
    }
    if (means.empty())
        return MetricResult::unavailable("needs a rank with two collective calls or more"_text);
    return MetricResult::of(rounded_us(mean_of(means)), {{"per_rank", std::move(ranks)}}, std::move(by_rank));
}

} // namespace

Metric traffic_window_metric() {
    Metric metric{
        "traffic_window",
        "Traffic window",
        "us",
        Better::none,
        "Communication",
        "Time from the end of a collective call to the start of the rank's next one (0 when they overlap), mean over "
        "calls, then ranks; details: between calls of one dimension and of two, start "
        "to start and idle.",
        compute_traffic_window,
        Needs::times};
    metric.moved_by = {SettingKind::parallelism};
    metric.evidence = longest_call;
    return metric;
}

} // namespace rankscope
