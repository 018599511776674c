// SPDX-License-Identifier: GPL-3.0-or-later
// What each worker of an operation timeline ran, step by step. A worker is one stage of one pipeline.
//   Data-parallel rank 1, stage 2 ran in step 5: forward-compute 0 from 0 to 9 ms, forward-compute 1 from 9 to 18 ms.
//   Of its tensor-parallel ranks, which run in step, the first one stands for all.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/slowdown/operation_graph.h"

namespace rankscope {

/// One operation of one worker.
struct WorkerOperation {
    std::uint32_t type = 0;
    std::int32_t sequence = 0;
    std::int32_t chunk = 0;
    bool on_compute_lane = false;
    TimeNs start = 0;
    TimeNs end = 0;
};

/// All that is recorded, by (data-parallel rank, stage).
struct OperationRecording {
    std::vector<OperationType> types;
    std::map<std::pair<int, int>, std::map<std::int64_t, std::vector<WorkerOperation>>> workers; ///< then by step
    std::map<std::pair<int, int>, std::uint32_t> rank;
    int other = 1; ///< OperationMesh::other
    std::set<std::int64_t> steps;
};
OperationRecording record_of_workers(const Run& run, std::span<const std::vector<ProfilerStep>> steps);

/// The data-parallel rank and the step that most of them are like, the earliest of those; none where no step has
/// operations of all stages.
std::optional<std::pair<int, std::int64_t>> typical_pipeline(const OperationRecording& recording, int pipelines,
                                                             int stages);

} // namespace rankscope
