// SPDX-License-Identifier: GPL-3.0-or-later
// Why each member of a call waited: what the one that came last did longer than it since they came together.
//   Rank 1 comes 30 us after rank 0. Since their last call rank 1 computed 80 us and rank 0 60, and rank 1 waited 10 us
//   longer for rank 2: two parts, computation of 20 and a wait of 10.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/analysis/delays/way_to_call.h"

namespace rankscope::delays {

/// Of the blame: what is longer than elsewhere; less is scatter.
inline constexpr double kStandsOut = 0.1;

/// Where a part of it started that one rank came later than another at the same place.
struct Difference {
    std::uint32_t rank = kNoNode;    ///< where
    std::uint32_t through = kNoNode; ///< else a transfer: where the waiting in that one started
    std::uint32_t before = kNoNode;  ///< transfer: the wait of the last rank through which it came; else its own doing
    WaitCause cause = WaitCause::host;
    std::uint32_t shown_by = kNoNode;
    TimeRange range{};
    double share = 1; ///< of the whole
};

/// The largest parts, or none: nothing tells.
using Differences = std::vector<Difference>;

/// Part of the blame for a wait.
struct Part {
    std::uint32_t arrival = kNoNode; ///< node: the last rank's own wait; kNoNode: what it did itself
    bool unrecorded = false;
    WaitCause cause = WaitCause::host;
    TimeNs weight = 0;
    /// Of the weight, for telling the origin: what the rank did as long as others that do the same started no delay.
    double unusual = 0;
    std::uint32_t peer = kNoNode; ///< node: the shorter wait of the one that waits here, at the same place
    Differences differences{};    ///< why this wait is longer than that
};

/// Of parts together.
struct Weights {
    double all = 0;
    double unusual = 0;

    explicit Weights(const std::vector<Part>& parts) {
        for (const Part& part : parts) {
            all += static_cast<double>(part.weight);
            unusual += part.unusual;
        }
    }
    /// Of one of them: of what is longer than elsewhere where that stands out, else of all.
    [[nodiscard]] double share(const Part& part) const {
        return unusual >= kStandsOut * all ? part.unusual / unusual : static_cast<double>(part.weight) / all;
    }
};

struct Waiter {
    std::uint32_t arrival = kNoNode;
    TimeNs waited = 0;
    TimeNs more = 0;         ///< than its peers at the same place; all of it where nobody tells
    std::vector<Part> parts; ///< empty: not looked into
    bool by_order = false;   ///< BlamedCall::order tells where the delay started, whatever the parts
};

struct BlamedCall {
    std::uint32_t last = kNoNode; ///< node
    std::vector<Waiter> waiters;
    std::array<Stretch, kWaitCauseCount> longest{}; ///< of the last one
    Differences order;                              ///< why the last one is later than its peer
};

/// One for each transfer of the graph, in order.
std::vector<BlamedCall> blamed_calls(const StepGraph& graph, const UsualTimes& usual);

} // namespace rankscope::delays
