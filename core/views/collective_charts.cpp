// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of a set of collective calls.
#include "core/views/collective_charts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "core/analysis/collectives/link_fits.h"

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

namespace {

BandwidthCurve curve_of_fit(const LinkFit& fit) {
    constexpr int kPoints = 48;
    BandwidthCurve curve{fit.kind, false, {}};
    const double least = std::log(static_cast<double>(fit.sizes.front().bytes));
    const double most = std::log(static_cast<double>(fit.sizes.back().bytes));
    for (int i = 0; i < kPoints; ++i) {
        const double bytes = std::exp(least + (most - least) * i / (kPoints - 1));
        curve.points.emplace_back(bytes, fit.bus_gb_s(std::llround(bytes)));
    }
    return curve;
}

BandwidthCurve curve_of_test(const NcclTestCurve& test, double least, double most) {
    BandwidthCurve curve{test.kind, true, {}};
    for (const NcclTestPoint& point : test.points) {
        const auto bytes = static_cast<double>(point.bytes);
        const double busbw = bus_gb_s_of(test, point.bytes);
        if (bytes >= least / 2 && bytes <= most * 2 && busbw > 0)
            curve.points.emplace_back(bytes, busbw);
    }
    return curve;
}

} // namespace

std::vector<BandwidthCurve> chart_links(const CollectiveCalls& calls, std::span<const std::uint32_t> shown,
                                        std::size_t most) {
    std::map<std::pair<CollectiveKind, std::uint32_t>, std::int64_t> counts;
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0;
    for (const std::uint32_t call : shown) {
        const CollectiveTiming& timing = calls.timing(call);
        if (timing.bytes <= 0 || !(timing.busbw > 0))
            continue;
        ++counts[{timing.kind, timing.group}];
        smallest = std::min(smallest, static_cast<double>(timing.bytes));
        largest = std::max(largest, static_cast<double>(timing.bytes));
    }
    std::vector<std::pair<std::int64_t, const LinkFit*>> fits;
    for (const LinkFit& fit : calls.analysis->link_fits().fits)
        if (const auto count = counts.find({fit.kind, fit.group}); count != counts.end() && fit.model)
            fits.emplace_back(-count->second, &fit);
    std::ranges::stable_sort(fits, {}, &std::pair<std::int64_t, const LinkFit*>::first);
    fits.resize(std::min(fits.size(), most));
    std::vector<BandwidthCurve> curves;
    for (const auto& [count, fit] : fits)
        curves.push_back(curve_of_fit(*fit));
    for (const NcclTestCurve& test : calls.analysis->run().nccl_tests) {
        const bool of_kind = std::ranges::any_of(counts, [&](const auto& of) { return of.first.first == test.kind; });
        if (BandwidthCurve curve = curve_of_test(test, smallest, largest); of_kind && !curve.points.empty())
            curves.push_back(std::move(curve));
    }
    return curves;
}

} // namespace rankscope
