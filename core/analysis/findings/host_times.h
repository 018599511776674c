// SPDX-License-Identifier: GPL-3.0-or-later
// What the hosts take inside the steps for one kind of work, such as loading data: where, how long, in which steps.
//   Example: 4 ranks, 2 steps; rank 1 loads data for 10 ms in each: time 20 ms, by_step 2.5 ms each (mean of 4 ranks).
//   Then few_ranks() is rank 1, rank_steps() of it is 2: 10 ms a step.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// Nodes of one kind inside steps, and the largest of them.
struct HostTimes {
    std::vector<std::uint32_t> nodes; ///< ascending
    std::vector<TimeNs> times;        ///< of each
    std::int64_t count = 0;
    TimeNs time = 0;
    std::size_t steps = 0;                  ///< distinct, over all ranks the most
    std::map<std::int64_t, double> by_step; ///< number of the step: time, mean of the ranks that have it
    std::vector<std::pair<TimeNs, std::uint32_t>> largest;
    Onset onset{};    ///< where it is there in some steps only, the nodes are those of them
    double usual = 0; ///< ns a rank and step: what it takes in the other steps
};
/// time_of: node -> ns that count of it; 0: none. Only host nodes in steps, up to the rank's last launch.
HostTimes host_times(const FindingContext& context, const std::function<TimeNs(std::uint32_t)>& time_of);
/// Leaves the nodes that are to stay.
HostTimes part_of_host(const FindingContext& context, const HostTimes& host,
                       const std::function<bool(std::uint32_t)>& stays);
/// Leaves the nodes of the steps in which it is there, where it is not in all of them and next to nothing elsewhere.
HostTimes of_affected_steps(const FindingContext& context, HostTimes host);

/// Steps of these ranks (all where there are none), those of these numbers; of all numbers where there are none.
double rank_steps(const FindingContext& context, const std::set<std::int64_t>& numbers,
                  const std::set<std::uint32_t>& only = {});
/// The ranks of the nodes, where these are at most half of all: what is said of a step is then said of theirs. As where
/// stages have nobody to be compared with.
std::set<std::uint32_t> few_ranks(const FindingContext& context, const HostTimes& host);
/// The host node is in a step; without profiler steps, in what counts of its rank.
bool is_in_step(const FindingContext& context, std::uint32_t node);

/// The host's time before the node and in it, on the rank's own clock.
TimeRange host_range(const FindingContext& context, std::uint32_t node);
/// Takes that much (ns) from the host's time before the node, and what is left of it from the node.
void shorten_host(const StepGraph& graph, std::uint32_t node, TimeNs by, GraphTimes& times);

} // namespace rankscope
