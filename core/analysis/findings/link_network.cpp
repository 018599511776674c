// SPDX-License-Identifier: GPL-3.0-or-later
// What groups reach on the network, in calls beside which others use the same links for at most a tenth of the time.
//   Example: two other messages leave rank 0 during 0.2 ms each of a message of 1 ms from rank 0 to rank 1: 0.4 ms are
//   shared, so its bandwidth does not count.
#include "core/analysis/findings/link_network.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/analysis/collectives/network_limits.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kOfNetwork = 0.5;   ///< below this share of what the network carries a group is slow
constexpr double kNearNetwork = 0.8; ///< from this share on its network is as it should be

/// Where a link may be shared: a rank's number, and whether the transfer leaves it or reaches it.
using Port = std::pair<int, bool>;

/// A message leaves its sender and reaches its receiver; other transfers leave and reach all their members.
std::vector<Port> ports_of(const CommGroup& group) {
    if (group.point_to_point && group.ranks.size() == 2)
        return {{group.ranks.front(), true}, {group.ranks.back(), false}};
    std::vector<Port> ports;
    for (const int rank : group.ranks)
        for (const bool leaves : {false, true})
            ports.emplace_back(rank, leaves);
    return ports;
}

/// How much of a transfer's time others run beside it that leave or reach one of its ranks as well, all of them added
/// up: they may share its links.
class SharedTime {
public:
    explicit SharedTime(const FindingContext& c) : beside_(c.graph.size()) {
        std::map<Port, std::vector<std::uint32_t>> ports;
        for (const CommunicationNode& node : c.communication) {
            if (node.lone)
                continue;
            for (const Port& port : ports_of(c.inputs.collectives.groups[node.group]))
                ports[port].push_back(node.node);
        }
        for (auto& [port, nodes] : ports) {
            std::ranges::sort(nodes, {}, [&](std::uint32_t n) { return c.graph.start[n]; });
            std::vector<std::uint32_t> running;
            for (const std::uint32_t node : nodes) {
                std::erase_if(running, [&](std::uint32_t n) { return c.graph.end(n) <= c.graph.start[node]; });
                for (const std::uint32_t other : running) {
                    const TimeNs both = std::min(c.graph.end(other), c.graph.end(node)) - c.graph.start[node];
                    beside_[node] += std::max<TimeNs>(0, both);
                    beside_[other] += std::max<TimeNs>(0, both);
                }
                running.push_back(node);
            }
        }
    }
    [[nodiscard]] bool is_alone(const FindingContext& c, std::uint32_t node) const {
        constexpr double kMostBeside = 0.1;
        return static_cast<double>(beside_[node]) <= kMostBeside * static_cast<double>(c.graph.times.duration[node]);
    }

private:
    std::vector<TimeNs> beside_; ///< by node
};

/// A group's calls, and what it reaches at its large messages.
struct Reached {
    double busbw = 0;   ///< GB/s, of the best size, of calls that no others run beside; 0 without large ones
    bool large = false; ///< some messages are
    ParallelDimension dimension = ParallelDimension::unknown;
    Way way = Way::unknown;
    std::vector<LinkCall> calls;
};

/// Calls that take that many times as long as they should.
void add_calls(const FindingContext& c, const Reached& own, double ratio, SlowLink& link) {
    for (const LinkCall& call : own.calls) {
        ++link.calls;
        link.time += call.time * (1 - 1 / ratio);
        link.steps.insert(call.step);
        link.factor[call.node] = 1 / ratio;
        link.longest.emplace_back(c.graph.times.duration[call.node], call.node);
    }
}

void add_calls_below(const FindingContext& c, const Reached& own, double usual, SlowLink& link) {
    const double ratio = usual / own.busbw;
    if (ratio > link.ratio) {
        link.ratio = ratio;
        link.busbw = own.busbw;
    }
    link.against = SlowLink::Against::hardware;
    link.usual_busbw = usual;
    add_calls(c, own, ratio, link);
}

/// All groups of a dimension between machines are below what the network carries: each has others to compare with, and
/// they are as slow. What another dimension reaches between machines is what the network carries here. Groups whose
/// calls always run beside others, as in both directions of a pipeline, take the same way as the rest.
void add_slow_dimensions(const FindingContext& c, const std::map<std::uint32_t, Reached>& reached,
                         const std::set<std::uint32_t>& compared, double network, std::vector<SlowLink>& links) {
    std::map<GroupLayout, std::vector<std::uint32_t>> dimensions;
    std::map<GroupLayout, std::vector<std::uint32_t>> not_measured;
    for (const auto& [group, own] : reached)
        if (own.way == Way::between && own.large &&
            (own.dimension != ParallelDimension::unknown || !c.inputs.collectives.groups[group].point_to_point))
            (own.busbw > 0 ? dimensions : not_measured)[group_layout(own.dimension, c.inputs.collectives.groups[group])]
                .push_back(group);
    for (const auto& [layout, groups] : dimensions) {
        const bool alone = groups.size() < 2 || !compared.contains(groups.front());
        const bool below = std::ranges::all_of(
            groups, [&](std::uint32_t group) { return reached.at(group).busbw < kOfNetwork * network; });
        const bool told = std::ranges::any_of(links, [&](const SlowLink& link) {
            return std::ranges::any_of(groups, [&](std::uint32_t group) { return link.groups.contains(group); });
        });
        if (alone || !below || told)
            continue;
        double usual = 0; // of another dimension
        for (const auto& [group, other] : reached)
            if (other.way == Way::between && other.busbw <= network &&
                group_layout(other.dimension, c.inputs.collectives.groups[group]) != layout)
                usual = std::max(usual, other.busbw);
        SlowLink link;
        link.dimension = layout.dimension;
        link.beside_another = usual >= kOfNetwork * network;
        link.groups.insert(groups.begin(), groups.end());
        link.measured = groups.size();
        std::vector<double> measured;
        for (const std::uint32_t group : groups) {
            add_calls_below(c, reached.at(group), link.beside_another ? usual : network, link);
            measured.push_back(reached.at(group).busbw);
        }
        const double busbw = middle_median(std::move(measured));
        for (const std::uint32_t group : not_measured[layout]) {
            Reached as_the_rest = reached.at(group);
            as_the_rest.busbw = busbw;
            link.groups.insert(group);
            add_calls_below(c, as_the_rest, link.beside_another ? usual : network, link);
        }
        links.push_back(std::move(link));
    }
}

std::map<std::uint32_t, Reached> reached_by_group(const FindingContext& c,
                                                  const std::map<SameCalls, CallsByGroup>& calls) {
    std::map<std::uint32_t, Reached> reached;
    const SharedTime shared(c);
    for (const auto& [key, groups] : calls) {
        for (const auto& [group, own] : groups) {
            Reached& of_group = reached[group];
            of_group.dimension = key.dimension;
            of_group.way = key.way;
            of_group.calls.insert(of_group.calls.end(), own.begin(), own.end());
            if (!fills_the_network(key))
                continue;
            of_group.large = true;
            std::vector<LinkCall> alone;
            std::ranges::copy_if(own, std::back_inserter(alone),
                                 [&](const LinkCall& call) { return shared.is_alone(c, call.node); });
            if (!alone.empty())
                of_group.busbw = std::max(of_group.busbw, gigabytes_a_second(key, median_time(alone)));
        }
    }
    return reached;
}

} // namespace

void add_below_hardware(const FindingContext& c, const std::map<SameCalls, CallsByGroup>& calls,
                        std::vector<SlowLink>& links) {
    const auto network = usual_network(c.inputs.run);
    if (!network)
        return;
    const std::set<std::uint32_t> compared = comparison_of(c, calls).compared;
    const std::map<std::uint32_t, Reached> reached = reached_by_group(c, calls);
    add_slow_dimensions(c, reached, compared, network->between_machines, links);
    for (const auto& [group, own] : reached) {
        const bool told = std::ranges::any_of(links, [&](const SlowLink& link) { return link.groups.contains(group); });
        if (own.way != Way::between || compared.contains(group) || told || own.busbw <= 0 ||
            own.busbw >= kOfNetwork * network->between_machines)
            continue;
        SlowLink link;
        link.groups = {group};
        add_calls_below(c, own, network->between_machines, link);
        links.push_back(std::move(link));
    }
}

LinkComparison compare_links(const FindingContext& c) {
    const auto calls = comparable_calls(c);
    LinkComparison result = comparison_of(c, calls);
    if (const auto network = usual_network(c.inputs.run))
        for (const auto& [group, own] : reached_by_group(c, calls)) {
            // Each rank of a machine has a card.
            const std::vector<int>& ranks = c.inputs.collectives.groups[group].ranks;
            const double count = std::max(1.0, static_cast<double>(c.inputs.machines.of(ranks).size()));
            const double cards = static_cast<double>(ranks.size()) / count;
            if (own.way == Way::between && own.busbw >= kNearNetwork * cards * network->between_machines)
                result.near_network.insert(group);
        }
    return result;
}

} // namespace rankscope
