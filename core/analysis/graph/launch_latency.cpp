// SPDX-License-Identifier: GPL-3.0-or-later
// How soon the GPU of a rank starts what was launched.
#include "core/analysis/graph/launch_latency.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr TimeNs kUsualLatency = 5'000;    ///< where a rank tells none
constexpr TimeNs kLongestLatency = 30'000; ///< what is longer is a wait
constexpr TimeNs kFarEarly = 1'000'000;    ///< GPU clocks are rarely that far off: then much work has to show it
constexpr std::size_t kMuchWork = 50;      ///< one in so many, at least half as early

template <typename T>
T percentile(std::vector<T> values, double share, T otherwise) {
    if (values.empty())
        return otherwise;
    return nth_value(values, static_cast<std::size_t>(share * static_cast<double>(values.size() - 1)));
}

} // namespace

/// A single work far before its launch has a wrong launch; a clock shows on many.
void measure_gpu_early(RankGraph& graph) {
    std::vector<TimeNs> early;
    std::size_t launched = 0;
    for (const GraphWork& work : graph.work) {
        if (work.launch == kNoNode || work.earlier)
            continue;
        ++launched;
        if (const TimeNs before = graph.host[work.launch].start - work.start; before > 0)
            early.push_back(before);
    }
    std::ranges::sort(early, std::greater());
    for (auto most = early.begin(); most != early.end(); ++most) {
        const auto show_it = std::ranges::upper_bound(most, early.end(), *most / 2, std::greater()) - most;
        const bool many = show_it > 1 && static_cast<std::size_t>(show_it) * kMuchWork >= launched;
        if (*most <= kFarEarly || many) {
            graph.gpu_early = *most + 1; // so that the launch comes first
            break;
        }
    }
}

void measure_latencies(RankGraph& graph) {
    std::vector<TimeNs> latencies;
    std::vector<TimeNs> on_idle_gpu;
    std::vector<TimeNs> gaps;
    TimeNs busy_until = std::numeric_limits<TimeNs>::min();
    for (const GraphWork& work : graph.work) {
        const TimeNs gpu_idle = std::exchange(busy_until, std::max(busy_until, work.end));
        if (work.launch == kNoNode)
            continue;
        const TimeNs launched = graph.host[work.launch].start - graph.gpu_early; // on the GPU's clock
        const TimeNs latency = work.start - graph.host[work.launch].start;
        if (work.start >= launched && (work.previous == kNoNode || graph.work[work.previous].end <= launched))
            latencies.push_back(latency);
        if (work.start >= launched && gpu_idle <= launched)
            on_idle_gpu.push_back(latency);
        if (work.previous != kNoNode) {
            const TimeNs gap = work.start - graph.work[work.previous].end;
            if (graph.work[work.previous].end > launched && gap >= 0 && gap < kHandover)
                gaps.push_back(gap);
        }
    }
    // On an idle stream a launch may still wait for another stream; where the host runs far ahead hardly any finds one
    // idle.
    graph.launch_latency = std::min(percentile<TimeNs>(std::move(latencies), 0.02, kUsualLatency), kLongestLatency);
    graph.idle_latency = std::max(percentile<TimeNs>(std::move(on_idle_gpu), 0.5, kUsualLatency), graph.launch_latency);
    // Work of a queue that waits for nothing else starts soonest: the lower quartile leaves other waits out.
    graph.kernel_gap = percentile<TimeNs>(std::move(gaps), 0.25, 0);
}

} // namespace rankscope
