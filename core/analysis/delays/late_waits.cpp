// SPDX-License-Identifier: GPL-3.0-or-later
// Walks back from who came last, through what held it up, and adds up what was longer than on the peers.
#include "core/analysis/delays/late_waits.h"

#include <algorithm>
#include <map>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/graph/held_up.h"

namespace rankscope {
namespace {

constexpr std::size_t kLongestWalk = 200'000; ///< nodes

class LateWalks {
public:
    LateWalks(const HeldUp& held_up, const PeerTimes& peers, const CollectiveMatching& matching)
        : held_up_(held_up), graph_(held_up.graph), start_(held_up.start), times_(held_up.times), peers_(peers),
          matching_(matching), late_{std::vector<double>(graph_.first_gpu_node.size()),
                                     std::vector<std::vector<double>>(graph_.first_gpu_node.size())} {}

    void charge(std::uint32_t transfer) {
        const std::uint32_t group = group_of(transfer);
        const std::uint32_t last = held_up_.last_arrival(transfer);
        if (last == kNoNode || matching_.groups[group].point_to_point)
            return;
        waiters_.clear();
        TimeNs longest = 0;
        for (const GraphEdge& edge : graph_.edges_of(transfer)) {
            if (edge.from_start && start_[edge.from] < start_[last]) {
                waiters_.push_back({start_[edge.from], is_peer(graph_.rank[edge.from], graph_.rank[last])});
                longest = std::max(longest, start_[last] - start_[edge.from]);
            }
        }
        if (longest > kShortestWait)
            charge(last, group);
    }

    [[nodiscard]] const LateWaits& result() const { return late_; }

private:
    struct Waiter {
        TimeNs since = 0;
        bool peer = false; ///< does the same work as who came last
    };

    [[nodiscard]] bool is_peer(std::uint32_t a, std::uint32_t b) const {
        return !peers_.across_stages && peers_.peer_class[a] == peers_.peer_class[b];
    }

    [[nodiscard]] std::uint32_t group_of(std::uint32_t transfer) const {
        return matching_.matched[graph_.matched[transfer - graph_.first_node.back()]].group;
    }

    void add(std::uint32_t rank, std::uint32_t last, double wait) {
        late_.of_rank[rank] += wait;
        const std::size_t step = graph_.step[last] == kNoNode ? 0 : graph_.step[last];
        std::vector<double>& by_step = late_.by_step[rank];
        by_step.resize(std::max(by_step.size(), step + 1));
        by_step[step] += wait;
    }

    /// Walks back to where the members last came together.
    void charge(std::uint32_t last, std::uint32_t group) {
        std::map<std::uint32_t, double> more; // by rank: what it took longer than its peers, ns
        bool others_have_part = false;
        std::uint32_t node = last;
        const std::size_t most = std::min(walked_ + kLongestWalk, kMostWalked);
        for (; walked_ < most; ++walked_) {
            const std::uint32_t binding = held_up_.binding_edge(node);
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
            node = held_up_.held_up_by(node);
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
                    add(rank, last, explained * excess / all);
            if (waiter.peer && !others_have_part)
                add(graph_.rank[last], last, wait - explained);
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

    const HeldUp& held_up_;
    const StepGraph& graph_;
    std::span<const TimeNs> start_;
    const GraphTimes& times_;
    const PeerTimes& peers_;
    const CollectiveMatching& matching_;
    LateWaits late_;
    std::vector<Waiter> waiters_; ///< of one call
    std::size_t walked_ = 0;      ///< nodes, by all walks
};

} // namespace

LateWaits late_waits(const StepGraph& graph, const PeerTimes& peers, const CollectiveMatching& matching,
                     std::span<const TimeNs> start, const GraphTimes& times) {
    const HeldUp held_up{graph, start, times};
    // Parts of fixed size, added in order: the sum of doubles is the same for every number of threads.
    constexpr std::size_t kPart = 4096;
    const std::size_t parts = (graph.matched.size() + kPart - 1) / kPart;
    std::vector<LateWaits> found(parts);
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
        LateWalks late(held_up, peers, matching);
        for (std::size_t t = part * kPart; t < std::min((part + 1) * kPart, graph.matched.size()); ++t)
            late.charge(graph.first_node.back() + static_cast<std::uint32_t>(t));
        found[part] = late.result();
    });
    const std::size_t ranks = graph.first_gpu_node.size();
    LateWaits result{std::vector<double>(ranks), std::vector<std::vector<double>>(ranks)};
    for (const LateWaits& part : found)
        for (std::size_t r = 0; r < ranks; ++r) {
            result.of_rank[r] += part.of_rank[r];
            std::vector<double>& sum = result.by_step[r];
            sum.resize(std::max(sum.size(), part.by_step[r].size()));
            std::ranges::transform(part.by_step[r], sum, sum.begin(), std::plus<>());
        }
    return result;
}

} // namespace rankscope
