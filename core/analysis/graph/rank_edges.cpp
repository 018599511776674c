// SPDX-License-Identifier: GPL-3.0-or-later
// What each host point and each GPU work of a rank waited for.
#include "core/analysis/graph/rank_edges.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "core/analysis/gpu/idle_causes.h"
#include "core/analysis/steps/step_windows.h"

namespace rankscope {
namespace {

/// What a node may have waited for. soonest: the least it starts after that, where nothing says it waited longer.
struct PossibleCause {
    GraphEdge edge;
    TimeNs source = 0; ///< time the lag counts from
    TimeNs soonest = 0;
};

class StartExplainer {
public:
    StartExplainer(const RankTrace& trace, const RankGraph& rank, const StepGraph& graph, std::uint32_t r)
        : trace_(trace), rank_(rank), graph_(graph), r_(r) {}

    RankEdges explain() {
        std::vector<PossibleCause> candidates;
        std::size_t q = 0;
        for (std::uint32_t h = 0; h < rank_.host.size(); ++h) {
            candidates.clear();
            explain_host(h, candidates);
            if (q < rank_.queue_waits.size() && rank_.queue_waits[q].host == h)
                explain_queue(rank_.queue_waits[q++], candidates);
            add(rank_.host[h].start, candidates, std::numeric_limits<TimeNs>::max());
        }
        std::size_t d = 0;
        for (std::uint32_t w = 0; w < rank_.work.size(); ++w) {
            candidates.clear();
            const GraphWork& work = rank_.work[w];
            if (work.launch != kNoNode && rank_.host[work.launch].start - rank_.gpu_early <= work.start) {
                // Where the stream has nothing left to do as the call returns, the call is what the work waited for.
                const HostPoint& call = rank_.host[work.launch];
                const bool idle = work.previous == kNoNode || rank_.work[work.previous].end <= call.end;
                candidates.push_back(
                    {{graph_.first_node[r_] + work.launch, EdgeKind::launch, true},
                     call.start,
                     idle ? let_by_launch(rank_, work, rank_.launch_latency) - call.start : rank_.launch_latency});
            }
            if (work.previous != kNoNode)
                explain_stream(work, candidates);
            else if (!rank_.host.empty())
                explain_earlier(work, candidates);
            for (; d < rank_.dependencies.size() && rank_.dependencies[d].work == w; ++d)
                candidates.push_back(after_work(rank_.dependencies[d].on, EdgeKind::dependency, 0));
            explain_unknown(w, candidates);
            add(work.start, candidates, kKernelWaitLimit);
        }
        edges_.first.push_back(static_cast<std::uint32_t>(edges_.edges.size()));
        return std::move(edges_);
    }

private:
    /// The latest candidate is what held the node up: its lag is what was recorded. No lag contradicts the recording.
    /// Where the node then waited on for long, nothing says for what, and no change shortens that: all lags hold it.
    void add(TimeNs start, std::span<const PossibleCause> candidates, TimeNs longest_latency) {
        edges_.first.push_back(static_cast<std::uint32_t>(edges_.edges.size()));
        const PossibleCause* binding = nullptr;
        for (const PossibleCause& candidate : candidates)
            if (binding == nullptr || candidate.source + candidate.soonest > binding->source + binding->soonest)
                binding = &candidate;
        TimeNs unexplained = binding == nullptr ? 0 : start - binding->source - binding->soonest;
        unexplained = unexplained > longest_latency ? unexplained : 0;
        for (const PossibleCause& candidate : candidates) {
            const TimeNs recorded = start - candidate.source;
            edges_.edges.push_back(candidate.edge);
            edges_.lag.push_back(&candidate == binding ? recorded
                                                       : std::min(recorded, candidate.soonest + unexplained));
        }
    }

    /// After GPU work has ended: an arrival ends with its transfer.
    [[nodiscard]] PossibleCause after_work(std::uint32_t work, EdgeKind kind, TimeNs soonest) const {
        const std::uint32_t node = graph_.first_gpu_node[r_] + work;
        const TimeNs end = rank_.work[work].end;
        const std::uint32_t transfer = graph_.transfer_of[node];
        if (transfer == kNoNode)
            return {{node, kind, false}, end, soonest};
        // The lag includes the time by which this member ends later than the first.
        return {{transfer, kind, false}, graph_.end(transfer), soonest + end - graph_.end(transfer)};
    }

    /// In a stream the next work may start before the end of the one before it, when that lets it (programmatic
    /// dependent launch): it still follows that end. What ends before that as well ran beside it.
    void explain_stream(const GraphWork& work, std::vector<PossibleCause>& candidates) const {
        const GraphWork& previous = rank_.work[work.previous];
        if (previous.end <= work.start)
            candidates.push_back(after_work(work.previous, EdgeKind::stream, rank_.kernel_gap));
        else
            explain_overlap(work.previous, work, EdgeKind::stream, candidates);
    }

    /// The work on starts before this one and ends after its start.
    void explain_overlap(std::uint32_t on, const GraphWork& work, EdgeKind kind,
                         std::vector<PossibleCause>& candidates) const {
        const GraphWork& other = rank_.work[on];
        const std::uint32_t node = graph_.first_gpu_node[r_] + on;
        candidates.push_back({{node, kind, true}, other.start, 0}); // however short that gets
        const std::uint32_t transfer = graph_.transfer_of[node];
        const TimeNs known_from = transfer == kNoNode ? other.start : graph_.start[transfer];
        if (work.end >= other.end && known_from < work.start)
            candidates.push_back(after_work(on, kind, work.start - other.end));
    }

    /// Where the launch alone would explain a start long after it while the GPU works, the host did not cause the wait.
    /// The work keeps its distance to what the GPU did last.
    void explain_unknown(std::uint32_t w, std::vector<PossibleCause>& candidates) const {
        const GraphWork& work = rank_.work[w];
        const bool explained = std::ranges::any_of(candidates, [&](const PossibleCause& candidate) {
            return candidate.edge.kind != EdgeKind::launch &&
                   candidate.source + candidate.soonest > candidates.front().source + candidates.front().soonest;
        });
        if (candidates.empty() || candidates.front().edge.kind != EdgeKind::launch || explained)
            return;
        const std::uint32_t on = unknown_dependency(rank_, w);
        if (on == kNoNode)
            return;
        if (rank_.work[on].end <= work.start)
            candidates.push_back(after_work(on, EdgeKind::dependency, work.start - rank_.work[on].end));
        else
            explain_overlap(on, work, EdgeKind::dependency, candidates);
    }

    /// What ran before in its stream held up the first work of the graph, though it is not in the graph.
    void explain_earlier(const GraphWork& work, std::vector<PossibleCause>& candidates) const {
        const TimeNs source = rank_.host.front().start;
        if (const TimeNs busy = gpu_busy_after(graph_, trace_, r_, work.event, source); busy > 0)
            candidates.push_back({{graph_.first_node[r_], EdgeKind::stream, true}, source, busy});
    }

    void explain_host(std::uint32_t h, std::vector<PossibleCause>& candidates) const {
        if (h == 0)
            return;
        const HostPoint& point = rank_.host[h];
        const HostPoint& before = rank_.host[h - 1];
        const std::uint32_t node = graph_.first_node[r_] + h - 1;
        const bool after_end = before.end <= point.start;
        const TimeNs source = after_end ? before.end : before.start;
        const std::size_t own = candidates.size();
        candidates.push_back({{node, EdgeKind::host, !after_end}, source, point.start - source});
        if (rank_.host_kind[h] != NodeKind::wait_end)
            return;
        if (explain_wait(point, before.start, candidates)) // then the host itself was ready at once
            candidates[own].soonest = std::min<TimeNs>(point.start - source, 1'000);
    }

    /// A launch that waited for room could have been made when the host made the call.
    void explain_queue(const QueueWait& wait, std::vector<PossibleCause>& candidates) const {
        if (wait.waited && !candidates.empty())
            candidates.front().soonest = wait.ready - candidates.front().source;
        if (wait.at_end)
            candidates.push_back(after_work(wait.work, EdgeKind::wait, 0));
        else
            candidates.push_back(
                {{graph_.first_gpu_node[r_] + wait.work, EdgeKind::wait, true}, rank_.work[wait.work].start, 0});
    }

    /// What the host waited for until this point; returns whether any of it ended while it waited.
    bool explain_wait(const HostPoint& point, TimeNs begin, std::vector<PossibleCause>& candidates) const {
        const TimeNs until = point.start - rank_.gpu_early; // on the GPU's clock
        std::uint32_t latest = kNoNode;
        std::vector<std::uint32_t> ended;
        for (std::size_t s = 0; s < rank_.streams.size(); ++s) {
            const std::uint32_t work = rank_.streams[s].empty() ? kNoNode : last_ended(rank_, s, until);
            if (work == kNoNode)
                continue;
            ended.push_back(work);
            if (latest == kNoNode || rank_.work[work].end > rank_.work[latest].end)
                latest = work;
        }
        const bool waited = latest != kNoNode && rank_.work[latest].end > begin - rank_.gpu_early;
        for (const std::uint32_t work : ended)
            if (point.work == HostWork::wait_device || (waited && work == latest))
                candidates.push_back(after_work(work, EdgeKind::wait, 0));
        return waited;
    }

    const RankTrace& trace_;
    const RankGraph& rank_;
    const StepGraph& graph_;
    std::uint32_t r_;
    RankEdges edges_{};
};

} // namespace

RankEdges rank_edges(const RankTrace& trace, const RankGraph& rank, const StepGraph& graph, std::uint32_t r) {
    return StartExplainer(trace, rank, graph, r).explain();
}

TimeNs gpu_busy_after(const StepGraph& graph, const RankTrace& trace, std::uint32_t r, EventIndex work, TimeNs time) {
    const std::optional<TimeNs> free = gpu_free_for(trace, work);
    return free ? graph.clock.aligned(r, *free) - time : 0;
}

} // namespace rankscope
