// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline computes once per rank.
#include "widgets/timeline/slice_index.h"

#include <tbb/parallel_for.h>

namespace rankscope {

RowSlices SliceIndex::row(std::uint32_t number) const {
    const Row& row = trace->rows[number];
    const std::size_t count = row.end - row.begin;
    return {std::span(trace->events.start).subspan(row.begin, count),
            std::span(trace->events.duration).subspan(row.begin, count), std::span(classes).subspan(row.begin, count),
            row.begin, &summaries[number]};
}

std::shared_ptr<const SliceIndex> buildSliceIndex(std::shared_ptr<const RankTrace> trace, const std::stop_token& stop) {
    auto index = std::make_shared<SliceIndex>();
    index->trace = std::move(trace);
    const EventTable& events = index->trace->events;
    const std::vector<KernelClass> gpu = classify_gpu_events(*index->trace);
    index->classes.resize(events.size());
    for (EventIndex i = 0; i < events.size(); ++i) {
        index->classes[i] = i < gpu.size() ? sliceClassOf(gpu[i]) : sliceClassOf(events.kind[i]);
        index->occurring.set(static_cast<std::size_t>(index->classes[i]));
    }
    if (stop.stop_requested())
        return nullptr;
    index->counters = countersOf(*index->trace);
    index->summaries.resize(index->trace->rows.size());
    tbb::parallel_for(std::size_t{0}, index->summaries.size(), [&](std::size_t row) {
        if (stop.stop_requested())
            return;
        index->summaries[row] = summarise(index->row(static_cast<std::uint32_t>(row)));
    });
    tbb::parallel_for(std::size_t{0}, kLaneGroupCount, [&](std::size_t group) {
        if (stop.stop_requested())
            return;
        std::vector<RowSlices> rows;
        for (const std::uint32_t row : summaryRows(*index->trace, static_cast<LaneGroup>(group)))
            rows.push_back(index->row(row));
        index->activities[group] = activityOf(rows);
    });
    return stop.stop_requested() ? nullptr : index;
}

} // namespace rankscope
