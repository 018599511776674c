// SPDX-License-Identifier: GPL-3.0-or-later
// How long others take for what a rank does.
#include "core/analysis/usual/usual_times.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/analysis/graph/held_up.h"
#include "core/analysis/usual/same_work.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// The peers' waits at the same places.
class PlacedWaits {
public:
    PlacedWaits(const Run& run, const StepGraph& graph, const PeerTimes& peers,
                std::span<const CommunicationNode> communication, const CollectiveMatching& matching)
        : run_(run), graph_(graph), peers_(peers), matching_(matching), first_(graph.first_node.back()),
          call_(graph.size() - first_) {
        PlaceMap<std::uint32_t, const CommunicationNode*> messages; // by node
        for (const CommunicationNode& node : communication)
            if (node.node >= first_)
                call_[node.node - first_] = &node;
            else if (graph.kind[node.node] == NodeKind::message)
                messages[node.node] = &node;
        for (std::uint32_t t = first_; t < graph.size(); ++t)
            for (const GraphEdge& edge : graph.edges_of(t))
                if (graph.kind[edge.from] == NodeKind::message)
                    if (const auto found = messages.find(edge.from); found != messages.end())
                        call_[t - first_] = found->second;
    }

    void find(UsualTimes& usual) {
        const std::vector<TimeNs> held = held_up_by_calls();
        std::vector<std::vector<std::pair<std::uint32_t, TimeNs>>> waits;        // by place: node, ns
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> places; // sort, which of them: place
        for (std::uint32_t r = 0; r + 1 < graph_.first_node.size(); ++r) {
            if (peers_.class_size[peers_.peer_class[r]] < 2)
                continue;
            std::map<std::uint32_t, std::uint32_t> counts; // of the rank, by sort
            for (std::uint32_t n = graph_.first_gpu_node[r]; n < graph_.first_node[r + 1]; ++n) {
                const std::uint32_t transfer = graph_.transfer_of[n];
                if (transfer == kNoNode || call_[transfer - first_] == nullptr)
                    continue;
                const std::uint32_t sort = sort_of(r, n);
                const auto place = places.try_emplace({sort, counts[sort]++}, static_cast<std::uint32_t>(waits.size()));
                if (place.second)
                    waits.emplace_back();
                usual.place[n] = place.first->second;
                waits[usual.place[n]].emplace_back(n, held[n]);
            }
        }
        for (const auto& of_place : waits) {
            std::vector<TimeNs> sorted;
            for (const auto& [node, wait] : of_place)
                sorted.push_back(wait);
            std::ranges::sort(sorted);
            for (const auto& [node, wait] : of_place)
                if (sorted.size() > 1)
                    usual.wait[node] = middle_median_of_others(sorted, wait);
        }
    }

private:
    /// Per node: of an arrival, how long the rank waited for the others: from when it came, and all else was there.
    [[nodiscard]] std::vector<TimeNs> held_up_by_calls() const {
        const HeldUp held_up{graph_, graph_.start, graph_.times};
        std::vector<TimeNs> held(graph_.size(), 0);
        std::vector<std::uint32_t> arrival(call_.size(), kNoNode); // of the rank
        for (std::uint32_t r = 0; r + 1 < graph_.first_node.size(); ++r) {
            for (std::uint32_t n = graph_.first_gpu_node[r]; n < graph_.first_node[r + 1]; ++n)
                if (graph_.transfer_of[n] != kNoNode)
                    arrival[graph_.transfer_of[n] - first_] = n;
            for (std::uint32_t n = graph_.first_node[r]; n < graph_.first_node[r + 1]; ++n) {
                const std::uint32_t binding = held_up.binding_edge(n);
                const std::uint32_t transfer = binding == kNoNode ? kNoNode : graph_.edges[binding].from;
                const std::uint32_t own =
                    transfer == kNoNode || transfer < first_ ? kNoNode : arrival[transfer - first_];
                if (own == kNoNode || graph_.rank[own] != r)
                    continue;
                const std::uint32_t other = held_up.second_edge(n, binding);
                const TimeNs from =
                    other == kNoNode ? graph_.start[own] : std::max(graph_.start[own], held_up.ready(other));
                held[own] = std::max(held[own], graph_.start[held_up.last_arrival(transfer)] - from);
            }
        }
        return held;
    }

    /// Class, step, dimension, kind, bytes, whether it sends, class of the partner.
    using Sort = std::array<std::int64_t, 7>;

    std::uint32_t sort_of(std::uint32_t rank, std::uint32_t node) {
        const std::uint32_t transfer = graph_.transfer_of[node];
        const CommunicationNode& call = *call_[transfer - first_];
        const CommGroup& group = matching_.groups[call.group];
        const GraphStep* const step = graph_.step_of(node);
        std::int64_t partner = -1;
        if (group.point_to_point)
            for (const GraphEdge& edge : graph_.edges_of(transfer))
                if (graph_.rank[edge.from] != rank)
                    partner = peers_.peer_class[graph_.rank[edge.from]];
        const Sort sort{peers_.peer_class[rank],
                        step == nullptr ? -1 : step->number,
                        static_cast<std::int64_t>(call.dimension),
                        static_cast<std::int64_t>(call.kind),
                        call.bytes,
                        group.point_to_point && group.ranks.front() == run_.ranks[rank]->rank ? 1 : 0,
                        partner};
        return sorts_.try_emplace(sort, static_cast<std::uint32_t>(sorts_.size())).first->second;
    }

    const Run& run_;
    const StepGraph& graph_;
    const PeerTimes& peers_;
    const CollectiveMatching& matching_;
    std::uint32_t first_; ///< transfer
    std::vector<const CommunicationNode*> call_;
    std::map<Sort, std::uint32_t> sorts_;
};

/// Of transfers that are alike, or parts of them, the times by group.
using TimesByGroup = std::map<std::uint32_t, std::vector<TimeNs>>;

/// Each group counts once: a slow one is no more usual where it is seen more often. Of two the faster one.
TimeNs usual_of(const TimesByGroup& times) {
    std::vector<TimeNs> medians;
    for (const auto& [group, own] : times)
        medians.push_back(lower_median(own));
    return lower_median(std::move(medians));
}

/// alike: per communication node.
void find_transfers(const StepGraph& graph, std::span<const CommunicationNode> communication,
                    std::span<const std::uint32_t> alike, UsualTimes& usual) {
    std::map<std::uint32_t, TimesByGroup> times; // by number
    for (std::size_t i = 0; i < communication.size(); ++i)
        if (alike[i] != kNoNode)
            times[alike[i]][communication[i].group].push_back(graph.times.duration[communication[i].node]);
    std::map<std::uint32_t, TimeNs> medians;
    for (const auto& [number, by_group] : times)
        medians[number] = usual_of(by_group);
    for (std::size_t i = 0; i < communication.size(); ++i)
        if (alike[i] != kNoNode)
            usual.node[communication[i].node] = medians.at(alike[i]);
}

/// Of a transfer whose message left without its receiver: what transfers alike take once both have come. Apart where
/// the message came last, and where the receive did, because that has only to copy what is there.
void find_ways_of_messages(const StepGraph& graph, std::span<const CommunicationNode> communication,
                           std::span<const std::uint32_t> alike, UsualTimes& usual) {
    PlaceMap<std::uint32_t, std::size_t> messages; // by node, index in communication
    for (std::size_t i = 0; i < communication.size(); ++i)
        if (alike[i] != kNoNode && graph.kind[communication[i].node] == NodeKind::message)
            messages[communication[i].node] = i;
    const HeldUp held_up{graph, graph.start, graph.times};
    struct Ways {
        TimesByGroup times;
        std::vector<std::uint32_t> transfers;
    };
    std::map<std::pair<std::uint32_t, bool>, Ways> ways; // by number, the message came last
    for (std::uint32_t t = graph.first_node.back(); t < graph.size(); ++t)
        for (const GraphEdge& edge : graph.edges_of(t))
            if (const auto message = messages.find(edge.from); message != messages.end()) {
                const std::uint32_t last = held_up.last_arrival(t);
                Ways& same = ways[{alike[message->second], last == edge.from}];
                same.times[communication[message->second].group].push_back(graph.end(t) - graph.start[last]);
                same.transfers.push_back(t);
            }
    for (const auto& [number, same] : ways) {
        const TimeNs median = usual_of(same.times);
        for (const std::uint32_t transfer : same.transfers)
            usual.node[transfer] = median;
    }
}

} // namespace

UsualTimes usual_times(const Run& run, const StepGraph& graph, const PeerTimes& peers,
                       std::span<const CommunicationNode> communication, const CollectiveMatching& matching) {
    UsualTimes usual{std::vector<TimeNs>(graph.size(), -1), std::vector<TimeNs>(graph.size(), -1),
                     std::vector<TimeNs>(graph.size(), -1), std::vector<std::uint32_t>(graph.size(), kNoNode),
                     std::vector<bool>(graph.size())};
    if (!peers.across_stages) // a stage's waits are its own
        PlacedWaits(run, graph, peers, communication, matching).find(usual);
    for (std::uint32_t node = 0; node < std::min<std::size_t>(peers.expected.size(), graph.size()); ++node) {
        const NodeKind kind = graph.kind[node];
        const bool call = kind == NodeKind::launch || kind == NodeKind::wait_begin; // expected holds the way to it too
        usual.own_wait[node] = kind == NodeKind::wait_end && peers.surplus[node];
        if (call)
            usual.way[node] =
                peers.expected[node] < 0 ? -1 : std::max<TimeNs>(0, peers.expected[node] - graph.times.duration[node]);
        else if (node < peers.expected_before.size())
            usual.way[node] = peers.expected_before[node];
        if (!call && kind != NodeKind::wait_end && kind != NodeKind::step_begin && kind != NodeKind::step_end)
            usual.node[node] = peers.expected[node];
    }
    const std::vector<std::uint32_t> alike = alike_transfers(run, graph, communication);
    find_transfers(graph, communication, alike, usual);
    find_ways_of_messages(graph, communication, alike, usual);
    return usual;
}

} // namespace rankscope
