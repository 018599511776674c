// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls are compared with each other to find slow links: calls of one kind and size, by group.
//   Example: groups {0, 1} and {2, 3} each make one all-reduce of 64 MB in 5 steps: one kind, two groups of 5 calls.
//   Example: such a call among 4 ranks takes 2.4 ms: 64 MB * 1.5 / 2.4 ms = 40 GB/s.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

struct LinkCall {
    std::uint32_t node = 0;
    std::int64_t step = 0; ///< number of the profiler step; 0 without any
    double time = 0;       ///< ns, as if experts were even
};
using CallsByGroup = std::map<std::uint32_t, std::vector<LinkCall>>;
using CallsByStep = std::map<std::int64_t, std::vector<LinkCall>>;

/// Groups that lie alike in the run: of one dimension, or, where none is known, of ranks as far apart.
struct GroupLayout {
    ParallelDimension dimension = ParallelDimension::unknown;
    std::vector<int> apart; ///< of a group's members from its first one; empty where the dimension is known
    auto operator<=>(const GroupLayout&) const = default;
};
GroupLayout group_layout(ParallelDimension dimension, const CommGroup& group);

std::map<SameCalls, CallsByGroup> comparable_calls(const FindingContext& context);
/// All but LinkComparison::near_network.
LinkComparison comparison_of(const FindingContext& context, const std::map<SameCalls, CallsByGroup>& calls);
/// Its speed is that of the network. An all-to-all sends many messages, each a part of its size.
bool fills_the_network(const SameCalls& key);
double median_time(const std::vector<LinkCall>& calls);
/// Bus bandwidth of a call that takes that long (ns); 0 without bytes.
double gigabytes_a_second(const SameCalls& key, double time);

} // namespace rankscope
