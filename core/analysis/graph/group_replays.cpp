// SPDX-License-Identifier: GPL-3.0-or-later
//   Ranks 0 to 255 are a group each. Four replays walk over the graph at once: in the first, nodes of rank 0 take their
//   own times, in the second those of rank 1 ... A node's edges and what they come from are read once for the four.
#include "core/analysis/graph/group_replays.h"

#include <algorithm>
#include <array>
#include <limits>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

namespace rankscope {
namespace {

constexpr std::size_t kLanes = 4; ///< a start and an end of each fill a line of the cache
struct alignas(64) LaneTimes {
    std::array<TimeNs, kLanes> start;
    std::array<TimeNs, kLanes> end;
};

/// The groups from first on, one in each lane.
void replay_lanes(const StepGraph& graph, const GraphTimes& base, std::span<const TimeNs> durations,
                  std::span<const std::int32_t> group_of, std::int32_t first, std::vector<LaneTimes>& nodes) {
    nodes.resize(graph.size());
    for (const std::uint32_t n : graph.order) {
        const std::uint32_t begin = graph.first_edge[n];
        const std::uint32_t end = graph.first_edge[n + 1];
        LaneTimes& node = nodes[n];
        node.start.fill(begin < end ? std::numeric_limits<TimeNs>::min()
                                    : graph.start[n] + (base.begin.empty() ? 0 : base.begin[graph.rank[n]]));
        for (std::uint32_t e = begin; e < end; ++e) {
            const GraphEdge edge = graph.edges[e];
            const std::array<TimeNs, kLanes>& from = edge.from_start ? nodes[edge.from].start : nodes[edge.from].end;
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                node.start[lane] = std::max(node.start[lane], from[lane] + base.lag[e]);
        }
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            node.end[lane] = node.start[lane] + base.duration[n];
        if (const std::int32_t lane = group_of[n] - first; lane >= 0 && lane < static_cast<std::int32_t>(kLanes))
            node.end[static_cast<std::size_t>(lane)] = node.start[static_cast<std::size_t>(lane)] + durations[n];
    }
}

} // namespace

std::vector<double> step_times_by_group(const StepGraph& graph, const MeanStepTime& mean, const GraphTimes& base,
                                        std::span<const TimeNs> durations, std::span<const std::int32_t> group_of,
                                        std::size_t groups) {
    std::vector<double> times(groups);
    if (graph.size() == 0)
        return times;
    constexpr std::size_t kStride = sizeof(LaneTimes) / sizeof(TimeNs);
    tbb::enumerable_thread_specific<std::vector<LaneTimes>> nodes_of_thread;
    tbb::parallel_for(std::size_t{0}, (groups + kLanes - 1) / kLanes, [&](std::size_t walk) {
        std::vector<LaneTimes>& nodes = nodes_of_thread.local();
        const std::size_t first = walk * kLanes;
        replay_lanes(graph, base, durations, group_of, static_cast<std::int32_t>(first), nodes);
        for (std::size_t lane = 0; lane < kLanes && first + lane < groups; ++lane)
            times[first + lane] = mean.of({&nodes[0].start[lane], &nodes[0].end[lane], kStride});
    });
    return times;
}

} // namespace rankscope
