// SPDX-License-Identifier: GPL-3.0-or-later
// CCL-Bench's Hockney model of all-reduces: T / (2(n-1)) = α + β S/n, the time of each of the 2(n-1) sends of a ring
// against the bytes of a send, through all calls by least squares. T is the time from the last arrival to the last end,
// so that waits are not in it.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/analysis/collectives/link_fits.h"
#include "core/metrics/ccl_bench_kernels.h"
#include "core/metrics/ccl_bench_numbers.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

/// Seconds, and seconds per byte.
struct Hockney {
    double alpha = kNoNumber;
    double beta = kNoNumber;
};

struct SendOfRing {
    double bytes = 0;
    double seconds = 0;
};

/// Nothing where the slope is not determined.
Hockney fitted(const std::vector<SendOfRing>& sends) {
    double bytes = 0, seconds = 0;
    for (const SendOfRing& send : sends) {
        bytes += send.bytes / static_cast<double>(sends.size());
        seconds += send.seconds / static_cast<double>(sends.size());
    }
    double square = 0, product = 0;
    for (const SendOfRing& send : sends) {
        square += (send.bytes - bytes) * (send.bytes - bytes);
        product += (send.bytes - bytes) * (send.seconds - seconds);
    }
    if (!(square > 0))
        return {};
    return {seconds - product / square * bytes, product / square};
}

Hockney hockney_of(const RunAnalysis& analysis) {
    constexpr std::size_t kLeastCalls = 5, kLeastSizes = 2; // as its tool has it
    std::vector<SendOfRing> sends;
    std::set<std::int64_t> sizes;
    for (const CollectiveTiming& call : analysis.call_table().all) {
        const TimeNs transfer = call.wall - call.start_skew;
        if (call.kind != CollectiveKind::all_reduce || !call.complete || call.members.size() < 2 ||
            call.group_size < 2 || call.bytes <= 0 || transfer <= 0)
            continue;
        const auto n = static_cast<double>(call.group_size);
        sends.push_back({static_cast<double>(call.bytes) / n, static_cast<double>(transfer) / kNsPerS / (2 * (n - 1))});
        sizes.insert(call.bytes);
    }
    return sends.size() < kLeastCalls || sizes.size() < kLeastSizes ? Hockney() : fitted(sends);
}

} // namespace

namespace dashboard {

// Its tool reads times and shapes as XLA's profiler writes them into a Chrome trace; of other traces it has no number.
DashboardNumber hockney_alpha(const RunAnalysis& analysis) { return {hockney_of(analysis).alpha, kNoNumber}; }
DashboardNumber hockney_beta(const RunAnalysis& analysis) { return {hockney_of(analysis).beta, kNoNumber}; }
DashboardNumber hockney_inverse_beta(const RunAnalysis& analysis) {
    const double beta = hockney_of(analysis).beta;
    return {beta > 0 ? 1 / beta : kNoNumber, kNoNumber};
}

Json own_link_fits(const RunAnalysis& analysis) {
    Json fits = Json::array();
    for (const LinkFit& fit : analysis.link_fits().fits) {
        if (fit.kind != CollectiveKind::all_reduce || !fit.model)
            continue;
        Json row{{"group", analysis.collectives().groups[fit.group].name}, {"group_size", fit.group_size}};
        row["calls"] = fit.calls;
        put(row, "latency_us", rounded(fit.model->latency / 1e3));
        put(row, "bandwidth_gb_s", rounded(fit.model->bandwidth));
        fits.push_back(std::move(row));
    }
    return {{"link_fits", std::move(fits)}};
}

} // namespace dashboard
} // namespace rankscope
