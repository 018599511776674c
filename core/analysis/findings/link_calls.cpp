// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls are compared. An all-to-all has the next of the sizes that each doubling has 4 of.
//   Example: all-to-alls of 1.00 and 1.05 MB both count as 2^20 bytes, and the time of the first one as 1.0486 times as
//   long.
#include "core/analysis/findings/link_calls.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "core/analysis/collectives/collective_timing.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kRoundedBytes = 4;        ///< sizes of all-to-all calls that count as equal, of each doubling
constexpr std::int64_t kLarge = 4'000'000; ///< bytes: smaller messages do not reach the network's bandwidth

/// Bytes of an all-to-all: what a member sends on the mean. They differ from call to call with the tokens, so that
/// equal sizes are those that round to the same, and 0 bytes are never compared.
std::int64_t rounded_bytes(const FindingContext& c, const CommunicationNode& node, double& mean) {
    const CollectiveMatching& matching = c.inputs.collectives;
    const MatchedCall& call = matching.matched[c.graph.matched[node.node - c.graph.first_node.back()]];
    mean = 0;
    for (const auto& member : call.members)
        mean += static_cast<double>(message_bytes(c.inputs.run, matching.call(member))) /
                static_cast<double>(call.members.size());
    return mean > 0 ? std::llround(std::exp2(std::round(kRoundedBytes * std::log2(mean)) / kRoundedBytes)) : 0;
}

} // namespace

GroupLayout group_layout(ParallelDimension dimension, const CommGroup& group) {
    GroupLayout layout{dimension, {}};
    if (dimension == ParallelDimension::unknown)
        for (const int rank : group.ranks)
            layout.apart.push_back(rank - group.ranks.front());
    return layout;
}

std::map<SameCalls, CallsByGroup> comparable_calls(const FindingContext& c) {
    std::map<SameCalls, CallsByGroup> calls;
    for (const CommunicationNode& node : c.communication) {
        const std::int64_t step = node.lone ? -1 : step_number(c.graph, node.node);
        // Calls of unknown size are not the same call.
        if (step < 0 || node.bytes == kUnknown || c.graph.times.duration[node.node] <= 0)
            continue;
        const double alike = c.experts.even.empty() ? 1 : c.experts.even[node.node]; // uneven experts are told apart
        SameCalls same = node.same();
        double of_size = 1;
        if (node.kind == CollectiveKind::all_to_all && c.graph.kind[node.node] == NodeKind::transfer) {
            double mean = 0;
            same.bytes = rounded_bytes(c, node, mean);
            of_size = mean > 0 ? static_cast<double>(same.bytes) / mean : 1;
        }
        calls[same][node.group].push_back(
            {node.node, step, static_cast<double>(c.graph.times.duration[node.node]) * alike * of_size});
    }
    return calls;
}

bool fills_the_network(const SameCalls& key) { return key.bytes >= kLarge && key.kind != CollectiveKind::all_to_all; }

LinkComparison comparison_of(const FindingContext& c, const std::map<SameCalls, CallsByGroup>& calls) {
    LinkComparison result;
    std::set<std::uint32_t> several_ways;
    for (const auto& [key, groups] : calls) {
        if (key.way == Way::between && groups.size() > 1) {
            std::set<std::set<std::int64_t>> ways;
            for (const auto& [group, own] : groups)
                ways.insert(c.inputs.machines.of(c.inputs.collectives.groups[group].ranks));
            for (const auto& [group, own] : groups)
                (ways.size() > 1 ? several_ways : result.one_way).insert(group);
        }
        for (const auto& [group, own] : groups) {
            result.groups.insert(group);
            if (groups.size() > 1)
                result.compared.insert(group);
            if (fills_the_network(key))
                result.large.insert(group);
            if (key.way == Way::between)
                result.between_machines.insert(group);
        }
    }
    for (const std::uint32_t group : several_ways)
        result.one_way.erase(group);
    return result;
}

double median_time(const std::vector<LinkCall>& calls) {
    std::vector<double> times;
    std::ranges::transform(calls, std::back_inserter(times), &LinkCall::time);
    return middle_median(std::move(times));
}

double gigabytes_a_second(const SameCalls& key, double time) {
    const double wire = static_cast<double>(key.bytes) * bus_factor(key.kind, static_cast<std::int64_t>(key.members));
    return key.bytes > 0 ? wire / time : 0;
}

} // namespace rankscope
