// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline computes once per rank.
#include "widgets/timeline/slice_index.h"

#include <algorithm>
#include <optional>

#include <tbb/parallel_for.h>

#include "widgets/timeline/gpu_shares.h"

namespace rankscope {

RowSlices SliceIndex::row(std::uint32_t number) const {
    const Row& row = trace->rows[number];
    const std::size_t count = row.end - row.begin;
    return {std::span(trace->events.start).subspan(row.begin, count),
            std::span(trace->events.duration).subspan(row.begin, count), std::span(classes).subspan(row.begin, count),
            row.begin, &summaries[number]};
}

namespace {

/// The one communicator whose calls run in the lane: its description, else its name. Empty: none, several, undescribed.
QString groupOf(const RankTrace& trace, const Lane& lane) {
    std::optional<int> group;
    for (std::uint32_t row = lane.first_row; row < lane.first_row + lane.row_count; ++row)
        for (EventIndex event = trace.rows[row].begin; event < trace.rows[row].end; ++event) {
            const CollectiveArgs* args = trace.collective_of(event);
            if (args == nullptr || args->group < 0)
                continue;
            if (group && *group != args->group)
                return {};
            group = args->group;
        }
    if (!group)
        return {};
    const ProcessGroup& named = trace.process_groups[static_cast<std::size_t>(*group)];
    if (named.description == "undefined") // PyTorch's word for a group that the program did not describe
        return {};
    return QString::fromStdString(named.description.empty() ? named.name : named.description).simplified().left(40);
}

/// Four fifths of a stream's time name it.
QString roleOf(const SliceIndex& index, const Lane& lane) {
    if (lane.kind != LaneKind::gpu_stream)
        return {};
    std::array<double, kSliceClassCount> time{};
    double all = 0;
    for (std::uint32_t row = lane.first_row; row < lane.first_row + lane.row_count; ++row)
        for (EventIndex event = index.trace->rows[row].begin; event < index.trace->rows[row].end; ++event) {
            const auto length = static_cast<double>(index.trace->events.duration[event]);
            time[static_cast<std::size_t>(index.classes[event])] += length;
            all += length;
        }
    const auto most = std::ranges::max_element(time);
    if (all <= 0 || *most < 0.8 * all)
        return {};
    const auto sliceClass = static_cast<SliceClass>(most - time.begin());
    const QString group = sliceClass == SliceClass::communication ? groupOf(*index.trace, lane) : QString();
    return group.isEmpty() ? sliceClassLabel(sliceClass) : group;
}

} // namespace

std::shared_ptr<const SliceIndex> buildSliceIndex(std::shared_ptr<const RankTrace> trace,
                                                  const KernelClassRules& classes, const std::stop_token& stop) {
    auto index = std::make_shared<SliceIndex>();
    index->trace = std::move(trace);
    const EventTable& events = index->trace->events;
    const std::vector<KernelClass> gpu = classes.classes_of(*index->trace);
    index->classes.resize(events.size());
    for (EventIndex i = 0; i < events.size(); ++i) {
        index->classes[i] = i < gpu.size() ? sliceClassOf(gpu[i]) : sliceClassOf(events.kind[i]);
        index->occurring.set(static_cast<std::size_t>(index->classes[i]));
    }
    if (stop.stop_requested())
        return nullptr;
    index->counters = countersOf(*index->trace);
    index->recorded = recorded_gpu_time(*index->trace);
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
    for (const Lane& lane : index->trace->lanes)
        index->roles.push_back(stop.stop_requested() ? QString() : roleOf(*index, lane));
    return stop.stop_requested() ? nullptr : index;
}

} // namespace rankscope
