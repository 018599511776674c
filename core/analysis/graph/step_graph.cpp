// SPDX-License-Identifier: GPL-3.0-or-later
// Joins the ranks' parts by their collectives, explains every start by what came last before it, and replays.
#include "core/analysis/graph/step_graph.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/collectives/rank_sets.h"
#include "core/analysis/graph/graph_steps.h"
#include "core/analysis/graph/graph_transfers.h"
#include "core/analysis/graph/rank_edges.h"
#include "core/analysis/graph/rank_graph.h"
#include "core/analysis/graph/replay_order.h"
#include "core/analysis/graph/step_time.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

/// Fills the step graph from its ranks' parts.
class GraphJoiner {
public:
    GraphJoiner(const Run& run, std::span<RankGraph> ranks, std::span<const std::vector<ProfilerStep>> steps,
                const CollectiveMatching& matching, ClockAlignment clock)
        : run_(run), ranks_(ranks), steps_(steps), matching_(matching), rank_edges_(ranks.size()) {
        graph_.clock = std::move(clock);
    }

    StepGraph join(std::span<const Repetitions> repetitions) {
        for (const RankGraph& rank : ranks_)
            graph_.gpu_early.push_back(rank.gpu_early);
        place_nodes();
        transfers_ = graph_transfers(run_, graph_, matching_);
        place_transfers();
        tbb::parallel_for(std::size_t{0}, ranks_.size(), [&](std::size_t r) {
            rank_edges_[r] = rank_edges(*run_.ranks[r], ranks_[r], graph_, static_cast<std::uint32_t>(r));
        });
        gather_edges();
        add_steps(run_, ranks_, steps_, graph_);
        count_repetitions(graph_, repetitions);
        set_replay_order(graph_);
        return std::move(graph_);
    }

private:
    void place_nodes() {
        std::uint32_t nodes = 0;
        for (const RankGraph& rank : ranks_) {
            graph_.first_node.push_back(nodes);
            graph_.first_gpu_node.push_back(nodes + static_cast<std::uint32_t>(rank.host.size()));
            nodes += static_cast<std::uint32_t>(rank.host.size() + rank.work.size());
        }
        graph_.first_node.push_back(nodes);
        reserve(nodes + matching_.matched.size());
        resize(nodes);
        tbb::parallel_for(std::size_t{0}, ranks_.size(), [&](std::size_t r) {
            const RankGraph& rank = ranks_[r];
            std::uint32_t n = graph_.first_node[r];
            std::uint32_t step = kNoNode;
            for (std::size_t h = 0; h < rank.host.size(); ++h, ++n) {
                step = rank.host_kind[h] == NodeKind::step_begin ? rank.host[h].step : step;
                graph_.step[n] = step;
                step = rank.host_kind[h] == NodeKind::step_end ? kNoNode : step;
                set_node(n, rank.host_kind[h], static_cast<std::uint32_t>(r), rank.host[h].event, rank.host[h].start,
                         rank.host[h].end - rank.host[h].start);
            }
            for (const GraphWork& work : rank.work) {
                set_node(n, kind_of(work, *run_.ranks[r]), static_cast<std::uint32_t>(r), work.event, work.start,
                         work.end - work.start);
                graph_.step[n++] = work.step;
            }
        });
    }

    static NodeKind kind_of(const GraphWork& work, const RankTrace& trace) {
        if (work.kernel_class == KernelClass::communication)
            return NodeKind::lone_communication;
        return trace.events.kind[work.event] == EventKind::memset ? NodeKind::memory_set
               : work.kernel_class == KernelClass::memory_copy    ? NodeKind::memory_copy
                                                                  : NodeKind::compute;
    }

    void reserve(std::size_t nodes) {
        graph_.kind.reserve(nodes);
        graph_.rank.reserve(nodes);
        graph_.event.reserve(nodes);
        graph_.step.reserve(nodes);
        graph_.start.reserve(nodes);
        graph_.times.duration.reserve(nodes);
    }

    /// Side by side: to fill a column for the first time is mostly the system's work.
    void resize(std::uint32_t nodes) {
        tbb::parallel_invoke([&] { graph_.kind.resize(nodes); }, [&] { graph_.rank.resize(nodes); },
                             [&] { graph_.event.resize(nodes); }, [&] { graph_.step.resize(nodes, kNoNode); },
                             [&] { graph_.start.resize(nodes); }, [&] { graph_.times.duration.resize(nodes); });
    }

    void set_node(std::uint32_t n, NodeKind kind, std::uint32_t rank, EventIndex event, TimeNs start, TimeNs duration) {
        graph_.kind[n] = kind;
        graph_.rank[n] = rank;
        graph_.event[n] = event;
        graph_.start[n] = start;
        graph_.times.duration[n] = duration;
    }

    void place_transfers() {
        first_transfer_ = graph_.size();
        resize(first_transfer_ + static_cast<std::uint32_t>(transfers_.size()));
        graph_.transfer_of.assign(graph_.size(), kNoNode);
        for (std::uint32_t t = 0; t < transfers_.size(); ++t) {
            const GraphTransfer& transfer = transfers_[t];
            set_node(first_transfer_ + t, NodeKind::transfer, transfer.last_rank, transfer.last_event, transfer.start,
                     transfer.end - transfer.start);
            graph_.matched.push_back(transfer.matched);
            for (const std::uint32_t node : transfer.arrivals) {
                if (node == transfer.message) {
                    graph_.kind[node] = NodeKind::message;
                    continue;
                }
                graph_.kind[node] = NodeKind::arrival;
                graph_.times.duration[node] = 0;
                graph_.transfer_of[node] = first_transfer_ + t;
            }
        }
    }

    void gather_edges() {
        std::size_t total = 0;
        for (const RankEdges& edges : rank_edges_)
            total += edges.edges.size();
        for (const GraphTransfer& transfer : transfers_)
            total += transfer.arrivals.size();
        tbb::parallel_invoke([&] { graph_.edges.resize(total); }, [&] { graph_.times.lag.resize(total); },
                             [&] { graph_.first_edge.resize(graph_.size() + 1); });
        std::vector<std::uint32_t> base(ranks_.size() + 1);
        for (std::size_t r = 0; r < ranks_.size(); ++r)
            base[r + 1] = base[r] + static_cast<std::uint32_t>(rank_edges_[r].edges.size());
        tbb::parallel_for(std::size_t{0}, ranks_.size(), [&](std::size_t r) {
            const RankEdges edges = std::move(rank_edges_[r]);
            std::ranges::transform(std::span(edges.first).first(edges.first.size() - 1),
                                   graph_.first_edge.begin() + graph_.first_node[r],
                                   [&](std::uint32_t first) { return base[r] + first; });
            std::ranges::copy(edges.edges, graph_.edges.begin() + base[r]);
            std::ranges::copy(edges.lag, graph_.times.lag.begin() + base[r]);
        });
        std::uint32_t next = base.back();
        for (std::uint32_t t = 0; t < transfers_.size(); ++t) {
            graph_.first_edge[first_transfer_ + t] = next;
            for (const std::uint32_t arrival : transfers_[t].arrivals) {
                const bool is_message = arrival == transfers_[t].message;
                graph_.times.lag[next] = is_message ? transfers_[t].message_lag : 0;
                graph_.edges[next++] = {arrival, EdgeKind::arrival, !is_message};
            }
        }
        graph_.first_edge.back() = next;
    }

    const Run& run_;
    std::span<RankGraph> ranks_;
    std::span<const std::vector<ProfilerStep>> steps_;
    const CollectiveMatching& matching_;
    StepGraph graph_;
    std::vector<RankEdges> rank_edges_;
    std::vector<GraphTransfer> transfers_;
    std::uint32_t first_transfer_ = 0;
};

/// StepGraph::without_partners
double share_without_partners(const Run& run, const StepGraph& graph) {
    if (graph.size() == 0 || std::cmp_less(run.ranks.size(), run.world_size))
        return 0;
    TimeNs without = 0;
    TimeNs all = 0;
    for (std::uint32_t n = 0; n < graph.first_node.back(); ++n) {
        const NodeKind kind = graph.kind[n];
        const bool lone = kind == NodeKind::lone_communication;
        if ((!lone && kind != NodeKind::arrival && kind != NodeKind::message) ||
            (graph.profiler_steps && graph.step[n] == kNoNode))
            continue;
        const TimeNs time = run.ranks[graph.rank[n]]->events.range(graph.event[n]).length();
        all += time;
        without += lone ? time : 0;
    }
    return all == 0 ? 0 : static_cast<double>(without) / static_cast<double>(all);
}

} // namespace

const GraphStep* StepGraph::step_of(std::uint32_t node) const {
    if (!profiler_steps || step[node] == kNoNode)
        return nullptr;
    const auto first = std::ranges::lower_bound(steps, rank[node], {}, &GraphStep::rank);
    const bool known = static_cast<std::size_t>(steps.end() - first) > step[node];
    return known && first[step[node]].rank == rank[node] ? &first[step[node]] : nullptr;
}

StepGraph build_step_graph(const Run& run, std::span<const std::span<const GpuSlice>> work,
                           std::span<const std::vector<ProfilerStep>> steps, const CollectiveMatching& matching,
                           ClockAlignment clock, std::span<const Repetitions> repetitions) {
    count_work("build_step_graph");
    std::vector<RankGraph> ranks = per_rank<RankGraph>(run, [&](const RankTrace& rank, std::size_t i) {
        return build_rank_graph(rank, work[i], steps[i], RankClock{clock, i});
    });
    find_dependencies(ranks, run);
    StepGraph graph = GraphJoiner(run, ranks, steps, matching, std::move(clock)).join(repetitions);
    graph.without_partners = share_without_partners(run, graph);
    return graph;
}

void replay(const StepGraph& graph, const GraphTimes& times, ReplayedTimes& replayed) {
    replayed.starts_and_ends.resize(2 * std::size_t{graph.size()});
    TimeNs* const result = replayed.starts_and_ends.data();
    for (const std::uint32_t n : graph.order) {
        const std::uint32_t first = graph.first_edge[n];
        const std::uint32_t end = graph.first_edge[n + 1];
        TimeNs time = std::numeric_limits<TimeNs>::min();
        if (first == end)
            time = graph.start[n] + (times.begin.empty() ? 0 : times.begin[graph.rank[n]]);
        for (std::uint32_t e = first; e < end; ++e) {
            const GraphEdge edge = graph.edges[e];
            time = std::max(time, result[2 * std::size_t{edge.from} + (edge.from_start ? 0 : 1)] + times.lag[e]);
        }
        result[2 * std::size_t{n}] = time;
        result[2 * std::size_t{n} + 1] = time + times.duration[n];
    }
}

std::vector<TimeNs> replay(const StepGraph& graph, const GraphTimes& times) {
    ReplayedTimes replayed;
    replay(graph, times, replayed);
    std::vector<TimeNs> start(graph.size());
    for (std::uint32_t n = 0; n < graph.size(); ++n)
        start[n] = replayed.start(n);
    return start;
}

std::vector<std::uint32_t> who_meets(const StepGraph& graph) {
    constexpr std::size_t kFewOf = 20;
    RankSets meets(graph.first_gpu_node.size());
    std::size_t lone = 0; // who starts to record later leaves calls before the first step without a partner
    for (std::uint32_t n = 0; n < graph.first_node.back(); ++n)
        lone += graph.kind[n] == NodeKind::lone_communication && (!graph.profiler_steps || graph.step[n] != kNoNode)
                    ? 1
                    : 0;
    if (lone * kFewOf > graph.matched.size())
        return meets.lowest();
    for (std::uint32_t t = graph.first_node.back(); t < graph.size(); ++t) {
        const auto arrivals = graph.edges_of(t);
        for (const GraphEdge& edge : arrivals)
            meets.join(graph.rank[arrivals.front().from], graph.rank[edge.from]);
    }
    return meets.lowest();
}

} // namespace rankscope
