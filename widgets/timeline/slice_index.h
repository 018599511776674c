// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline computes once per rank, off the window's thread: the class of every event and a summary of
// every row and of every group of lanes.
#pragma once
#include <array>
#include <bitset>
#include <memory>
#include <stop_token>

#include <QString>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/selection/kernel_class_rules.h"
#include "core/trace/rank_trace.h"
#include "widgets/timeline/counter_track.h"
#include "widgets/timeline/lane_layout.h"
#include "widgets/timeline/slice_activity.h"

namespace rankscope {

/// Immutable once built. About 4 bytes an event, and 17 for each slice of the groups' activity, of which there are
/// fewer.
struct SliceIndex {
    std::shared_ptr<const RankTrace> trace;
    std::vector<SliceClass> classes;                       ///< of every event
    std::vector<RowSummary> summaries;                     ///< of every row
    std::array<SliceActivity, kLaneGroupCount> activities; ///< of every group's lanes as one
    std::vector<CounterSource> counters;
    std::bitset<kSliceClassCount> occurring;
    IntervalSet recorded; ///< recorded_gpu_time()
    std::vector<QString>
        roles; ///< of every lane, what runs in it: "compute", "mesh_dp"; empty: no stream, or mixed work

    [[nodiscard]] RowSlices row(std::uint32_t number) const;
    /// Of the counters: what the GPU does.
    [[nodiscard]] RowSlices group(LaneGroup group) const {
        return activities[static_cast<std::size_t>(group == LaneGroup::counters ? LaneGroup::streams : group)].row();
    }
};

/// Stopped: nullptr, within a part of the work of one rank.
std::shared_ptr<const SliceIndex> buildSliceIndex(std::shared_ptr<const RankTrace> trace,
                                                  const KernelClassRules& classes = {},
                                                  const std::stop_token& stop = {});

} // namespace rankscope
