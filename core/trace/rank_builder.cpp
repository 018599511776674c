// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/rank_builder.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <numeric>
#include <tuple>

#include "core/trace/flat_map.h"
#include "core/trace/numbered_steps.h"
#include "core/trace/row_placement.h"

namespace rankscope {
namespace {

LaneKind lane_kind(EventKind kind) {
    switch (kind) {
    case EventKind::kernel:
    case EventKind::memcpy:
    case EventKind::memset:
        return LaneKind::gpu_stream;
    case EventKind::gpu_annotation:
        return LaneKind::gpu_annotation;
    case EventKind::gpu_sync:
        return LaneKind::gpu_sync;
    case EventKind::span:
        return LaneKind::other;
    default:
        return LaneKind::cpu_thread;
    }
}
constexpr std::size_t kLaneKinds = 5;

std::int64_t number_or_unknown(std::string_view text) {
    std::int64_t number = kUnknown;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? number : kUnknown;
}

} // namespace

RankBuilder::RankBuilder(std::shared_ptr<StringTable> names) : names_(std::move(names)) {
    trace_.names = names_;
}

RankBuilder::~RankBuilder() = default;

TrackId RankBuilder::track(std::string_view process, std::string_view thread, std::int64_t device,
                           std::int64_t stream) {
    const auto [first, last] = tracks_by_thread_.equal_range(thread);
    for (auto at = first; at != last; ++at) {
        const Track& known = tracks_[at->second];
        if (known.process == process && known.device == device && known.stream == stream)
            return at->second;
    }
    const auto id = static_cast<TrackId>(tracks_.size());
    tracks_.push_back({std::string(process), std::string(thread), device, stream});
    tracks_by_thread_.emplace(thread, id);
    return id;
}

void RankBuilder::set_thread_name(std::string_view process, std::string_view thread, std::string_view name) {
    thread_names_[{std::string(process), std::string(thread)}] = name;
}

void RankBuilder::add_collective(std::uint32_t ordinal, CollectiveArgs args) {
    collectives_.push_back({ordinal, args});
}

std::int32_t RankBuilder::process_group(ProcessGroup group) {
    auto& groups = trace_.process_groups;
    const auto same = std::ranges::find(groups, group);
    if (same != groups.end())
        return static_cast<std::int32_t>(std::distance(groups.begin(), same));
    groups.push_back(std::move(group));
    return static_cast<std::int32_t>(groups.size() - 1);
}

void RankBuilder::add_transfer(std::uint32_t ordinal, std::int64_t bytes, double bandwidth_gb_s) {
    transfers_.push_back({ordinal, {kNoEvent, bytes, bandwidth_gb_s}});
}

void RankBuilder::add_memory_sample(const MemorySample& sample, TrackId track) {
    trace_.memory_samples.push_back(sample);
    memory_tracks_.push_back(track);
}

std::uint32_t RankBuilder::launch_shape(const LaunchShape& shape) {
    const auto [known, added] = shape_numbers_.try_emplace(shape, static_cast<std::uint32_t>(trace_.launch_shapes.size()));
    if (added)
        trace_.launch_shapes.push_back(shape);
    return known->second;
}

std::size_t RankBuilder::memory_bytes() const {
    const auto heap = [](const auto&... tables) { return (std::size_t{0} + ... + (tables.capacity() * sizeof(*tables.data()))); };
    return events_.size() * sizeof(RawEvent) + heap(collectives_, transfers_, inputs_, occupancy_, launch_shapes_, flow_points_) + trace_.memory_bytes();
}

TimeNs RankBuilder::first_start() const {
    TimeNs first = events_.empty() ? 0 : events_[0].start;
    events_.for_each([&](const RawEvent& event) { first = std::min(first, event.start); });
    return first;
}

void RankBuilder::shift_times(TimeNs offset) {
    trace_.clock_base += offset;
    events_.for_each([offset](RawEvent& event) { event.start += offset; });
    for (FlowPoint& point : flow_points_)
        point.time += offset;
    for (MemorySample& sample : trace_.memory_samples)
        sample.time += offset;
    for (Instant& instant : trace_.instants)
        instant.time += offset;
    for (CounterSample& sample : trace_.counters)
        sample.time += offset;
}

std::size_t RankBuilder::ShapesHash::operator()(const InputShapes& shapes) const {
    std::uint64_t hash = static_cast<std::uint64_t>(shapes.flops);
    for (const NameId text : {shapes.dims, shapes.types, shapes.concrete, shapes.strides}) {
        hash = (hash ^ text) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 29;
    }
    return hash;
}

/// The index of equal ones, added if new.
std::uint32_t RankBuilder::input_shapes(const OperatorInputs& inputs) {
    const InputShapes shapes{inputs.dims, inputs.types, inputs.concrete, inputs.strides, inputs.flops};
    const auto [known, added] = input_shapes_.try_emplace(shapes, static_cast<std::uint32_t>(trace_.input_shapes.size()));
    if (added)
        trace_.input_shapes.push_back(shapes);
    return known->second;
}

void RankBuilder::add_inputs(std::uint32_t ordinal, OperatorInputs inputs) {
    inputs_.push_back({ordinal, input_shapes(inputs), inputs.sequence});
}

std::int64_t RankBuilder::complete_inputs(std::unordered_map<std::uint32_t, OperatorInputs> by_ordinal) {
    std::int64_t filled = 0;
    for (auto& [ordinal, shapes, sequence] : inputs_) {
        const auto found = by_ordinal.find(ordinal);
        if (found == by_ordinal.end())
            continue;
        if (const InputShapes known = trace_.input_shapes[shapes]; known.dims == 0) {
            shapes = input_shapes({kNoEvent, found->second.dims, found->second.types, known.concrete, known.strides, known.flops});
            ++filled;
        }
        by_ordinal.erase(found);
    }
    for (const auto& [ordinal, inputs] : by_ordinal)
        add_inputs(ordinal, inputs);
    return filled + static_cast<std::int64_t>(by_ordinal.size());
}

std::vector<std::uint32_t> RankBuilder::ordinals_with_collective() const {
    std::vector<std::uint32_t> ordinals;
    for (const auto& [ordinal, args] : collectives_)
        ordinals.push_back(ordinal);
    return ordinals;
}

std::shared_ptr<const RankTrace> RankBuilder::finish(std::stop_token cancel) {
    const std::vector<std::uint32_t> order = sort_into_lanes();
    if (cancel.stop_requested())
        return nullptr;
    fill_columns(order);
    link_launches(order);
    if (cancel.stop_requested())
        return nullptr;
    link_operators(order);
    events_ = {};
    attach_side_tables();
    bind_flows();
    bind_memory_samples();
    if (cancel.stop_requested())
        return nullptr;
    find_steps();
    name_lanes();
    std::ranges::stable_sort(trace_.memory_samples, {}, &MemorySample::time);
    std::ranges::stable_sort(trace_.instants, {}, &Instant::time);
    std::ranges::stable_sort(trace_.counters, {}, [](const CounterSample& s) { return std::tuple(s.series, s.time); });
    const auto trim = [](auto&... tables) { (tables.shrink_to_fit(), ...); };
    trim(trace_.lanes, trace_.rows, trace_.steps, trace_.collectives, trace_.memory_transfers, trace_.operator_inputs,
         trace_.memory_samples, trace_.instants, trace_.counters, trace_.flows, trace_.locator.marks, trace_.gpu.correlation);
    return std::make_shared<const RankTrace>(std::move(trace_));
}

/// Groups the events by lane, orders each lane by start (the longer of two first), gives every event its row, and
/// returns the events' indices in their final order: lane, row, start.
std::vector<std::uint32_t> RankBuilder::sort_into_lanes() {
    const auto count = static_cast<std::uint32_t>(events_.size());
    const auto bucket_of = [](const RawEvent& event) {
        return event.track * kLaneKinds + static_cast<std::size_t>(lane_kind(event.kind));
    };
    std::vector<std::uint32_t> bucket_size(tracks_.size() * kLaneKinds);
    events_.for_each([&](const RawEvent& event) { ++bucket_size[bucket_of(event)]; });

    std::vector<std::uint32_t> buckets;
    for (std::uint32_t b = 0; b < bucket_size.size(); ++b)
        if (bucket_size[b] > 0)
            buckets.push_back(b);
    const auto device_of = [](const Track& t) { return t.device >= 0 ? t.device : number_or_unknown(t.process); };
    const auto stream_of = [](const Track& t) { return t.stream >= 0 ? t.stream : number_or_unknown(t.thread); };
    std::ranges::stable_sort(buckets, {}, [&](std::uint32_t b) {
        const Track& t = tracks_[b / kLaneKinds];
        const bool gpu = b % kLaneKinds < static_cast<std::size_t>(LaneKind::cpu_thread);
        // Threads: those of one process together, its main thread (tid = pid) first, others by number.
        return std::tuple(b % kLaneKinds, gpu ? device_of(t) : 0, gpu ? stream_of(t) : 0, number_or_unknown(t.process),
                          std::string_view(t.process), t.thread != t.process, number_or_unknown(t.thread),
                          std::string_view(t.thread));
    });

    std::vector<std::uint32_t> lane_of_bucket(bucket_size.size());
    std::vector<std::uint32_t> next; // next free place of each lane
    std::uint32_t begin = 0;
    for (const std::uint32_t b : buckets) {
        const Track& t = tracks_[b / kLaneKinds];
        Lane lane;
        lane.kind = static_cast<LaneKind>(b % kLaneKinds);
        lane.process = t.process;
        lane.thread = t.thread;
        if (lane.kind < LaneKind::cpu_thread) {
            lane.device = device_of(t);
            lane.stream = stream_of(t);
        }
        lane.begin = begin;
        lane.end = begin += bucket_size[b];
        lane_of_bucket[b] = static_cast<std::uint32_t>(trace_.lanes.size());
        next.push_back(lane.begin);
        trace_.lanes.push_back(std::move(lane));
        lane_tracks_.push_back(static_cast<TrackId>(b / kLaneKinds));
    }

    struct Key {
        TimeNs start;
        TimeNs duration;
        std::uint32_t event;
    };
    std::vector<Key> keys(count);
    for (std::uint32_t i = 0; i < count; ++i)
        keys[next[lane_of_bucket[bucket_of(events_[i])]]++] = {events_[i].start, events_[i].duration, i};

    const auto earlier = [](const Key& a, const Key& b) {
        return std::tuple(a.start, b.duration, a.event) < std::tuple(b.start, a.duration, b.event);
    };
    std::vector<std::uint32_t> order(count);
    std::vector<std::uint32_t> row_of;
    for (Lane& lane : trace_.lanes) {
        const std::span lane_keys(keys.data() + lane.begin, lane.end - lane.begin);
        if (!std::ranges::is_sorted(lane_keys, earlier))
            std::ranges::sort(lane_keys, earlier);
        RowPlacement placement;
        row_of.clear();
        for (const Key& key : lane_keys)
            row_of.push_back(placement.place({key.start, key.start + key.duration}));

        lane.first_row = static_cast<std::uint32_t>(trace_.rows.size());
        lane.row_count = static_cast<std::uint32_t>(placement.sizes().size());
        std::vector<std::uint32_t> row_next;
        EventIndex row_begin = lane.begin;
        for (const std::uint32_t size : placement.sizes()) {
            trace_.rows.push_back({row_begin, row_begin + size});
            row_next.push_back(row_begin);
            row_begin += size;
        }
        for (std::size_t i = 0; i < lane_keys.size(); ++i)
            order[row_next[row_of[i]]++] = lane_keys[i].event;
    }
    return order;
}

void RankBuilder::fill_columns(const std::vector<std::uint32_t>& order) {
    EventTable& table = trace_.events;
    const std::size_t count = order.size();
    std::vector<TimeNs> start(count), duration(count);
    std::vector<NameId> name(count);
    std::vector<EventKind> kind(count);
    std::vector<std::uint32_t> ordinal(count);
    TimeNs first = std::numeric_limits<TimeNs>::max();
    TimeNs last = std::numeric_limits<TimeNs>::min();
    const auto note_span = [&](TimeRange& span) {
        if (first <= last)
            span = {first, last};
    };
    for (const Lane& lane : trace_.lanes) {
        for (EventIndex i = lane.begin; i < lane.end; ++i) {
            const RawEvent& event = events_[order[i]];
            start[i] = event.start;
            duration[i] = event.duration;
            name[i] = event.name;
            kind[i] = event.kind;
            ordinal[i] = event.ordinal;
            first = std::min(first, event.start);
            last = std::max(last, event.start + event.duration);
        }
        if (lane.kind == LaneKind::gpu_stream) {
            table.gpu_count = lane.end;
            note_span(trace_.gpu_span);
        }
    }
    note_span(trace_.span);
    table.start = std::move(start);
    table.duration = std::move(duration);
    table.name = std::move(name);
    table.kind = std::move(kind);
    table.ordinal = std::move(ordinal);
}

/// Joins on the correlation id. When several calls carry one id the last in the file wins, as in HTA.
void RankBuilder::link_launches(const std::vector<std::uint32_t>& order) {
    EventTable& table = trace_.events;
    std::size_t calls = 0;
    events_.for_each([&](const RawEvent& event) { calls += is_launch_call(event.kind); });
    FlatMap call_of(calls);
    for (EventIndex i = table.gpu_count; i < table.size(); ++i) {
        const RawEvent& event = events_[order[i]];
        if (!is_launch_call(event.kind) || event.correlation < 0)
            continue;
        EventIndex& known = call_of[event.correlation];
        if (known == kNoEvent || table.ordinal[known] < event.ordinal)
            known = i;
    }
    std::vector<EventIndex> link(table.size(), kNoEvent);
    for (EventIndex i = 0; i < table.size(); ++i) {
        if (!is_gpu_work(table.kind[i]) && table.kind[i] != EventKind::gpu_sync)
            continue;
        const EventIndex call = call_of.find(events_[order[i]].correlation);
        link[i] = call;
        if (call != kNoEvent && (link[call] == kNoEvent || table.start[link[call]] > table.start[i]))
            link[call] = i;
    }
    table.link = std::move(link);
}

/// GPU work belongs to the operator with its External id. Older traces repeat the correlation id there; then it is
/// the innermost operator around the launch.
void RankBuilder::link_operators(const std::vector<std::uint32_t>& order) {
    const EventTable& table = trace_.events;
    std::size_t operators = 0;
    events_.for_each([&](const RawEvent& event) { operators += event.kind == EventKind::cpu_op && event.external_id >= 0; });
    FlatMap operator_of(operators);
    for (EventIndex i = table.gpu_count; i < table.size(); ++i) {
        const RawEvent& event = events_[order[i]];
        if (event.kind == EventKind::cpu_op && event.external_id >= 0)
            operator_of[event.external_id] = i;
    }
    std::vector<EventIndex>& links = trace_.gpu.operator_event;
    links.assign(table.gpu_count, kNoEvent);
    if (!launch_shapes_.empty())
        for (EventIndex i = 0; i < table.gpu_count; ++i)
            trace_.gpu.correlation.push_back(events_[order[i]].correlation);
    for (EventIndex i = 0; i < table.gpu_count; ++i) {
        const RawEvent& event = events_[order[i]];
        if (event.external_id != event.correlation)
            links[i] = operator_of.find(event.external_id);
        if (links[i] != kNoEvent || table.link[i] == kNoEvent)
            continue;
        EventIndex around = trace_.parent_of(table.link[i]);
        while (around != kNoEvent && table.kind[around] != EventKind::cpu_op)
            around = trace_.parent_of(around);
        links[i] = around;
    }
}

void RankBuilder::attach_side_tables() {
    const EventTable& table = trace_.events;
    if (collectives_.empty() && transfers_.empty() && inputs_.empty() && occupancy_.empty() && launch_shapes_.empty())
        return;
    const std::uint32_t last = table.ordinal.empty() ? 0 : *std::ranges::max_element(table.ordinal);
    std::vector<EventIndex> event_of(std::size_t{last} + 1, kNoEvent);
    for (EventIndex i = 0; i < table.size(); ++i)
        event_of[table.ordinal[i]] = i;

    const auto attach = [&](auto& from, auto& to) {
        to.reserve(from.size());
        for (auto& [ordinal, value] : from) {
            value.event = event_of[ordinal];
            to.push_back(value);
        }
        std::ranges::sort(to, {}, [](const auto& entry) { return entry.event; });
        from = {};
    };
    attach(collectives_, trace_.collectives);
    attach(transfers_, trace_.memory_transfers);

    attach_inputs(event_of);
    if (!launch_shapes_.empty())
        trace_.gpu.launch_shape.assign(table.gpu_count, launch_shape({}));
    for (const auto& [ordinal, shape] : launch_shapes_)
        if (event_of[ordinal] < table.gpu_count)
            trace_.gpu.launch_shape[event_of[ordinal]] = shape;
    launch_shapes_ = {};
    attach_occupancy(event_of);
}

/// Of operators that launch GPU work.
void RankBuilder::attach_inputs(const std::vector<EventIndex>& event_of) {
    std::vector<bool> launches(trace_.events.size());
    for (const EventIndex op : trace_.gpu.operator_event)
        if (op != kNoEvent)
            launches[op] = true;
    for (const Inputs& inputs : inputs_)
        if (const EventIndex event = event_of[inputs.ordinal]; event != kNoEvent && launches[event])
            trace_.operator_inputs.push_back({event, inputs.shapes, inputs.sequence});
    std::ranges::sort(trace_.operator_inputs, {}, &InputsEntry::event);
    inputs_ = {};
    input_shapes_ = {};
}

/// Kernels of one launch configuration have the same occupancy, so each pair is kept once.
void RankBuilder::attach_occupancy(const std::vector<EventIndex>& event_of) {
    if (occupancy_.empty())
        return;
    constexpr float kAbsent = std::numeric_limits<float>::quiet_NaN();
    const auto bits = [](const Occupancy& o) { return std::pair(std::bit_cast<std::uint32_t>(o.blocks_per_sm), std::bit_cast<std::uint32_t>(o.percent)); };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
    GpuColumns& gpu = trace_.gpu;
    const auto index_of = [&](const Occupancy& occupancy) {
        const auto [at, added] = known.try_emplace(bits(occupancy), static_cast<std::uint32_t>(gpu.occupancies.size()));
        if (added)
            gpu.occupancies.push_back(occupancy);
        return at->second;
    };
    gpu.occupancy.assign(trace_.events.gpu_count, index_of({kAbsent, kAbsent}));
    for (const KernelOccupancy& o : occupancy_)
        if (event_of[o.ordinal] < trace_.events.gpu_count)
            gpu.occupancy[event_of[o.ordinal]] = index_of({o.blocks_per_sm, o.occupancy_percent});
    occupancy_ = {};
}

EventIndex RankBuilder::innermost_at(const Lane& lane, TimeNs time) const {
    const EventTable& table = trace_.events;
    for (std::uint32_t row = lane.first_row + lane.row_count; row-- > lane.first_row;) {
        const auto first = table.start.begin() + trace_.rows[row].begin;
        const auto after = std::upper_bound(first, table.start.begin() + trace_.rows[row].end, time);
        if (after == first)
            continue;
        const auto candidate = static_cast<EventIndex>(std::distance(table.start.begin(), after) - 1);
        if (table.end(candidate) >= time)
            return candidate;
    }
    return kNoEvent;
}

std::vector<const Lane*> RankBuilder::cpu_lanes_by_track() const {
    std::vector<const Lane*> lane_of_track(tracks_.size(), nullptr);
    for (std::size_t i = 0; i < trace_.lanes.size(); ++i)
        if (trace_.lanes[i].kind == LaneKind::cpu_thread)
            lane_of_track[lane_tracks_[i]] = &trace_.lanes[i];
    return lane_of_track;
}

void RankBuilder::bind_memory_samples() {
    const std::vector<const Lane*> lane_of_track = cpu_lanes_by_track();
    for (std::size_t i = 0; i < memory_tracks_.size(); ++i) {
        MemorySample& sample = trace_.memory_samples[i];
        const Lane* lane = lane_of_track[memory_tracks_[i]];
        EventIndex around = lane ? innermost_at(*lane, sample.time) : kNoEvent;
        while (around != kNoEvent && trace_.events.kind[around] != EventKind::cpu_op)
            around = trace_.parent_of(around);
        sample.operator_event = around;
    }
    memory_tracks_ = {};
}

void RankBuilder::bind_flows() {
    const std::vector<const Lane*> lane_of_track = cpu_lanes_by_track();
    const auto bind = [&](const FlowPoint& point) {
        const Lane* lane = lane_of_track[point.track];
        return lane ? innermost_at(*lane, point.time) : kNoEvent;
    };
    std::map<std::int64_t, EventIndex> from;
    for (const FlowPoint& point : flow_points_)
        if (point.starts)
            from[point.id] = bind(point);
    for (const FlowPoint& point : flow_points_) {
        if (point.starts)
            continue;
        const auto start = from.find(point.id);
        const EventIndex to = bind(point);
        if (start != from.end() && start->second != kNoEvent && to != kNoEvent)
            trace_.flows.push_back({start->second, to});
    }
    flow_points_ = {};
}

void RankBuilder::find_steps() {
    constexpr std::string_view kPrefix = "ProfilerStep#";
    const EventTable& table = trace_.events;
    for (EventIndex i = table.gpu_count; i < table.size(); ++i) {
        if (table.kind[i] != EventKind::annotation)
            continue;
        const std::string_view name = trace_.event_name(i);
        if (!name.starts_with(kPrefix))
            continue;
        const std::int64_t number = number_or_unknown(name.substr(kPrefix.size()));
        if (number >= 0)
            trace_.steps.push_back({number, table.range(i), i});
    }
    std::ranges::stable_sort(trace_.steps, {}, [](const ProfilerStep& s) { return s.range.begin; });
    // Nsight Systems has no steps of its own; programs that want them push ranges.
    if (trace_.steps.empty() && trace_.source == TraceSource::nsys)
        trace_.steps = numbered_steps(trace_);
}

void RankBuilder::name_lanes() {
    bool several_devices = false;
    for (const Lane& lane : trace_.lanes)
        several_devices |= lane.kind == LaneKind::gpu_stream && lane.device != trace_.lanes.front().device;
    std::map<std::pair<LaneKind, std::string>, int> uses;
    for (Lane& lane : trace_.lanes) {
        const auto known = thread_names_.find({lane.process, lane.thread});
        if (lane.kind == LaneKind::cpu_thread)
            lane.name =
                known != thread_names_.end() && !known->second.empty() ? known->second : "thread " + lane.thread;
        else if (lane.kind == LaneKind::other)
            lane.name = lane.process + " " + lane.thread;
        else
            lane.name = (several_devices ? "device " + std::to_string(lane.device) + " " : std::string{}) + "stream " +
                        (lane.stream >= 0 ? std::to_string(lane.stream) : lane.thread);
        if (lane.kind == LaneKind::gpu_annotation)
            lane.name += " annotations";
        if (lane.kind == LaneKind::gpu_sync)
            lane.name += " syncs";
        ++uses[{lane.kind, lane.name}];
    }
    for (Lane& lane : trace_.lanes)
        if (uses[{lane.kind, lane.name}] > 1)
            lane.name += " (" + lane.process + "/" + lane.thread + ")";
}

} // namespace rankscope
