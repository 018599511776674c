// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that wait for room: a stream takes only so many launches ahead of its GPU (CUDA's queue has 1024 places,
// events and waits for them included), and the next call lasts until the GPU has taken one.
#pragma once
#include <vector>

#include "core/analysis/graph/rank_graph.h"

namespace rankscope {

/// Fills RankGraph::queue_waits, and lets the launches that waited start when they had room. A stream's queue is full
/// where many of its launches last long, with hundreds of others before them that have not started, and return as one
/// of those starts or ends. Streams where that is not seen keep their launches as they are.
void find_queue_waits(RankGraph& graph);

} // namespace rankscope
