// SPDX-License-Identifier: GPL-3.0-or-later
// What had to happen before what: launches, waits, GPU work and collectives of all ranks as one graph that can be
// replayed.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/gpu/host_points.h"
#include "core/analysis/selection/selection.h"

namespace rankscope {

enum class NodeKind : std::uint8_t {
    step_begin,
    step_end,
    launch,
    wait_begin,
    wait_end,
    data_loading,
    garbage_collection,
    allocation, ///< the host
    compute,
    memory_copy,
    memory_set,
    lone_communication, ///< GPU work; communication whose partners are not in the trace
    message,            ///< a send that leaves without its receiver: it waits for nobody
    arrival,            ///< a communication kernel starts; its transfer follows when all members have
    transfer            ///< of a matched call; event and rank are those of the member that arrived last; of a message
                        ///< what the receive takes once both have come
};
constexpr bool is_host_node(NodeKind kind) { return kind <= NodeKind::allocation; }
constexpr bool is_gpu_node(NodeKind kind) { return kind >= NodeKind::compute; }
/// GPU work that needs no other rank.
constexpr bool is_local_gpu_work(NodeKind kind) {
    return kind == NodeKind::compute || kind == NodeKind::memory_copy || kind == NodeKind::memory_set;
}

enum class EdgeKind : std::uint8_t {
    host,       ///< the host got from one point to the next
    launch,     ///< from the call to the GPU
    stream,     ///< from one GPU event to the next of its stream
    dependency, ///< an event of another stream, seen or known to be waited for; or what the GPU did when nothing else
                ///< explains the start
    arrival,    ///< of a member, to the transfer; of a message from its end
    wait        ///< what the host waited for
};

/// start of a node >= end of from (or its start) + lag.
struct GraphEdge {
    std::uint32_t from = 0;
    EdgeKind kind = EdgeKind::host;
    bool from_start = false;
};

/// What a change may change: how long nodes take, and what lies between them, ns.
struct GraphTimes {
    std::vector<TimeNs> duration; ///< per node
    std::vector<TimeNs> lag;      ///< per edge
    std::vector<TimeNs>
        begin; ///< per rank: how much later than recorded what waited for nothing starts; empty: all as recorded
};

/// A profiler step of a rank; of a rank without any, all of it.
struct GraphStep {
    std::uint32_t rank = 0; ///< index in Run::ranks
    std::int64_t number = 0;
    TimeRange range;         ///< aligned
    std::uint32_t begin = 0; ///< nodes; both kNoNode without profiler steps
    std::uint32_t end = 0;
    std::vector<std::uint32_t> last_work; ///< nodes: the last GPU work of the step on each stream
    std::vector<std::uint32_t>
        work_before;     ///< of a rank's first step: the last GPU work of earlier steps, on each stream
    TimeNs busy_for = 0; ///< of a rank's first step: how long after its start work that is not selected leaves the GPU
};

inline constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

/// Nodes of a rank lie together: its host points in order, then its GPU work by start; then all transfers. Replayed
/// with its own times, the graph gives the recorded starts exactly.
struct StepGraph {
    std::vector<NodeKind> kind;
    std::vector<std::uint32_t> rank;
    std::vector<EventIndex> event;
    std::vector<std::uint32_t> step; ///< index among the rank's steps, of GPU work that of its launch; kNoNode: none
    std::vector<TimeNs> start;       ///< as recorded, aligned
    std::vector<std::uint32_t> first_edge; ///< of each node, one more at the end: [first_edge[n], first_edge[n + 1])
    std::vector<GraphEdge> edges;
    GraphTimes times;
    std::vector<std::uint32_t> order;          ///< of replay: every edge leads forward (replay_order.h)
    std::vector<GraphStep> steps;              ///< by rank, then number
    std::vector<std::uint32_t> first_node;     ///< of each rank, one more at the end: where the transfers start
    std::vector<std::uint32_t> first_gpu_node; ///< of each rank
    std::vector<std::uint32_t> matched;        ///< per transfer, in order: index in CollectiveMatching::matched
    std::vector<std::uint32_t> transfer_of;    ///< per node: of an arrival its transfer, else kNoNode
    ClockAlignment clock{};                    ///< of all times here; joined_by_messages()
    bool profiler_steps = false;
    std::int64_t repetitions = 1; ///< without profiler steps: iterations the recording holds, the most of a rank
    /// Of each rank: how much earlier than by the host's clock its GPU times are, at least, so that no work starts
    /// before its launch; 0 where none does. Times here are as recorded: the host's less this are in the order of the
    /// GPU's.
    std::vector<TimeNs> gpu_early{};
    std::vector<double> repetitions_of{}; ///< of each rank, likewise; the first and the last may be parts of one
    /// The GPU work with which the first and the last repetition start.
    struct RepetitionStarts {
        std::uint32_t first = 0; ///< nodes
        std::uint32_t last = 0;
        double between = 0; ///< repetitions from first to last; 0: not known
    };
    std::vector<RepetitionStarts> repetition_starts{}; ///< of each rank
    /// Of the time of communication in the steps of a job, the share of kernels of which it is not known which ranks
    /// they join. 0 where not all ranks are traced: what is missing there is another thing.
    double without_partners = 0;

    /// Else nobody can tell which rank the others wait for.
    [[nodiscard]] bool partners_known() const { return without_partners <= 0.25; }

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(kind.size()); }
    [[nodiscard]] TimeNs end(std::uint32_t node) const { return start[node] + times.duration[node]; }
    [[nodiscard]] std::span<const GraphEdge> edges_of(std::uint32_t node) const {
        return std::span(edges).subspan(first_edge[node], first_edge[node + 1] - first_edge[node]);
    }
    /// The profiler step that the node of a rank belongs to; nullptr outside of all.
    [[nodiscard]] const GraphStep* step_of(std::uint32_t node) const;
};

/// Iterations that a rank without profiler steps is known to have run, the last one at least in part.
struct Repetitions {
    std::int64_t count = 1;
    TimeNs period = 0; ///< from one to the next; 0: neither this nor what follows is known
    bool last_is_whole = true;
    EventIndex first_event = kNoEvent; ///< GPU work with which the first one starts
    EventIndex last_event = kNoEvent;  ///< likewise of the last one
};

/// work, steps, repetitions: per rank, as in Run::ranks.
StepGraph build_step_graph(const Run& run, std::span<const std::span<const GpuSlice>> work,
                           std::span<const std::vector<ProfilerStep>> steps, const CollectiveMatching& matching,
                           ClockAlignment clock, std::span<const Repetitions> repetitions);

/// Per rank: the lowest rank that it meets in calls, directly or through others. Where many calls are not joined, as
/// where ranks are not traced, what waits in them keeps its time: then the last rank to end tells nothing of the
/// others, and each stands for itself.
std::vector<std::uint32_t> who_meets(const StepGraph& graph);

/// Start and end of every node, side by side as a replay reads them.
struct ReplayedTimes {
    std::vector<TimeNs> starts_and_ends;
    [[nodiscard]] TimeNs start(std::uint32_t node) const { return starts_and_ends[2 * std::size_t{node}]; }
    [[nodiscard]] TimeNs end(std::uint32_t node) const { return starts_and_ends[2 * std::size_t{node} + 1]; }
};
/// Start of every node under these times.
std::vector<TimeNs> replay(const StepGraph& graph, const GraphTimes& times);
/// The same into memory that may be used again.
void replay(const StepGraph& graph, const GraphTimes& times, ReplayedTimes& replayed);

} // namespace rankscope
