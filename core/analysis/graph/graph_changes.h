// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to a step graph's times: what a scenario is made of.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// A lag that never decides.
inline constexpr TimeNs kNever = -(TimeNs{1} << 60);

/// The edge to the host point before; its index in StepGraph::edges, or kNoNode.
std::uint32_t host_edge(const StepGraph& graph, std::uint32_t node);

/// Host's time of a point: from the end of the one before to its own end.
TimeNs host_time(const StepGraph& graph, const GraphTimes& times, std::uint32_t node);
inline TimeNs host_time(const StepGraph& graph, std::uint32_t node) { return host_time(graph, graph.times, node); }
/// Makes a node take that long: a launch or the start of a wait the host's time before it and its own, any other its
/// duration.
void set_time(const StepGraph& graph, std::uint32_t node, TimeNs time, GraphTimes& times);

/// Adds a change made to the base to times, which others have changed: where both set something, the smaller one holds.
void take_smallest(const GraphTimes& base, const GraphTimes& changed, GraphTimes& times);

/// No time of the change is longer, and nothing starts later.
bool takes_away(const GraphTimes& base, const GraphTimes& changed);

using NodeCondition = std::function<bool(std::uint32_t node)>;
/// Durations times the factor.
void scale_durations(const StepGraph& graph, const NodeCondition& which, double factor, GraphTimes& times);
/// The host's own time before and in the points times the factor; what it waits for stays. Without special, the
/// durations of data loading, collections and allocations stay as well.
void scale_host(const StepGraph& graph, double factor, bool special, GraphTimes& times);
/// Computation no longer waits for this communication (arrivals, transfers and lone calls that meet the condition).
void unchain_compute(const StepGraph& graph, const NodeCondition& communication, GraphTimes& times);
/// Nobody waits for this rank (index in Run::ranks) at calls and messages any more.
void drop_waits_for_rank(const StepGraph& graph, std::uint32_t rank, GraphTimes& times);
/// The host no longer waits at these wait_end points.
void drop_waits(const StepGraph& graph, std::span<const std::uint32_t> waits, GraphTimes& times);

} // namespace rankscope
