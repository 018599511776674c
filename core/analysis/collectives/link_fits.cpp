// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/link_fits.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kNotTold = std::numeric_limits<double>::quiet_NaN();

/// Sums of weighted least squares: weight 1 / time², so that residuals are relative.
struct Sums {
    double one = 0, bytes = 0, bytes_squared = 0, time = 0, bytes_by_time = 0;
    void add(const LinkSize& size) {
        const double weight = 1 / (size.median_transfer * size.median_transfer);
        const auto n = static_cast<double>(size.bytes);
        one += weight;
        bytes += weight * n;
        bytes_squared += weight * n * n;
        time += weight * size.median_transfer;
        bytes_by_time += weight * n * size.median_transfer;
    }
};

double residual_of(const LinkModel& model, std::span<const LinkSize> sizes) {
    double sum = 0;
    for (const LinkSize& size : sizes) {
        const double relative = (size.median_transfer - model.transfer(size.bytes)) / size.median_transfer;
        sum += relative * relative;
    }
    return std::sqrt(sum / static_cast<double>(sizes.size()));
}

/// Transfers of one kind and group, by size.
struct Transfers {
    std::map<std::int64_t, std::vector<double>> by_size;
    std::int64_t without_size = 0;
    std::vector<std::uint32_t> calls; ///< in CallTable::all
};

std::vector<LinkSize> sizes_of(Transfers& transfers) {
    std::vector<LinkSize> sizes;
    for (auto& [bytes, times] : transfers.by_size)
        sizes.push_back({bytes, std::ssize(times), middle_median(times), *std::ranges::min_element(times)});
    return sizes;
}

/// A call whose every member is traced. Of an uneven all-to-all the members' sizes differ, and no size is the call's.
bool tells_of_link(const CollectiveTiming& timing) {
    return timing.complete && timing.members.size() > 1 && timing.kind != CollectiveKind::barrier;
}

TimeNs transfer_of(const CollectiveTiming& timing) { return timing.wall - timing.start_skew; }

} // namespace

double LinkFit::bus_gb_s(std::int64_t bytes) const {
    return model ? bus_factor * static_cast<double>(bytes) / model->transfer(bytes) : kNotTold;
}

std::optional<LinkModel> fit_link(std::span<const LinkSize> sizes, Message& why_not) {
    if (sizes.empty()) {
        why_not = "not known, because no size is recorded"_text();
        return std::nullopt;
    }
    if (sizes.size() < 3) {
        why_not = sizes.size() == 1 ? "not known, because all calls are of one size"_text()
                                    : "not known, because the calls are of two sizes; three are needed"_text();
        return std::nullopt;
    }
    Sums sums;
    for (const LinkSize& size : sizes)
        sums.add(size);
    const double determinant = sums.one * sums.bytes_squared - sums.bytes * sums.bytes;
    double slope = (sums.one * sums.bytes_by_time - sums.bytes * sums.time) / determinant;
    double latency = (sums.time - slope * sums.bytes) / sums.one;
    if (latency < 0) { // none is negative: through the origin
        latency = 0;
        slope = sums.bytes_by_time / sums.bytes_squared;
    }
    if (!std::isfinite(slope) || !(slope > 0)) {
        why_not = "not known, because the time does not grow with the size"_text();
        return std::nullopt;
    }
    LinkModel model{latency, 1 / slope, 0};
    model.residual = residual_of(model, sizes);
    return model;
}

LinkFits fit_links(const Run& run, const CollectiveMatching& matching, const CallTable& table) {
    std::map<std::pair<CollectiveKind, std::uint32_t>, Transfers> all;
    for (std::uint32_t i = 0; i < table.all.size(); ++i) {
        const CollectiveTiming& timing = table.all[i];
        if (!tells_of_link(timing))
            continue;
        Transfers& transfers = all[{timing.kind, timing.group}];
        transfers.calls.push_back(i);
        if (timing.bytes > 0 && !timing.uneven && transfer_of(timing) > 0)
            transfers.by_size[timing.bytes].push_back(static_cast<double>(transfer_of(timing)));
        else
            ++transfers.without_size;
    }
    const std::vector<GroupDimension> dimensions = dimensions_of_groups(run, matching);
    LinkFits fits;
    for (auto& [key, transfers] : all) {
        LinkFit fit;
        fit.kind = key.first;
        fit.group = key.second;
        fit.dimension = dimensions[key.second].dimension;
        fit.group_size = table.all[transfers.calls.front()].group_size;
        fit.bus_factor = bus_factor(fit.kind, fit.group_size);
        fit.sizes = sizes_of(transfers);
        fit.without_size = transfers.without_size;
        fit.calls = std::ssize(transfers.calls) - transfers.without_size;
        fit.model = fit_link(fit.sizes, fit.why_not);
        for (const std::uint32_t call : transfers.calls) {
            const CollectiveTiming& timing = table.all[call];
            CallSplit split{call, static_cast<std::uint32_t>(fits.fits.size()), timing.start_skew, transfer_of(timing)};
            if (fit.model && timing.bytes > 0 && !timing.uneven) {
                split.latency = fit.model->latency;
                split.size = static_cast<double>(timing.bytes) / fit.model->bandwidth;
                split.rest = static_cast<double>(split.transfer) - split.latency - split.size;
            }
            fits.splits.push_back(split);
        }
        fits.fits.push_back(std::move(fit));
    }
    std::ranges::sort(fits.splits, {}, &CallSplit::call);
    return fits;
}

double bus_gb_s_of(const NcclTestCurve& curve, std::int64_t bytes) {
    const auto best = [](const NcclTestPoint& point) {
        return std::fmax(point.out_of_place_busbw_gb_s, point.in_place_busbw_gb_s); // of NaN and a number the number
    };
    const auto after = std::ranges::lower_bound(curve.points, bytes, {}, &NcclTestPoint::bytes);
    if (after == curve.points.end())
        return kNotTold;
    if (after->bytes == bytes)
        return best(*after);
    if (after == curve.points.begin())
        return kNotTold;
    const NcclTestPoint& before = *std::prev(after);
    const double low = best(before);
    const double high = best(*after);
    if (!(low > 0) || !(high > 0) || before.bytes <= 0)
        return kNotTold;
    const double share = std::log(static_cast<double>(bytes) / static_cast<double>(before.bytes)) /
                         std::log(static_cast<double>(after->bytes) / static_cast<double>(before.bytes));
    return std::exp(std::log(low) + share * std::log(high / low));
}

const NcclTestCurve* nccl_test_for(std::span<const NcclTestCurve> curves, CollectiveKind kind, std::int64_t ranks) {
    const NcclTestCurve* found = nullptr;
    for (const NcclTestCurve& curve : curves) {
        if (curve.kind != kind || curve.points.empty())
            continue;
        if (curve.ranks == ranks)
            return &curve;
        if (found == nullptr)
            found = &curve;
    }
    return found;
}

} // namespace rankscope
