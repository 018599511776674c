// SPDX-License-Identifier: GPL-3.0-or-later
// How long calls usually take: on the other groups that make the same calls, or in other steps of the same group.
//   Example: the same calls take 1, 1 and 2 ms on three groups: for the third one, 1 ms is usual.
//   Example: no other group makes them, and they take 1, 1, 1 and 2 ms in four steps: 1 ms (the lower quartile).
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "core/analysis/findings/link_calls.h"
#include "core/analysis/findings/link_fault.h"

namespace rankscope {

struct UsualOfCalls {
    double time = 0;      ///< ns; 0: nothing to compare with
    double deviation = 0; ///< of one call, share
    SlowLink::Against against = SlowLink::Against::other_groups;
    std::vector<double> of_place{}; ///< ns, of each call of a step in order; empty where the steps' calls differ
};

/// What the same calls take in each of the groups, in order; of the deviations likewise.
struct TimesOfGroups {
    explicit TimesOfGroups(const CallsByGroup& groups);
    std::map<std::uint32_t, double> median;
    std::map<std::uint32_t, double> deviation;
    std::vector<double> medians;
    std::vector<double> deviations;
};

/// What the calls take in the better steps of their own group.
UsualOfCalls usual_of_steps(const CallsByStep& steps);
/// What the same calls take in the other groups; where there are none, in the better steps of the group itself.
UsualOfCalls usual_time(const TimesOfGroups& times, std::uint32_t group, const CallsByStep& steps);

} // namespace rankscope
