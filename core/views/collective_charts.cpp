// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of a set of collective calls.
#include "core/views/collective_charts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace rankscope {
namespace {

constexpr std::size_t kMostSteps = 400;
constexpr double kPointsPerDecade = 50;
void thin(std::vector<std::pair<TimeNs, double>>& ecdf) {
    if (ecdf.size() <= kMostSteps)
        return;
    std::vector<std::pair<TimeNs, double>> kept;
    for (std::size_t i = 0; i < kMostSteps; ++i)
        kept.push_back(ecdf[i * (ecdf.size() - 1) / (kMostSteps - 1)]);
    ecdf = std::move(kept);
}

} // namespace

double DelayChart::position(double delay) const {
    return histogram.position(std::llround(std::max(delay, static_cast<double>(kLeast))));
}

DelayChart chart_delays(const CollectiveCalls& calls, std::span<const std::uint32_t> shown,
                        const std::stop_token& stop) {
    const StragglerAnalysis& stragglers = calls.analysis->stragglers();
    std::vector<const CallLag*> lag_of(calls.analysis->collectives().matched.size(), nullptr);
    for (const CallLag& lag : stragglers.calls)
        lag_of[lag.call] = &lag;
    std::vector<CallLag> lags;
    std::vector<TimeNs> delays;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i % kCallsBetweenStops == 0 && stop.stop_requested())
            return {};
        const std::uint32_t matched = calls.timing(shown[i]).matched;
        if (matched == CollectiveTiming::kNotMatched || lag_of[matched] == nullptr)
            continue;
        lags.push_back(*lag_of[matched]);
        delays.push_back(std::max(DelayChart::kLeast, lags.back().longest - lags.back().transfer));
    }
    DelayChart chart{std::ssize(lags), delay_distribution(lags), duration_histogram(delays)};
    thin(chart.spread.ecdf);
    return chart;
}

std::vector<BandwidthPoint> chart_bandwidth(const CollectiveCalls& calls, std::span<const std::uint32_t> shown,
                                            const std::stop_token& stop) {
    std::map<std::tuple<CollectiveKind, long, long>, BandwidthPoint> points;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i % kCallsBetweenStops == 0 && stop.stop_requested())
            return {};
        const CollectiveTiming& timing = calls.timing(shown[i]);
        if (timing.bytes <= 0 || !(timing.busbw > 0))
            continue;
        const auto bytes = static_cast<double>(timing.bytes);
        const std::tuple place{timing.kind, std::lround(kPointsPerDecade * std::log10(bytes)),
                               std::lround(kPointsPerDecade * std::log10(timing.busbw))};
        const auto [point, added] =
            points.try_emplace(place, BandwidthPoint{timing.kind, bytes, timing.busbw, shown[i], 0});
        ++point->second.count;
    }
    std::vector<BandwidthPoint> result;
    for (const auto& [place, point] : points)
        result.push_back(point);
    return result;
}

} // namespace rankscope
