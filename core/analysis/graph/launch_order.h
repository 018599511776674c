// SPDX-License-Identifier: GPL-3.0-or-later
// In which order the host launched the GPU work of a rank.
//   Kernels a and b of streams 7 and 7, c of stream 20; one cudaGraphLaunch launches all of them, in no order:
//   by stream, then start: a, b, c. A kernel with a launch of its own comes where that launch is.
#pragma once
#include "core/analysis/graph/rank_graph.h"

namespace rankscope {

/// Whether nothing says which of the two was launched first: one call launched both, or no call is recorded.
inline bool launched_as_one(const GraphWork& a, const GraphWork& b) {
    return a.launch == b.launch && a.step == b.step && a.earlier == b.earlier;
}

/// Sets RankGraph::launched.
void order_launches(RankGraph& graph);

} // namespace rankscope
