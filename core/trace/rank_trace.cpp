// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/rank_trace.h"
#include "core/trace/side_tables.h"

#include <algorithm>

namespace rankscope {

std::string_view event_kind_label(EventKind kind) {
    switch (kind) {
    case EventKind::kernel: return "GPU kernel";
    case EventKind::memcpy: return "memory copy";
    case EventKind::memset: return "memory set";
    case EventKind::gpu_annotation: return "annotation on the GPU";
    case EventKind::gpu_sync: return "GPU synchronisation";
    case EventKind::cpu_op: return "operator";
    case EventKind::annotation: return "annotation";
    case EventKind::runtime: return "runtime call";
    case EventKind::driver: return "driver call";
    case EventKind::python: return "Python frame";
    case EventKind::overhead: return "profiler overhead";
    case EventKind::span: return "recording";
    case EventKind::other: return "other event";
    case EventKind::graph_launch: return "graph launch";
    case EventKind::captured_op: return "operator of a captured graph";
    case EventKind::captured_scope: return "scope of a captured graph";
    }
    return {};
}

std::string_view trace_source_word(TraceSource source) {
    switch (source) {
    case TraceSource::kineto: return "kineto";
    case TraceSource::nsys: return "nsys";
    case TraceSource::nsys_stats: return "nsys-stats";
    case TraceSource::execution_trace: return "execution-trace";
    case TraceSource::digest: return "digest";
    case TraceSource::flight_recorder: return "flight-recorder";
    case TraceSource::xplane: return "xplane";
    case TraceSource::rocpd: return "rocpd";
    case TraceSource::inspector: return "inspector";
    case TraceSource::operations: return "operations";
    case TraceSource::memory_snapshot: return "memory-snapshot";
    }
    return {};
}

const Lane& RankTrace::lane_of(EventIndex i) const {
    const auto after = std::ranges::upper_bound(lanes, i, {}, &Lane::begin);
    return *std::prev(after);
}

std::uint32_t RankTrace::row_of(EventIndex i) const {
    const auto after = std::ranges::upper_bound(rows, i, {}, &Row::begin);
    return static_cast<std::uint32_t>(std::distance(rows.begin(), after) - 1);
}

EventIndex RankTrace::parent_of(EventIndex i) const {
    const Lane& lane = lane_of(i);
    // The row above may hold no container (overflow rows): look further up until one contains the event. Thousands of
    // events that overlap and do not nest would make that a walk over all of them for each.
    constexpr std::uint32_t kMostRowsAsked = 4096;
    const std::uint32_t deepest = row_of(i);
    for (std::uint32_t row = deepest; row > lane.first_row && deepest - row < kMostRowsAsked; --row) {
        const Row& above = rows[row - 1];
        const auto first = events.start.begin() + above.begin;
        const auto last = events.start.begin() + above.end;
        const auto after = std::upper_bound(first, last, events.start[i]);
        if (after == first)
            continue;
        const auto candidate = static_cast<EventIndex>(std::distance(events.start.begin(), after) - 1);
        if (events.end(candidate) >= events.end(i))
            return candidate;
    }
    return kNoEvent;
}

namespace {

/// The entry of that event in a side table sorted by event, or nullptr.
template <typename Entry>
const Entry* entry_of(const std::vector<Entry>& table, EventIndex event) {
    const auto at = std::ranges::lower_bound(table, event, {}, &Entry::event);
    return at != table.end() && at->event == event ? &*at : nullptr;
}

} // namespace

const CollectiveArgs* RankTrace::collective_of(EventIndex i) const {
    const CollectiveEntry* entry = entry_of(collectives, i);
    return entry == nullptr ? nullptr : &collective_args[entry->args];
}

std::int64_t RankTrace::collective_sequence_of(EventIndex i) const {
    const CollectiveEntry* entry = entry_of(collectives, i);
    return entry == nullptr ? kUnknown : entry->sequence;
}

std::optional<OperatorInputs> RankTrace::inputs_of(EventIndex i) const {
    const InputsEntry* entry = entry_of(operator_inputs, i);
    if (entry == nullptr)
        return {};
    const InputShapes& shapes = input_shapes[entry->shapes];
    return OperatorInputs{i, shapes.dims, shapes.types, shapes.concrete, shapes.strides, shapes.flops, entry->sequence};
}

std::int64_t RankTrace::device() const {
    return !lanes.empty() && lanes.front().kind == LaneKind::gpu_stream ? lanes.front().device : -1;
}

std::size_t RankTrace::memory_bytes() const {
    const auto heap = [](const auto&... columns) {
        return (std::size_t{0} + ... + (columns.capacity() * sizeof(*columns.data())));
    };
    const auto columns = [](const auto&... column) { return (std::size_t{0} + ... + column.heap_bytes()); };
    std::size_t tables = heap(lanes, rows, steps, collective_args, collectives);
    const auto add = [&](const auto& table, const auto&...) { tables += heap(table); };
    for_each_side_table(*this, add);
    for_each_small_table(*this, add);
    return columns(events.start, events.duration, events.name, events.kind, events.ordinal, events.link) +
           heap(gpu.operator_event, gpu.occupancy, gpu.launch_shape, gpu.correlation) + tables;
}

} // namespace rankscope
