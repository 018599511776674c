// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of a set of collective calls: how their delays are spread, and how fast they were for their size. The
// size of the results does not grow with the calls.
#pragma once
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/search/name_statistics.h"
#include "core/views/collective_calls.h"

namespace rankscope {

/// Of complete calls on two ranks or more, messages apart: what its longest kernel has more than its shortest
/// (straggler.h).
struct DelayChart {
    static constexpr TimeNs kLeast = 100; ///< shorter ones are drawn as this: a logarithm has no 0

    std::int64_t calls = 0;
    DelayDistribution spread;    ///< ecdf thinned to some hundred steps
    DurationHistogram histogram; ///< of delays of kLeast at least
    /// Where a delay stands on the axis of the histogram: 0 to 1.
    [[nodiscard]] double position(double delay) const;
};
DelayChart chart_delays(const CollectiveCalls& calls, std::span<const std::uint32_t> shown,
                        const std::stop_token& stop = {});

/// Calls of a kind that lie so close together that they are one point; the first of them stands for all.
struct BandwidthPoint {
    CollectiveKind kind = CollectiveKind::other;
    double bytes = 0;
    double busbw = 0; ///< GB/s
    std::uint32_t call = 0;
    std::int64_t count = 0;
};
/// By kind; calls of which size or bandwidth is not known are left out.
std::vector<BandwidthPoint> chart_bandwidth(const CollectiveCalls& calls, std::span<const std::uint32_t> shown,
                                            const std::stop_token& stop = {});

/// Bus bandwidth over size, ascending: by the latency and bandwidth that were found for a communicator (link_fits.h),
/// or as nccl-tests measured it.
struct BandwidthCurve {
    CollectiveKind kind = CollectiveKind::other;
    bool of_nccl_tests = false;
    std::vector<std::pair<double, double>> points; ///< bytes, GB/s
};
/// Of the communicators and kinds among the calls shown, those with most of them, at most so many; then nccl-tests of
/// these kinds, between the smallest and the largest size shown.
std::vector<BandwidthCurve> chart_links(const CollectiveCalls& calls, std::span<const std::uint32_t> shown,
                                        std::size_t most = 8);

} // namespace rankscope
