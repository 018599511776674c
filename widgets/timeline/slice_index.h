// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline computes once per rank, off the window's thread: the class of every event and a summary of every row.
#pragma once
#include <bitset>
#include <memory>

#include "core/trace/rank_trace.h"
#include "widgets/timeline/slice_geometry.h"

namespace rankscope {

/// Immutable once built. About 2.5 bytes an event.
struct SliceIndex {
    std::shared_ptr<const RankTrace> trace;
    std::vector<SliceClass> classes;  ///< of every event
    std::vector<RowSummary> summaries; ///< of every row
    std::bitset<kSliceClassCount> occurring;

    [[nodiscard]] RowSlices row(std::uint32_t number) const;
};

std::shared_ptr<const SliceIndex> buildSliceIndex(std::shared_ptr<const RankTrace> trace);

} // namespace rankscope
