// SPDX-License-Identifier: GPL-3.0-or-later
// Transfer or skew: what latency and what bandwidth a communicator's calls of a kind have, and what each call consists
// of. The time from the last arrival to the last end of a call of n bytes is taken for α + n / β (Hockney's model). The
// fit is through the median time of each size, so that fewer than half of its calls may be held up, and it minimises
// the squares of relative residuals, so that small messages tell α and large ones tell β.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/collectives/collective_timing.h"
#include "core/analysis/collectives/parallel_dimension.h"
#include "core/base/message.h"
#include "core/trace/nccl_tests.h"

namespace rankscope {

/// Calls of one size. Times in ns, from the last arrival to the last end.
struct LinkSize {
    std::int64_t bytes = 0; ///< of the message, as CollectiveTiming::bytes
    std::int64_t calls = 0;
    double median_transfer = 0;
    double best_transfer = 0;
};

/// α and β, ns and bytes per ns (10^9 bytes a second).
struct LinkModel {
    double latency = 0;
    double bandwidth = 0;
    double residual = 0; ///< root mean square of (median - model) / median over the sizes
    [[nodiscard]] double transfer(std::int64_t bytes) const { return latency + static_cast<double>(bytes) / bandwidth; }
};

/// Whole calls of one kind in one communicator.
struct LinkFit {
    CollectiveKind kind = CollectiveKind::other;
    std::uint32_t group = 0; ///< index in CollectiveMatching::groups
    ParallelDimension dimension = ParallelDimension::unknown;
    std::int64_t group_size = 0;
    double bus_factor = 1;         ///< bus bandwidth of a message's bandwidth
    std::int64_t calls = 0;        ///< of known size
    std::int64_t without_size = 0; ///< of calls beside these
    std::vector<LinkSize> sizes;   ///< ascending
    std::optional<LinkModel> model;
    Message why_not; ///< why there is none; empty: there is one
    /// Bus bandwidth of the size by the model, 10^9 bytes a second; NaN without.
    [[nodiscard]] double bus_gb_s(std::int64_t bytes) const;
};

/// start to end = skew + latency + size + rest. rest: what the model does not tell, such as contention; below 0 where
/// the call was faster. ns; NaN without a model.
struct CallSplit {
    std::uint32_t call = 0; ///< index in CallTable::all
    std::uint32_t fit = 0;  ///< index in LinkFits::fits
    TimeNs skew = 0;
    TimeNs transfer = 0; ///< last arrival to last end
    double latency = std::numeric_limits<double>::quiet_NaN();
    double size = std::numeric_limits<double>::quiet_NaN();
    double rest = std::numeric_limits<double>::quiet_NaN();
};

struct LinkFits {
    std::vector<LinkFit> fits;     ///< by kind, then group
    std::vector<CallSplit> splits; ///< by call
};

/// sizes: ascending. Nothing, and why: fewer than three sizes, or times that do not grow with the size.
std::optional<LinkModel> fit_link(std::span<const LinkSize> sizes, Message& why_not);

/// Calls of which all members are traced, on two ranks at least.
LinkFits fit_links(const Run& run, const CollectiveMatching& matching, const CallTable& table);

/// Bus bandwidth of a curve at a size, between its points along straight lines in the logarithms; NaN outside of them.
/// The better of out of place and in place.
double bus_gb_s_of(const NcclTestCurve& curve, std::int64_t bytes);
/// Of the curves of the kind, the one measured on as many ranks; else the first of the kind; nullptr without.
const NcclTestCurve* nccl_test_for(std::span<const NcclTestCurve> curves, CollectiveKind kind, std::int64_t ranks);

} // namespace rankscope
