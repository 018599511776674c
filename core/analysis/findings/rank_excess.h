// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank takes longer than its peers, by cause and step.
//   A kernel of rank 3 takes 12 ms in step 7, its peers' median is 10 ms: 2 ms of slower_kernels in step 7. One that
//   takes 9 ms subtracts 1 ms.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// Excess of a rank for one cause.
struct RankExcess {
    TimeNs total = 0;
    TimeNs on_gpu = 0;                                     ///< of total
    std::vector<TimeNs> by_step;                           ///< by place in FindingContext::numbers(); one without any
    std::vector<std::int64_t> nodes;                       ///< likewise: those that take longer
    std::vector<std::pair<TimeNs, std::uint32_t>> largest; ///< excess, node
};

/// Keeps the kEventsShown largest, in descending order.
void keep_largest(std::vector<std::pair<TimeNs, std::uint32_t>>& largest, TimeNs time, std::uint32_t node);

using Excesses = std::array<std::vector<RankExcess>, kOwnCauseCount>; ///< by cause, rank

/// shares: BesideCommunication::shares().
Excesses sum_excesses(const FindingContext& context, std::span<const float> shares);

/// Of steps alone: the evidence of a finding lies in the steps that it names.
std::vector<std::pair<TimeNs, std::uint32_t>> largest_in(const FindingContext& context, std::uint32_t rank,
                                                         OwnCause cause, const std::set<std::int64_t>& only_in);

/// The numbers of the steps with a value of each (of RankExcess); none where no numbers are known.
template <typename Value>
std::map<std::int64_t, double> by_step_number(const FindingContext& context, const std::vector<Value>& values) {
    std::map<std::int64_t, double> result;
    for (std::size_t s = 0; s < context.numbers().size(); ++s)
        result[context.numbers()[s]] = static_cast<double>(values[s]);
    return result;
}

} // namespace rankscope
