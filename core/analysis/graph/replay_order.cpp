// SPDX-License-Identifier: GPL-3.0-or-later
// Each rank's host points and GPU work are two lists; a node of a list is next when all it waited for is placed.
#include "core/analysis/graph/replay_order.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <tuple>

#include <tbb/parallel_for.h>

namespace rankscope {
namespace {

std::uint32_t place(NodeKind kind) {
    return kind == NodeKind::arrival || kind == NodeKind::message ? 0
           : kind == NodeKind::transfer                           ? 1
           : is_gpu_node(kind)                                    ? 2
                                                                  : 3;
}

/// Arrivals never start after their transfer, so all of these edges stay.
void cut_backward_edges(StepGraph& graph) {
    std::vector<char> leads_backward(graph.edges.size());
    const std::size_t ranks = graph.first_node.size() - 1;
    std::vector<char> any(ranks);
    tbb::parallel_for(std::size_t{0}, ranks, [&](std::size_t r) {
        for (std::uint32_t n = graph.first_node[r]; n < graph.first_node[r + 1]; ++n) {
            for (std::uint32_t e = graph.first_edge[n]; e < graph.first_edge[n + 1]; ++e) {
                leads_backward[e] = is_before(graph, graph.edges[e].from, n) ? 0 : 1;
                any[r] |= leads_backward[e];
            }
        }
    });
    if (std::ranges::find(any, 1) == any.end())
        return;
    std::uint32_t kept = 0;
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
        const std::uint32_t begin = std::exchange(graph.first_edge[n], kept);
        for (std::uint32_t e = begin; e < graph.first_edge[n + 1]; ++e) {
            if (leads_backward[e] == 0) {
                graph.edges[kept] = graph.edges[e];
                graph.times.lag[kept++] = graph.times.lag[e];
            }
        }
    }
    graph.edges.resize(kept);
    graph.times.lag.resize(kept);
    graph.first_edge.back() = kept;
}

class Placement {
public:
    explicit Placement(StepGraph& graph)
        : graph_(graph), ranks_(graph.first_node.size() - 1), first_transfer_(graph.first_node.back()),
          placed_(graph.size()), missing_(graph.size() - first_transfer_), waiting_(missing_.size()),
          transfer_of_(graph.size(), kNoNode) {}

    void run() {
        graph_.order.reserve(graph_.size());
        for (std::uint32_t t = 0; t < missing_.size(); ++t) {
            missing_[t] = static_cast<std::uint32_t>(graph_.edges_of(first_transfer_ + t).size());
            for (const GraphEdge& edge : graph_.edges_of(first_transfer_ + t))
                transfer_of_[edge.from] = first_transfer_ + t;
        }
        sort_work();
        next_host_.assign(graph_.first_node.begin(), graph_.first_node.end() - 1);
        next_work_.assign(graph_.first_gpu_node.begin(), graph_.first_gpu_node.end());
        queued_.assign(ranks_, 1);
        queue_.resize(ranks_);
        std::iota(queue_.begin(), queue_.end(), 0U);
        while (!queue_.empty()) {
            const std::uint32_t rank = queue_.front();
            queue_.pop_front();
            queued_[rank] = 0;
            while (advance_host(rank) + advance_work(rank) > 0) {
            }
        }
    }

private:
    /// Work lies by start, but at equal times arrivals come first here.
    void sort_work() {
        work_.resize(first_transfer_);
        std::iota(work_.begin(), work_.end(), 0U);
        tbb::parallel_for(std::size_t{0}, ranks_, [&](std::size_t r) {
            const auto first = work_.begin() + graph_.first_gpu_node[r];
            const auto last = work_.begin() + graph_.first_node[r + 1];
            const auto before = [&](std::uint32_t a, std::uint32_t b) { return is_before(graph_, a, b); };
            if (!std::is_sorted(first, last, before))
                std::sort(first, last, before);
        });
    }

    std::size_t advance_host(std::uint32_t rank) {
        std::uint32_t& next = next_host_[rank];
        const std::uint32_t first = next;
        while (next < graph_.first_gpu_node[rank] && is_ready(rank, next))
            put(next++);
        return next - first;
    }

    std::size_t advance_work(std::uint32_t rank) {
        std::uint32_t& next = next_work_[rank];
        const std::uint32_t first = next;
        while (next < graph_.first_node[rank + 1] && is_ready(rank, work_[next])) {
            const std::uint32_t node = work_[next++];
            put(node);
            if (const std::uint32_t transfer = transfer_of_[node];
                transfer != kNoNode && --missing_[transfer - first_transfer_] == 0) {
                put(transfer);
                for (const std::uint32_t other : std::exchange(waiting_[transfer - first_transfer_], {}))
                    wake(other);
            }
        }
        return next - first;
    }

    /// Otherwise the rank is called again when the transfer it waits for is placed. What it waits for on its own, it
    /// sees itself.
    bool is_ready(std::uint32_t rank, std::uint32_t node) {
        for (const GraphEdge& edge : graph_.edges_of(node)) {
            if (placed_[edge.from] == 0) {
                if (edge.from >= first_transfer_)
                    waiting_[edge.from - first_transfer_].push_back(rank);
                return false;
            }
        }
        return true;
    }

    void wake(std::uint32_t rank) {
        if (std::exchange(queued_[rank], 1) == 0)
            queue_.push_back(rank);
    }

    void put(std::uint32_t node) {
        placed_[node] = 1;
        graph_.order.push_back(node);
    }

    StepGraph& graph_;
    std::size_t ranks_;
    std::uint32_t first_transfer_;
    std::vector<char> placed_;                        ///< per node
    std::vector<std::uint32_t> missing_;              ///< per transfer: arrivals not placed
    std::vector<std::vector<std::uint32_t>> waiting_; ///< per transfer: ranks
    std::vector<std::uint32_t> transfer_of_;          ///< per node: of an arrival and of a message, else kNoNode
    std::vector<std::uint32_t> work_;      ///< per rank its GPU nodes in the order they are placed in, where they lie
    std::vector<std::uint32_t> next_host_; ///< per rank
    std::vector<std::uint32_t> next_work_; ///< per rank, in work_
    std::vector<char> queued_;
    std::deque<std::uint32_t> queue_; ///< ranks that may go on
};

} // namespace

bool is_before(const StepGraph& graph, std::uint32_t a, std::uint32_t b) {
    const auto time_of = [&](std::uint32_t n) {
        return graph.start[n] -
               (is_host_node(graph.kind[n]) && !graph.gpu_early.empty() ? graph.gpu_early[graph.rank[n]] : 0);
    };
    if (const TimeNs time_a = time_of(a), time_b = time_of(b); time_a != time_b)
        return time_a < time_b;
    return std::tuple(place(graph.kind[a]), a) < std::tuple(place(graph.kind[b]), b);
}

void set_replay_order(StepGraph& graph) {
    if (graph.size() == 0)
        return;
    cut_backward_edges(graph);
    Placement(graph).run();
}

} // namespace rankscope
