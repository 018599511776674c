// SPDX-License-Identifier: GPL-3.0-or-later
// One rank's part of the step graph, before ranks are joined.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// GPU work of a rank as the graph sees it. Times aligned. lane: index of its stream. launch: index in RankGraph::host,
/// or kNoNode.
struct GraphWork {
    EventIndex event = kNoEvent;
    TimeNs start = 0;
    TimeNs end = 0;
    std::uint32_t lane = 0;
    std::uint32_t launch = kNoNode;
    std::uint32_t previous = kNoNode; ///< of the same stream, index in RankGraph::work
    std::uint32_t step = 0;           ///< index in the rank's steps, that of the launch; kNoNode outside all of them
    KernelClass kernel_class = KernelClass::compute;
    bool earlier = false; ///< launched before the recording
    bool sends = false;   ///< a message that leaves: nothing on this rank waits for it
    bool receives = false;
};

/// work[i] waited for work[on]: seen, or known from the way the framework launches.
struct WorkDependency {
    std::uint32_t work = 0;
    std::uint32_t on = 0;
};

/// A launch that is not made before some work of its stream has started or ended, because the queue has no room before.
struct QueueWait {
    std::uint32_t host = 0; ///< the launch, index in RankGraph::host
    std::uint32_t work = 0; ///< index in RankGraph::work
    TimeNs ready = 0;       ///< when the host made the call
    bool at_end = false;    ///< not before the work has ended: an event after it has a place as well
    bool waited = false;    ///< seen; else the queue was not full then, and would be if the host were that much faster
};

struct RankGraph {
    std::vector<HostPoint> host; ///< aligned; waits as two points: kind tells start and end
    std::vector<NodeKind> host_kind;
    std::vector<GraphWork> work;                     ///< by start
    std::vector<std::uint32_t> launched;             ///< work in the order of its launches; without one by stream
    std::vector<WorkDependency> dependencies;        ///< by work
    std::vector<std::vector<std::uint32_t>> streams; ///< work of each lane by start
    std::vector<QueueWait> queue_waits;              ///< by host; of streams whose queue was full (launch_queue.h)
    TimeNs launch_latency = 0;                       ///< launch call to start on an idle stream, the shorter ones
    TimeNs idle_latency = 0;                         ///< the same on an idle GPU, the usual ones
    TimeNs kernel_gap = 0;                           ///< between kernels of a stream that wait in its queue
    TimeNs gpu_early = 0;                            ///< StepGraph::gpu_early
};

/// The last work of a stream that has ended by then, index in RankGraph::work; kNoNode without.
std::uint32_t last_ended(const RankGraph& graph, std::size_t stream, TimeNs time);

/// When its launch lets the work start: latency after the call starts, but no kernel before the call returns, which may
/// load code for a second. The call of a copy may last until the copy is made. Only of work with a launch.
TimeNs let_by_launch(const RankGraph& graph, const GraphWork& work, TimeNs latency);

/// What the work waited for where no edge tells: it started long after its launch, its stream was idle and the GPU was
/// not. The work of another stream that ended last before it, or is computing as it starts; kNoNode where its launch
/// explains its start.
std::uint32_t unknown_dependency(const RankGraph& graph, std::uint32_t work);

RankGraph build_rank_graph(const RankTrace& rank, std::span<const GpuSlice> work,
                           const std::vector<ProfilerStep>& steps, RankClock clock);

/// Fills dependencies of all ranks. A wait seen once (the work starts just when work of another stream has ended, and
/// nothing else held it up) holds for the same place of the same program on other ranks and in other steps, unless one
/// of them contradicts it; it may be for work of the step before, such as the gathering of new parameters. A collective
/// follows the compute work launched before it, as process groups order their streams (a receive does not where
/// receives of the run are seen to start before that has ended); without an order of launches (a
/// graph, launches that were not recorded) the work that had ended by then. And communication that no
/// computation in its step was seen to wait for holds up the next kernel launched after it of a name that was seen to
/// wait for that stream; where none was, and nothing else waited for it, the next one. Whatever a recording contradicts
/// is left out, but where the work was itself held up for a tenth of the passage's time by nothing else.
void find_dependencies(std::span<RankGraph> ranks, const Run& run);

} // namespace rankscope
