// SPDX-License-Identifier: GPL-3.0-or-later
// Joins the ranks' parts by their collectives, explains every start by what came last before it, and replays.
#include "core/analysis/graph/step_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/collectives/collective_timing.h"
#include "core/analysis/collectives/rank_sets.h"
#include "core/analysis/gpu/idle_causes.h"
#include "core/analysis/graph/rank_graph.h"
#include "core/analysis/graph/replay_order.h"
#include "core/analysis/graph/step_time.h"
#include "core/analysis/steps/step_windows.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

/// What a node may have waited for. soonest: the least it starts after that, where nothing says it waited longer.
struct Candidate {
    GraphEdge edge;
    TimeNs source = 0; ///< time the lag counts from
    TimeNs soonest = 0;
};

struct Edges {
    std::vector<std::uint32_t> first; ///< per node of the rank
    std::vector<GraphEdge> edges;
    std::vector<TimeNs> lag;

    /// The latest candidate is what held the node up: its lag is what was recorded. No lag contradicts the recording.
    /// Where the node then waited on for long, nothing says for what, and no change shortens that: all lags hold it.
    void add(TimeNs start, std::span<const Candidate> candidates, TimeNs longest_latency) {
        first.push_back(static_cast<std::uint32_t>(edges.size()));
        const Candidate* binding = nullptr;
        for (const Candidate& candidate : candidates)
            if (binding == nullptr || candidate.source + candidate.soonest > binding->source + binding->soonest)
                binding = &candidate;
        TimeNs unexplained = binding == nullptr ? 0 : start - binding->source - binding->soonest;
        unexplained = unexplained > longest_latency ? unexplained : 0;
        for (const Candidate& candidate : candidates) {
            const TimeNs recorded = start - candidate.source;
            edges.push_back(candidate.edge);
            lag.push_back(&candidate == binding ? recorded : std::min(recorded, candidate.soonest + unexplained));
        }
    }
};

/// A matched call as the graph joins it: arrivals at start, together until end.
struct Transfer {
    std::uint32_t matched = 0;
    TimeNs start = 0;
    TimeNs end = 0;
    std::uint32_t last_rank = 0;
    EventIndex last_event = kNoEvent;
    std::vector<std::uint32_t> arrivals; ///< nodes
    std::uint32_t message = kNoNode;     ///< of the arrivals: the send that waited for nobody
    TimeNs message_lag = 0;              ///< from its end; less than 0 where the receive ends before it
};

/// A send that ended this long before its receive started cannot have waited for it, whatever the clocks' error.
constexpr TimeNs kLeft = 10'000;

class Joiner {
public:
    Joiner(const Run& run, std::span<RankGraph> ranks, std::span<const std::vector<ProfilerStep>> steps,
           const CollectiveMatching& matching, ClockAlignment clock)
        : run_(run), ranks_(ranks), steps_(steps), matching_(matching), rank_edges_(ranks.size()) {
        graph_.clock = std::move(clock);
    }

    StepGraph join(std::span<const Repetitions> repetitions) {
        for (const RankGraph& rank : ranks_)
            graph_.gpu_early.push_back(rank.gpu_early);
        place_nodes();
        join_calls();
        place_transfers();
        tbb::parallel_for(std::size_t{0}, ranks_.size(),
                          [&](std::size_t r) { explain(static_cast<std::uint32_t>(r)); });
        gather_edges();
        add_steps();
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
        ends_.resize(nodes);
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
                ends_[n] = rank.host[h].end;
            }
            for (const GraphWork& work : rank.work) {
                set_node(n, kind_of(work, *run_.ranks[r]), static_cast<std::uint32_t>(r), work.event, work.start,
                         work.end - work.start);
                graph_.step[n] = work.step;
                ends_[n++] = work.end;
            }
        });
        transfer_.assign(nodes, kNoNode);
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

    /// Node of a GPU event; kNoNode when it is not in the graph.
    [[nodiscard]] std::vector<std::uint32_t> nodes_of_events(std::size_t rank) const {
        std::vector<std::uint32_t> nodes(run_.ranks[rank]->events.gpu_count, kNoNode);
        for (std::uint32_t n = graph_.first_gpu_node[rank]; n < graph_.first_node[rank + 1]; ++n)
            nodes[graph_.event[n]] = n;
        return nodes;
    }

    /// A call is joined when no member ends before all have started: then its end follows from its arrivals. So is a
    /// message that left without its receiver.
    void join_calls() {
        std::vector<std::vector<std::uint32_t>> nodes(ranks_.size());
        tbb::parallel_for(std::size_t{0}, ranks_.size(), [&](std::size_t r) { nodes[r] = nodes_of_events(r); });
        std::vector<Transfer> found;
        std::set<std::uint32_t> left_without; // groups of which a send was seen not to wait for its receiver
        std::set<std::int64_t> left_sizes;    // bytes of such sends
        for (std::uint32_t m = 0; m < matching_.matched.size(); ++m) {
            const MatchedCall& call = matching_.matched[m];
            Transfer transfer{.matched = m,
                              .start = std::numeric_limits<TimeNs>::min(),
                              .end = std::numeric_limits<TimeNs>::max(),
                              .arrivals = {}};
            for (const auto& member : call.members) {
                const CommCall& own = matching_.call(member);
                const std::uint32_t node = nodes[member.first][own.event];
                if (node == kNoNode)
                    continue;
                if (call.members.size() == 2 && own.kind == CollectiveKind::send)
                    transfer.message = node;
                transfer.arrivals.push_back(node);
                if (graph_.start[node] > transfer.start) {
                    transfer.start = graph_.start[node];
                    transfer.last_rank = member.first;
                    transfer.last_event = own.event;
                }
                transfer.end = std::min(transfer.end, graph_.end(node));
            }
            if (transfer.arrivals.size() != call.members.size() || call.members.size() < 2)
                continue;
            if (transfer.message != kNoNode && graph_.end(transfer.message) + kLeft < transfer.start) {
                left_without.insert(call.group);
                left_sizes.insert(message_bytes(run_, matching_.call(call.members.front())));
            }
            found.push_back(std::move(transfer));
        }
        // Messages of one size leave in one way, also where no receiver was late enough to show it.
        const std::set<std::uint32_t> waited = groups_that_wait(found);
        for (Transfer& transfer : found) {
            const MatchedCall& call = matching_.matched[transfer.matched];
            const std::int64_t bytes = message_bytes(run_, matching_.call(call.members.front()));
            const bool leaves = left_without.contains(call.group) ||
                                (bytes != kUnknown && left_sizes.contains(bytes) && !waited.contains(call.group));
            if (!leaves)
                transfer.message = kNoNode;
            if (transfer.message == kNoNode ? transfer.end < transfer.start : !receive_message(transfer))
                continue;
            for (const std::uint32_t node : transfer.arrivals)
                if (node != transfer.message)
                    transfer_[node] = static_cast<std::uint32_t>(transfers_.size());
            transfers_.push_back(std::move(transfer));
        }
    }

    /// Groups most of whose sends clearly waited for their receiver: they lasted until that came, longer than the
    /// shortest ones.
    [[nodiscard]] std::set<std::uint32_t> groups_that_wait(const std::vector<Transfer>& transfers) const {
        struct Sends {
            TimeNs shortest = std::numeric_limits<TimeNs>::max();
            std::size_t all = 0;
            std::size_t waited = 0;
        };
        std::map<std::uint32_t, Sends> sends; // by group
        const auto of = [&](const Transfer& transfer) -> Sends& {
            return sends[matching_.matched[transfer.matched].group];
        };
        for (const Transfer& transfer : transfers)
            if (transfer.message != kNoNode) {
                of(transfer).shortest = std::min(of(transfer).shortest, graph_.times.duration[transfer.message]);
                ++of(transfer).all;
            }
        for (const Transfer& transfer : transfers)
            if (transfer.message != kNoNode &&
                transfer.start - graph_.start[transfer.message] > 2 * of(transfer).shortest + kLeft &&
                graph_.end(transfer.message) >= transfer.start)
                ++of(transfer).waited;
        std::set<std::uint32_t> groups;
        for (const auto& [group, own] : sends)
            if (2 * own.waited > own.all)
                groups.insert(group);
        return groups;
    }

    /// The receive goes on when it has started and the message is there. False: it ends before the send starts, so the
    /// clocks are wrong.
    bool receive_message(Transfer& transfer) const {
        const bool first = transfer.arrivals.front() == transfer.message;
        const std::uint32_t receive = first ? transfer.arrivals.back() : transfer.arrivals.front();
        const TimeNs there = graph_.end(transfer.message);
        transfer.end = graph_.end(receive);
        transfer.start = std::max(graph_.start[receive], std::min(there, transfer.end));
        transfer.message_lag = std::min<TimeNs>(0, transfer.start - there);
        return transfer.end >= graph_.start[transfer.message];
    }

    void place_transfers() {
        first_transfer_ = graph_.size();
        resize(first_transfer_ + static_cast<std::uint32_t>(transfers_.size()));
        graph_.transfer_of.assign(graph_.size(), kNoNode);
        for (std::uint32_t t = 0; t < transfers_.size(); ++t) {
            const Transfer& transfer = transfers_[t];
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

    /// After GPU work has ended: an arrival ends with its transfer.
    [[nodiscard]] Candidate after_work(std::uint32_t rank, std::uint32_t work, EdgeKind kind, TimeNs soonest) const {
        const std::uint32_t node = graph_.first_gpu_node[rank] + work;
        if (transfer_[node] == kNoNode)
            return {{node, kind, false}, ends_[node], soonest};
        const Transfer& transfer = transfers_[transfer_[node]];
        // The lag holds what this member ends after the first one.
        return {{first_transfer_ + transfer_[node], kind, false}, transfer.end, soonest + ends_[node] - transfer.end};
    }

    void explain(std::uint32_t r) {
        Edges& edges = rank_edges_[r];
        const RankGraph& rank = ranks_[r];
        std::vector<Candidate> candidates;
        std::size_t q = 0;
        for (std::uint32_t h = 0; h < rank.host.size(); ++h) {
            candidates.clear();
            explain_host(r, h, candidates);
            if (q < rank.queue_waits.size() && rank.queue_waits[q].host == h)
                explain_queue(r, rank.queue_waits[q++], candidates);
            edges.add(rank.host[h].start, candidates, std::numeric_limits<TimeNs>::max());
        }
        std::size_t d = 0;
        for (std::uint32_t w = 0; w < rank.work.size(); ++w) {
            candidates.clear();
            const GraphWork& work = rank.work[w];
            if (work.launch != kNoNode && rank.host[work.launch].start - rank.gpu_early <= work.start) {
                // Where the stream has nothing left to do as the call returns, the call is what the work waited for.
                const HostPoint& call = rank.host[work.launch];
                const bool idle = work.previous == kNoNode || rank.work[work.previous].end <= call.end;
                candidates.push_back(
                    {{graph_.first_node[r] + work.launch, EdgeKind::launch, true},
                     call.start,
                     idle ? let_by_launch(rank, work, rank.launch_latency) - call.start : rank.launch_latency});
            }
            if (work.previous != kNoNode)
                explain_stream(r, work, candidates);
            else if (!rank.host.empty())
                explain_earlier(r, work, candidates);
            for (; d < rank.dependencies.size() && rank.dependencies[d].work == w; ++d)
                candidates.push_back(after_work(r, rank.dependencies[d].on, EdgeKind::dependency, 0));
            explain_unknown(r, w, candidates);
            edges.add(work.start, candidates, kKernelWaitLimit);
        }
        edges.first.push_back(static_cast<std::uint32_t>(edges.edges.size()));
    }

    /// In a stream the next work may start before the end of the one before it, when that lets it (programmatic
    /// dependent launch): it still follows that end. What ends before that as well ran beside it.
    void explain_stream(std::uint32_t r, const GraphWork& work, std::vector<Candidate>& candidates) const {
        const RankGraph& rank = ranks_[r];
        const GraphWork& previous = rank.work[work.previous];
        if (previous.end <= work.start)
            candidates.push_back(after_work(r, work.previous, EdgeKind::stream, rank.kernel_gap));
        else
            explain_overlap(r, work.previous, work, EdgeKind::stream, candidates);
    }

    /// The work on starts before this one and ends after its start.
    void explain_overlap(std::uint32_t r, std::uint32_t on, const GraphWork& work, EdgeKind kind,
                         std::vector<Candidate>& candidates) const {
        const GraphWork& other = ranks_[r].work[on];
        const std::uint32_t node = graph_.first_gpu_node[r] + on;
        candidates.push_back({{node, kind, true}, other.start, 0}); // however short that gets
        const TimeNs known_from = transfer_[node] == kNoNode ? other.start : transfers_[transfer_[node]].start;
        if (work.end >= other.end && known_from < work.start)
            candidates.push_back(after_work(r, on, kind, work.start - other.end));
    }

    /// Where the launch alone would explain a start long after it while the GPU works, the host did not cause the wait.
    /// The work keeps its distance to what the GPU did last.
    void explain_unknown(std::uint32_t r, std::uint32_t w, std::vector<Candidate>& candidates) const {
        const GraphWork& work = ranks_[r].work[w];
        const bool explained = std::ranges::any_of(candidates, [&](const Candidate& candidate) {
            return candidate.edge.kind != EdgeKind::launch &&
                   candidate.source + candidate.soonest > candidates.front().source + candidates.front().soonest;
        });
        if (candidates.empty() || candidates.front().edge.kind != EdgeKind::launch || explained)
            return;
        const std::uint32_t on = unknown_dependency(ranks_[r], w);
        if (on == kNoNode)
            return;
        if (ranks_[r].work[on].end <= work.start)
            candidates.push_back(after_work(r, on, EdgeKind::dependency, work.start - ranks_[r].work[on].end));
        else
            explain_overlap(r, on, work, EdgeKind::dependency, candidates);
    }

    /// What ran before in its stream held up the first work of the graph, though it is not in the graph.
    void explain_earlier(std::uint32_t r, const GraphWork& work, std::vector<Candidate>& candidates) const {
        const TimeNs source = ranks_[r].host.front().start;
        if (const TimeNs busy = busy_after(source, r, work); busy > 0)
            candidates.push_back({{graph_.first_node[r], EdgeKind::stream, true}, source, busy});
    }

    void explain_host(std::uint32_t r, std::uint32_t h, std::vector<Candidate>& candidates) const {
        if (h == 0)
            return;
        const RankGraph& rank = ranks_[r];
        const HostPoint& point = rank.host[h];
        const HostPoint& before = rank.host[h - 1];
        const std::uint32_t node = graph_.first_node[r] + h - 1;
        const bool after_end = before.end <= point.start;
        const TimeNs source = after_end ? before.end : before.start;
        const std::size_t own = candidates.size();
        candidates.push_back({{node, EdgeKind::host, !after_end}, source, point.start - source});
        if (rank.host_kind[h] != NodeKind::wait_end)
            return;
        const std::size_t waits = explain_wait(r, point, rank.host[h - 1].start, candidates);
        if (waits > 0) // then the host itself was ready at once
            candidates[own].soonest = std::min<TimeNs>(point.start - source, 1'000);
    }

    /// A launch that waited for room could have been made when the host made the call.
    void explain_queue(std::uint32_t r, const QueueWait& wait, std::vector<Candidate>& candidates) const {
        if (wait.waited && !candidates.empty())
            candidates.front().soonest = wait.ready - candidates.front().source;
        if (wait.at_end)
            candidates.push_back(after_work(r, wait.work, EdgeKind::wait, 0));
        else
            candidates.push_back(
                {{graph_.first_gpu_node[r] + wait.work, EdgeKind::wait, true}, ranks_[r].work[wait.work].start, 0});
    }

    /// What the host waited for until this point; returns how much of it ended while it waited.
    std::size_t explain_wait(std::uint32_t r, const HostPoint& point, TimeNs begin,
                             std::vector<Candidate>& candidates) const {
        const RankGraph& rank = ranks_[r];
        const TimeNs until = point.start - rank.gpu_early; // on the GPU's clock
        std::uint32_t latest = kNoNode;
        std::vector<std::uint32_t> ended;
        for (std::size_t s = 0; s < rank.streams.size(); ++s) {
            const std::uint32_t work = rank.streams[s].empty() ? kNoNode : last_ended(rank, s, until);
            if (work == kNoNode)
                continue;
            ended.push_back(work);
            if (latest == kNoNode || rank.work[work].end > rank.work[latest].end)
                latest = work;
        }
        const bool waited = latest != kNoNode && rank.work[latest].end > begin - rank.gpu_early;
        for (const std::uint32_t work : ended)
            if (point.work == HostWork::wait_device || (waited && work == latest))
                candidates.push_back(after_work(r, work, EdgeKind::wait, 0));
        return waited ? 1 : 0;
    }

    void gather_edges() {
        std::size_t total = 0;
        for (const Edges& edges : rank_edges_)
            total += edges.edges.size();
        for (const Transfer& transfer : transfers_)
            total += transfer.arrivals.size();
        tbb::parallel_invoke([&] { graph_.edges.resize(total); }, [&] { graph_.times.lag.resize(total); },
                             [&] { graph_.first_edge.resize(graph_.size() + 1); });
        std::vector<std::uint32_t> base(ranks_.size() + 1);
        for (std::size_t r = 0; r < ranks_.size(); ++r)
            base[r + 1] = base[r] + static_cast<std::uint32_t>(rank_edges_[r].edges.size());
        tbb::parallel_for(std::size_t{0}, ranks_.size(), [&](std::size_t r) {
            const Edges edges = std::move(rank_edges_[r]);
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

    /// How long after that time the GPU event before this one in its stream ends, though it may not be selected.
    [[nodiscard]] TimeNs busy_after(TimeNs time, std::uint32_t r, const GraphWork& work) const {
        const std::optional<TimeNs> free = gpu_free_for(*run_.ranks[r], work.event);
        return free ? graph_.clock.aligned(r, *free) - time : 0;
    }

    void add_steps() {
        for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
            const std::size_t first = graph_.steps.size();
            for (const ProfilerStep& step : steps_[r]) {
                graph_.steps.push_back(
                    {r, step.number, graph_.clock.aligned(r, step.range), kNoNode, kNoNode, {}, {}, 0});
            }
            for (std::uint32_t h = 0; h < ranks_[r].host.size(); ++h) {
                const HostPoint& point = ranks_[r].host[h];
                if (point.work == HostWork::step_begin)
                    graph_.steps[first + point.step].begin = graph_.first_node[r] + h;
                else if (point.work == HostWork::step_end)
                    graph_.steps[first + point.step].end = graph_.first_node[r] + h;
            }
            const auto node_of = [&](std::uint32_t work) {
                const std::uint32_t node = graph_.first_gpu_node[r] + work;
                return transfer_[node] == kNoNode ? node : graph_.transfer_of[node];
            };
            for (const std::vector<std::uint32_t>& stream : ranks_[r].streams) {
                const auto first_of_steps =
                    std::ranges::find_if(stream, [&](std::uint32_t w) { return ranks_[r].work[w].step != kNoNode; });
                if (first < graph_.steps.size() && first_of_steps != stream.end()) {
                    GraphStep& step = graph_.steps[first];
                    if (first_of_steps != stream.begin())
                        step.work_before.push_back(node_of(*std::prev(first_of_steps)));
                    else
                        step.busy_for =
                            std::max(step.busy_for, busy_after(step.range.begin, r, ranks_[r].work[*first_of_steps]));
                }
                for (std::size_t i = 0; i < stream.size(); ++i) {
                    const std::uint32_t step = ranks_[r].work[stream[i]].step;
                    if (step != kNoNode && first + step < graph_.steps.size() &&
                        (i + 1 == stream.size() || ranks_[r].work[stream[i + 1]].step != step))
                        graph_.steps[first + step].last_work.push_back(node_of(stream[i]));
                }
            }
        }
        graph_.profiler_steps = !graph_.steps.empty();
        for (std::uint32_t r = 0; !graph_.profiler_steps && r < ranks_.size(); ++r) {
            const auto range_from = [&](TimeNs from) {
                TimeRange range{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
                for (std::uint32_t n = graph_.first_node[r]; n < graph_.first_node[r + 1]; ++n)
                    if (graph_.start[n] >= from)
                        range = {std::min(range.begin, graph_.start[n]), std::max(range.end, ends_[n])};
                return range;
            };
            TimeRange range = range_from(std::max(behind_slow_first_launch(r), behind_queued_work(r)));
            if (range.begin > range.end) // all started while it lasted
                range = range_from(std::numeric_limits<TimeNs>::min());
            if (graph_.first_node[r] < graph_.first_node[r + 1])
                graph_.steps.push_back({r, 0, range, kNoNode, kNoNode, {}, {}, 0});
        }
    }

    /// When what counts of a rank without profiler steps begins: the driver may spend so long in the first launch,
    /// loading code and setting up the device, that it is of no step.
    [[nodiscard]] TimeNs behind_slow_first_launch(std::uint32_t r) const {
        constexpr TimeNs kSlow = 50'000'000;
        constexpr TimeNs kFarSlower = 5; // times the slowest of the others
        const EventTable& events = run_.ranks[r]->events;
        EventIndex first = kNoEvent;
        TimeNs others = 0;
        for (std::uint32_t n = graph_.first_node[r]; n < graph_.first_gpu_node[r]; ++n) {
            const EventIndex event = graph_.event[n];
            if (graph_.kind[n] != NodeKind::launch || event == kNoEvent)
                continue;
            if (first == kNoEvent)
                first = event;
            else if (event != first)
                others = std::max(others, events.duration[event]);
        }
        const TimeNs own = first == kNoEvent ? 0 : events.duration[first];
        const bool slow = others > 0 && own >= kSlow && own / kFarSlower >= others;
        return slow ? graph_.clock.aligned(r, events.end(first)) : std::numeric_limits<TimeNs>::min();
    }

    /// Likewise: the GPU is seen at work before it has finished what was queued before the recording.
    [[nodiscard]] TimeNs behind_queued_work(std::uint32_t r) const {
        const auto queued = end_of_queued_work(*run_.ranks[r]);
        const std::uint32_t first = graph_.first_gpu_node[r];
        if (!queued || first == graph_.first_node[r + 1] || graph_.start[first] >= graph_.clock.aligned(r, *queued))
            return std::numeric_limits<TimeNs>::min();
        return graph_.clock.aligned(r, *queued);
    }

    const Run& run_;
    std::span<RankGraph> ranks_;
    std::span<const std::vector<ProfilerStep>> steps_;
    const CollectiveMatching& matching_;
    StepGraph graph_;
    std::vector<Edges> rank_edges_;
    std::vector<Transfer> transfers_;
    std::vector<std::uint32_t> transfer_; ///< per node but transfers: index in transfers_
    std::vector<TimeNs> ends_;            ///< per node but transfers: as recorded
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
    StepGraph graph = Joiner(run, ranks, steps, matching, std::move(clock)).join(repetitions);
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
