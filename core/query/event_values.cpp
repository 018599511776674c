// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/event_values.h"

#include "core/query/event_words.h"
#include "core/query/row_table_parts.h"

namespace rankscope {

using query_rows::filled;
using query_rows::known;
using query_rows::whole;

QueryValue EventValues::id(const EventScan& scan, EventIndex event) const {
    return event == kNoEvent ? QueryValue() : QueryValue(model_.ranks()[scan.rank()].first_id + event);
}

ComputeKind EventValues::kind_of_computation(std::string_view name) {
    const auto [known_kind, is_new] = compute_kinds_.try_emplace(reinterpret_cast<std::uintptr_t>(name.data()));
    if (is_new)
        known_kind->second = compute_kind(name);
    return known_kind->second;
}

void EventValues::find_row(const EventScan& scan) {
    const EventIndex event = scan.event();
    if (trace_ == &scan.trace() && event >= row_begin_ && event < row_end_)
        return;
    trace_ = &scan.trace();
    const std::uint32_t row = trace_->row_of(event);
    row_begin_ = trace_->rows[row].begin;
    row_end_ = trace_->rows[row].end;
    const Lane& lane = trace_->lane_of(event);
    lane_ = &lane - trace_->lanes.data();
    depth_ = row - lane.first_row;
}

TimeNs EventValues::start(const EventScan& scan) {
    if (shifted_trace_ != &scan.trace()) {
        shifted_trace_ = &scan.trace();
        shift_ = scan.shift();
    }
    return shifted_trace_->events.start[scan.event()] + shift_;
}

QueryValue EventValues::value(const EventScan& scan, EventColumn column) {
    const EventIndex event = scan.event();
    const RankTrace& trace = scan.trace();
    switch (column) {
    case EventColumn::run: return whole(model_.ranks()[scan.rank()].run);
    case EventColumn::rank: return whole(trace.rank);
    case EventColumn::lane: find_row(scan); return lane_;
    case EventColumn::depth: find_row(scan); return depth_;
    case EventColumn::start: return start(scan);
    case EventColumn::end: return start(scan) + trace.events.duration[event];
    case EventColumn::duration: return trace.events.duration[event];
    case EventColumn::name: return trace.event_name(event);
    case EventColumn::lane_name: return std::string_view(trace.lane_of(event).name);
    case EventColumn::kind: return event_kind_word(trace.events.kind[event]);
    case EventColumn::event_class:
        if (event >= trace.events.gpu_count)
            return {};
        return kernel_class_word(model_.classes(scan.rank())[event]);
    case EventColumn::step:
        if (const ProfilerStep* const step = model_.step_of(scan.rank(), event))
            return step->number;
        return {};
    case EventColumn::id: return id(scan, event);
    case EventColumn::launch:
        return is_launch_call(trace.events.kind[event]) ? QueryValue() : id(scan, trace.events.link[event]);
    case EventColumn::parent: return id(scan, trace.parent_of(event));
    case EventColumn::dims:
    case EventColumn::types:
    case EventColumn::flops: return of_operator(scan, column);
    default: return of_kernel(scan, column);
    }
}

QueryValue EventValues::of_kernel(const EventScan& scan, EventColumn column) {
    const RankTrace& trace = scan.trace();
    const EventIndex event = scan.event();
    const EventTable& events = trace.events;
    const bool of_gpu = event < events.gpu_count;
    switch (column) {
    case EventColumn::compute_kind:
        if (!of_gpu || model_.classes(scan.rank())[event] != KernelClass::compute)
            return {};
        return compute_kind_word(kind_of_computation(trace.event_name(event)));
    case EventColumn::device: return whole(trace.lane_of(event).device);
    case EventColumn::stream: return known(trace.lane_of(event).stream);
    case EventColumn::operator_id:
        return of_gpu && event < trace.gpu.operator_event.size() ? id(scan, trace.gpu.operator_event[event])
                                                                 : QueryValue();
    case EventColumn::launch_delay:
        if (events.link[event] == kNoEvent)
            return {};
        return events.start[event] - events.start[events.link[event]];
    case EventColumn::blocks_per_sm:
    case EventColumn::occupancy: {
        if (!of_gpu || event >= trace.gpu.occupancy.size())
            return {};
        const Occupancy occupancy = trace.gpu.occupancy_of(event);
        return query_rows::finite(
            static_cast<double>(column == EventColumn::occupancy ? occupancy.percent : occupancy.blocks_per_sm));
    }
    default: return {};
    }
}

QueryValue EventValues::of_operator(const EventScan& scan, EventColumn column) const {
    const auto inputs = scan.trace().inputs_of(scan.event());
    if (!inputs)
        return {};
    if (column == EventColumn::flops)
        return known(inputs->flops);
    return filled(scan.trace().names->view(column == EventColumn::dims ? inputs->dims : inputs->types));
}

} // namespace rankscope
