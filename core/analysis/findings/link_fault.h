// SPDX-License-Identifier: GPL-3.0-or-later
// A slow link: which calls are slow, against what, by how much, and how to make them as fast as usual.
//   Example: 4 calls of 2 ms where others take 1 ms: ratio 2.0, time 4 ms, factor 0.5 for each call.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

inline constexpr double kSlowLink = 1.15; ///< times what the same calls take elsewhere

/// What is slow: calls of one group, or of several that have one thing in common.
struct SlowLink {
    std::set<std::uint32_t> groups;
    std::size_t measured = 0;  ///< of a dimension: how many of the groups make calls that no others run beside
    std::size_t of_groups = 0; ///< of a dimension: how many groups it has
    enum class Against : std::uint8_t { other_groups, own_steps, hardware } against = Against::other_groups;
    std::optional<int> card;                    ///< the rank that all the groups have in common, and nothing else
    std::optional<ParallelDimension> dimension; ///< all its groups; unknown: all groups that lie alike
    bool beside_another = false;                ///< usual_busbw is what another dimension reaches, not the hardware's
    std::vector<int> within; ///< members of a group between whose ranks all messages are slow; empty: other groups
    double ratio = 1;        ///< of the kind of call that is slowest
    std::int64_t calls = 0;
    double time = 0;  ///< ns that it takes more than it should, over all steps
    double busbw = 0; ///< GB/s of the calls at that ratio; 0 when unknown
    double usual_busbw = 0;
    std::set<std::int64_t> steps;                          ///< numbers of those it is slow in
    std::optional<double> chance;                          ///< Onset::chance
    std::vector<std::pair<TimeNs, std::uint32_t>> longest; ///< transfer, node
    std::map<std::uint32_t, double> factor;                ///< node -> what brings it to what is usual
};

/// Both have one cause. The ratio is that of the slower one.
void join_links(SlowLink& into, SlowLink&& link);
void speed_up(const SlowLink& link, GraphTimes& times);
/// Members of all its groups.
std::set<int> ranks_of_link(const FindingContext& context, const SlowLink& link);

} // namespace rankscope
