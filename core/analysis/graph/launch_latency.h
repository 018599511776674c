// SPDX-License-Identifier: GPL-3.0-or-later
// How soon the GPU of a rank starts what was launched.
//   Launched at 0, 100 and 200 µs on an idle GPU, started at 4, 106 and 205 µs: idle_latency is the median, 5 µs.
//   A kernel ends at 300 µs; the next of its stream, launched long before, starts at 301 µs: a gap of 1 µs.
#pragma once
#include "core/analysis/graph/rank_graph.h"

namespace rankscope {

inline constexpr TimeNs kHandover = 10'000; ///< from the end of the work waited for to the start, at most

/// Sets RankGraph::gpu_early.
void measure_gpu_early(RankGraph& graph);

/// Sets launch_latency, idle_latency and kernel_gap. After measure_gpu_early().
void measure_latencies(RankGraph& graph);

} // namespace rankscope
