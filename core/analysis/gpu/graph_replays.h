// SPDX-License-Identifier: GPL-3.0-or-later
// Launches of CUDA and HIP graphs: what each replay ran, how replays of one graph differ, and how much of their time is
// attributed to operators of a capture.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/selection/selection.h"

namespace rankscope {

/// A kernel, copy or set of a graph over its replays; ns. Nodes are told apart by their place.
struct GraphNodeStatistics {
    NameId name = 0;
    NameId op = 0; ///< operator of the capture; "" without
    TimeNs total = 0, min = 0, max = 0, median = 0;
};

struct GraphReplay {
    std::size_t rank = 0; ///< index in Run::ranks
    TimeRange range;      ///< from the first start of its work to the last end
    TimeNs busy = 0;      ///< union of its work
    EventIndex first = kNoEvent;
};

/// Launches whose streams each run the same work in the same order. Replays that the selection cuts are left out.
struct GraphStatistics {
    NameId name = 0; ///< of the slices, "graph 1 of 421 nodes"
    std::vector<GraphReplay> replays;
    std::vector<GraphNodeStatistics> nodes;
    TimeNs total = 0;                    ///< summed duration of its work
    TimeNs attributed = 0;               ///< of that, of an operator of a capture
    TimeNs median = 0, min = 0, max = 0; ///< length of a replay
    TimeNs median_busy = 0;
    std::size_t slowest = 0; ///< index in replays
};

struct GraphAnalysis {
    std::vector<GraphStatistics> graphs; ///< by total time, descending
    TimeNs gpu_total = 0;                ///< summed duration of all selected GPU work
    TimeNs in_graphs = 0;                ///< of that in graphs
    TimeNs attributed = 0;               ///< of in_graphs: of an operator of a capture
    std::int64_t launches = 0;
};

/// work: by rank, in the order of Run::ranks.
GraphAnalysis analyse_graphs(const Run& run, std::span<const std::span<const GpuSlice>> work);

} // namespace rankscope
