// SPDX-License-Identifier: GPL-3.0-or-later
// What a step takes, as recorded or in a replay.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// Ranks that are recorded on demand start and stop in the middle of an iteration, so a rank holds as many iterations
/// as periods fit into its recording, unless its last one is whole. If periods and count are off by one or more, the
/// recording holds other work besides, which is of no step. A rank whose work does not repeat, as of a device that only
/// copies, tells nothing of an iteration, unless there are no others.
void count_repetitions(StepGraph& graph, std::span<const Repetitions> known);

/// When nodes start and end: node n at n * stride of either.
struct NodeTimes {
    const TimeNs* start = nullptr;
    const TimeNs* end = nullptr;
    std::size_t stride = 1;
    [[nodiscard]] TimeNs start_of(std::uint32_t node) const { return start[node * stride]; }
    [[nodiscard]] TimeNs end_of(std::uint32_t node) const { return end[node * stride]; }
};

NodeTimes node_times(const ReplayedTimes& replayed);

/// What a rank's steps take from a start to an end, ns, and their number.
struct RankSpan {
    TimeNs begin = 0;   ///< and what lies between its steps
    TimeNs between = 0; ///< that
    TimeNs end = 0;
    TimeNs gpu_end = 0;     ///< the host may go on after it
    TimeNs host_start = 0;  ///< of the first step
    double count = 0;       ///< 0: the rank has none
    TimeNs ready = 0;       ///< the GPU has finished what was launched before the first step
    TimeNs first_end = 0;   ///< of the first step's GPU work
    double host_period = 0; ///< from step to step on the host
};

/// mean_step_time() of any number of replays of one graph: what is the same of all is computed once.
class MeanStepTime {
public:
    explicit MeanStepTime(const StepGraph& graph);
    [[nodiscard]] double of(const NodeTimes& times) const;
    [[nodiscard]] double predicted(const GraphTimes& times) const; ///< of a replay with these times

private:
    const StepGraph& graph_;
    std::vector<RankSpan> recorded_;
    std::vector<std::uint32_t> meets_; ///< who_meets()
};

/// What a step takes, ns: the mean over the ranks. A rank counts from the start of its first step until its last step
/// and that step's GPU work have ended, over the number of its steps. Where the host runs ahead, it counts from when
/// the GPU has finished earlier work. If a replay cannot tell when the GPU comes to the first step, only later steps
/// count. Without profiler steps: from the start of the first repetition to that of the last; where these are not
/// known, the whole recording, over its repetitions.
double mean_step_time(const StepGraph& graph, std::span<const TimeNs> start, const GraphTimes& times);
/// Of one replay alone: MeanStepTime::predicted().
double predicted_step_time(const StepGraph& graph, const GraphTimes& times);

} // namespace rankscope
