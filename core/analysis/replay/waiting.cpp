// SPDX-License-Identifier: GPL-3.0-or-later
// Walks back from who came last, through what held it up.
#include "core/analysis/replay/waiting.h"

#include <algorithm>
#include <map>

#include <tbb/parallel_for.h>

#include "core/analysis/replay/graph_changes.h"

namespace rankscope {
namespace {

WaitCause cause_of_node(NodeKind kind) {
    switch (kind) {
    case NodeKind::memory_copy:
    case NodeKind::memory_set: return WaitCause::memory_copy;
    case NodeKind::data_loading: return WaitCause::data_loading;
    case NodeKind::garbage_collection: return WaitCause::garbage_collection;
    case NodeKind::allocation: return WaitCause::allocation;
    case NodeKind::message:
    case NodeKind::transfer: return WaitCause::transfer;
    case NodeKind::compute: return WaitCause::computation;
    default: return WaitCause::host;
    }
}

WaitCause cause_of_gap(EdgeKind kind) {
    return kind == EdgeKind::host   ? WaitCause::host
           : kind == EdgeKind::wait ? WaitCause::synchronisation
                                    : WaitCause::launch;
}

constexpr TimeNs kNoWait = 2'000;               ///< shorter ones are not worth a walk
constexpr std::size_t kLongestWalk = 200'000;   ///< nodes
constexpr std::size_t kMostWalked = 20'000'000; ///< nodes, for a part of the calls: a made trace must not take for ever

class Blame {
public:
    Blame(const StepGraph& graph, const PeerTimes& peers, const CollectiveMatching& matching,
          std::span<const TimeNs> start, const GraphTimes& times)
        : graph_(graph), peers_(peers), matching_(matching), start_(start), times_(times) {
        result_.ranks.resize(graph.first_gpu_node.size());
    }

    void charge(std::uint32_t transfer) {
        waiters_.clear();
        const std::uint32_t last = last_arrival(transfer);
        if (last == kNoNode)
            return;
        for (const GraphEdge& edge : graph_.edges_of(transfer)) {
            if (edge.from_start && start_[edge.from] < start_[last]) { // a message waits for nobody
                waiters_.push_back({start_[edge.from], is_peer(graph_.rank[edge.from], graph_.rank[last])});
                result_.total += start_[last] - start_[edge.from];
            }
        }
        if (waiters_.empty())
            return;
        std::ranges::sort(waiters_, std::greater<>(), &Waiter::since);
        next_ = 0;
        waiting_ = static_cast<TimeNs>(waiters_.size());
        walk(last);
        const std::uint32_t group = group_of(transfer);
        if (!matching_.groups[group].point_to_point && start_[last] - waiters_.back().since > kNoWait)
            charge_late(last, group);
    }

    [[nodiscard]] const Waiting& result() const { return result_; }

private:
    struct Waiter {
        TimeNs since = 0;
        bool peer = false; ///< does the same work as who came last
    };

    [[nodiscard]] bool is_peer(std::uint32_t a, std::uint32_t b) const {
        return !peers_.across_stages && peers_.peer_class[a] == peers_.peer_class[b];
    }

    /// The edge that held the node up; kNoNode where nothing did.
    [[nodiscard]] std::uint32_t binding_edge(std::uint32_t node) const {
        std::uint32_t binding = kNoNode;
        TimeNs latest = 0;
        for (std::uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e) {
            const GraphEdge edge = graph_.edges[e];
            const TimeNs from = start_[edge.from] + (edge.from_start ? 0 : times_.duration[edge.from]);
            if (times_.lag[e] > kNever && (binding == kNoNode || from + times_.lag[e] > latest)) {
                binding = e;
                latest = from + times_.lag[e];
            }
        }
        return binding;
    }

    [[nodiscard]] std::uint32_t group_of(std::uint32_t transfer) const {
        return matching_.matched[graph_.matched[transfer - graph_.first_node.back()]].group;
    }

    /// Who came last. A message comes when its send starts; what its way takes is transfer, not waiting.
    [[nodiscard]] std::uint32_t last_arrival(std::uint32_t transfer) const {
        std::uint32_t last = kNoNode;
        for (const GraphEdge& arrival : graph_.edges_of(transfer))
            last = last == kNoNode || start_[arrival.from] > start_[last] ? arrival.from : last;
        return last;
    }

    /// What the transfer's start waited for: a message holds it up until it has ended.
    [[nodiscard]] std::uint32_t held_up_by(std::uint32_t transfer) const {
        const std::uint32_t edge = binding_edge(transfer);
        return edge == kNoNode ? kNoNode : graph_.edges[edge].from;
    }

    void walk(std::uint32_t node) {
        cursor_ = start_[node];
        const std::uint32_t origin = graph_.rank[node];
        passed_on_ = false;
        while (waiting_ > 0) {
            const std::uint32_t binding = binding_edge(node);
            if (binding == kNoNode || ++walked_ > kMostWalked)
                break;
            const GraphEdge edge = graph_.edges[binding];
            const std::uint32_t before = edge.from;
            const TimeNs end = start_[before] + (edge.from_start ? 0 : times_.duration[before]);
            charge_until(end, graph_.rank[node], cause_of_gap(edge.kind));
            if (graph_.kind[before] == NodeKind::lone_communication && !edge.from_start)
                break; // whom that waited for is not recorded
            const std::uint32_t cause = graph_.kind[before] == NodeKind::transfer ? held_up_by(before) : before;
            if (cause == kNoNode)
                break;
            passed_on_ = passed_on_ || graph_.rank[cause] != origin;
            charge_until(start_[before], graph_.rank[cause], cause_of_node(graph_.kind[before]));
            charge_until(start_[cause], graph_.rank[cause], cause_of_node(graph_.kind[cause]));
            node = cause;
        }
        for (; next_ < waiters_.size(); ++next_)
            result_.unexplained += cursor_ - waiters_[next_].since;
    }

    /// Walks back to where the members last came together.
    void charge_late(std::uint32_t last, std::uint32_t group) {
        std::map<std::uint32_t, double> more; // by rank: what it took longer than its peers, ns
        bool others_have_part = false;
        std::uint32_t node = last;
        const std::size_t most = std::min(walked_ + kLongestWalk, kMostWalked);
        for (; walked_ < most; ++walked_) {
            const std::uint32_t binding = binding_edge(node);
            more[graph_.rank[node]] += excess_of_gap(node, binding);
            if (binding == kNoNode)
                break;
            const GraphEdge edge = graph_.edges[binding];
            node = edge.from;
            const NodeKind kind = graph_.kind[node];
            others_have_part = others_have_part || kind == NodeKind::lone_communication;
            if (kind != NodeKind::transfer) {
                more[graph_.rank[node]] += edge.from_start ? 0 : excess_of(node);
                continue;
            }
            if (group_of(node) == group)
                break;
            others_have_part = true;
            node = held_up_by(node);
            if (node == kNoNode)
                break;
        }
        others_have_part = others_have_part || walked_ >= most; // the rest of the way is not known
        double all = 0;
        for (const auto& [rank, excess] : more)
            all += std::max(0.0, excess);
        for (const Waiter& waiter : waiters_) {
            const auto wait = static_cast<double>(start_[last] - waiter.since);
            const double explained = std::min(wait, all);
            for (const auto& [rank, excess] : more)
                if (excess > 0)
                    result_.ranks[rank].late += explained * excess / all;
            if (waiter.peer && !others_have_part)
                result_.ranks[graph_.rank[last]].late += wait - explained;
        }
    }

    /// Goes back to that time; whoever came later than it waits no longer.
    void charge_until(TimeNs time, std::uint32_t rank, WaitCause cause) {
        time = std::min(time, cursor_);
        while (waiting_ > 0 && cursor_ > time) {
            const TimeNs until = std::max(time, waiters_[next_].since);
            ChargedWaits& charged = result_.ranks[rank];
            (passed_on_ ? charged.passed_on : charged.direct)[static_cast<std::size_t>(cause)] +=
                (cursor_ - until) * waiting_;
            cursor_ = until;
            for (; next_ < waiters_.size() && waiters_[next_].since >= cursor_; ++next_)
                --waiting_;
        }
    }

    /// What a node took longer than its peers, ns; less than 0 where it was faster. Of times as they are now: what a
    /// change has repaired is no excess any more.
    [[nodiscard]] double excess_of(std::uint32_t node) const {
        const NodeKind kind = graph_.kind[node];
        if (node >= peers_.expected.size() || peers_.expected[node] < 0 || kind == NodeKind::launch ||
            kind == NodeKind::wait_begin || kind == NodeKind::wait_end || kind == NodeKind::step_begin)
            return 0;
        return static_cast<double>(times_.duration[node] - peers_.expected[node]);
    }

    /// The same of the host's way to a point, the call of a launch with it.
    [[nodiscard]] double excess_of_gap(std::uint32_t node, std::uint32_t edge) const {
        if (edge == kNoNode || graph_.edges[edge].kind != EdgeKind::host)
            return 0;
        const NodeKind kind = graph_.kind[node];
        if (kind == NodeKind::launch || kind == NodeKind::wait_begin)
            return peers_.expected[node] < 0
                       ? 0
                       : static_cast<double>(times_.lag[edge] + times_.duration[node] - peers_.expected[node]);
        return node >= peers_.expected_before.size() || peers_.expected_before[node] < 0
                   ? 0
                   : static_cast<double>(times_.lag[edge] - peers_.expected_before[node]);
    }

    const StepGraph& graph_;
    const PeerTimes& peers_;
    const CollectiveMatching& matching_;
    std::span<const TimeNs> start_;
    const GraphTimes& times_;
    Waiting result_;
    std::vector<Waiter> waiters_; ///< of one call, who came latest first
    std::size_t next_ = 0;        ///< the first of them who still waits at the cursor
    TimeNs waiting_ = 0;          ///< how many do
    TimeNs cursor_ = 0;
    std::size_t walked_ = 0; ///< nodes, by all walks
    bool passed_on_ = false;
};

void add(Waiting& sum, const Waiting& part) {
    sum.total += part.total;
    sum.unexplained += part.unexplained;
    for (std::size_t r = 0; r < part.ranks.size(); ++r) {
        for (std::size_t c = 0; c < kWaitCauseCount; ++c) {
            sum.ranks[r].direct[c] += part.ranks[r].direct[c];
            sum.ranks[r].passed_on[c] += part.ranks[r].passed_on[c];
        }
        sum.ranks[r].late += part.ranks[r].late;
    }
}

} // namespace

std::string_view wait_cause_word(WaitCause cause) {
    constexpr std::array<std::string_view, kWaitCauseCount> kWords{"computation",  "memory_copy",        "host",
                                                                   "data_loading", "garbage_collection", "allocation",
                                                                   "launch",       "synchronisation",    "transfer"};
    return kWords[static_cast<std::size_t>(cause)];
}

Waiting blame_waiting(const StepGraph& graph, const PeerTimes& peers, const CollectiveMatching& matching,
                      std::span<const TimeNs> start, const GraphTimes& times) {
    Waiting result;
    result.ranks.resize(graph.first_gpu_node.size());
    // Parts of fixed size, added in order: the sum of doubles is the same for every number of threads.
    constexpr std::size_t kPart = 4096;
    const std::size_t parts = (graph.matched.size() + kPart - 1) / kPart;
    std::vector<Waiting> found(parts);
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
        Blame blame(graph, peers, matching, start, times);
        for (std::size_t t = part * kPart; t < std::min((part + 1) * kPart, graph.matched.size()); ++t)
            blame.charge(graph.first_node.back() + static_cast<std::uint32_t>(t));
        found[part] = blame.result();
    });
    for (const Waiting& part : found)
        add(result, part);
    return result;
}

} // namespace rankscope
