// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/rank_builder.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>

#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"
#include "core/trace/engine_steps.h"
#include "core/trace/numbered_steps.h"
#include "core/trace/plausible.h"
#include "core/trace/rank_builder_parts.h"
#include "core/trace/side_tables.h"
#include "core/trace/step_ends.h"

namespace rankscope {

namespace {
/// Behind the stream's name: the lane of the graphs launched on it.
constexpr std::string_view kGraphsOfStream = " graphs";
} // namespace

std::int64_t number_or_unknown(std::string_view text) {
    std::int64_t number = kUnknown;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? number : kUnknown;
}

RankBuilder::RankBuilder(std::shared_ptr<StringTable> names) : names_(std::move(names)) { trace_.names = names_; }

RankBuilder::~RankBuilder() = default;

TrackId RankBuilder::track(std::string_view process, std::string_view thread, std::int64_t device,
                           std::int64_t stream) {
    const auto [known, added] =
        track_of_.try_emplace(fmt::format("{} {} {} {}{}", device, stream, process.size(), process, thread),
                              static_cast<TrackId>(tracks_.size()));
    if (added)
        tracks_.push_back({std::string(process), std::string(thread), device, stream});
    return known->second;
}

void RankBuilder::set_thread_name(std::string_view process, std::string_view thread, std::string_view name) {
    thread_names_[{std::string(process), std::string(thread)}] = name;
}

void RankBuilder::add_collective(std::uint32_t ordinal, CollectiveArgs args, std::int64_t sequence) {
    for (std::int64_t* count : {&args.in_elements, &args.out_elements, &args.group_size})
        *count = plausible(*count);
    collectives_.push_back({ordinal, {kNoEvent, collective_args_.number(args, trace_.collective_args), sequence}});
}

std::int32_t RankBuilder::process_group(ProcessGroup group) {
    auto& groups = trace_.process_groups; // readers add to it, too
    const auto key = [](const ProcessGroup& of) {
        return fmt::format("{} {}{} {}{} {} {}", of.name.size(), of.name, of.description.size(), of.description,
                           of.size, of.ranks.size(), fmt::join(of.ranks, ","));
    };
    for (; known_groups_ < groups.size(); ++known_groups_)
        group_of_.try_emplace(key(groups[known_groups_]), static_cast<std::int32_t>(known_groups_));
    const auto [known, added] = group_of_.try_emplace(key(group), static_cast<std::int32_t>(groups.size()));
    if (added) {
        groups.push_back(std::move(group));
        ++known_groups_;
    }
    return known->second;
}

void RankBuilder::add_transfer(std::uint32_t ordinal, std::int64_t bytes, double bandwidth_gb_s) {
    transfers_.push_back({ordinal, {kNoEvent, plausible(bytes), bandwidth_gb_s}});
}

void RankBuilder::add_memory_sample(const MemorySample& sample, TrackId track) {
    MemorySample& added = trace_.memory_samples.emplace_back(sample);
    for (std::int64_t* bytes : {&added.bytes, &added.allocated, &added.reserved})
        *bytes = plausible(*bytes);
    memory_tracks_.push_back(track);
}

std::uint32_t RankBuilder::launch_shape(const LaunchShape& shape) {
    const auto [known, added] =
        shape_numbers_.try_emplace(shape, static_cast<std::uint32_t>(trace_.launch_shapes.size()));
    if (added)
        trace_.launch_shapes.push_back(shape);
    return known->second;
}

std::size_t RankBuilder::memory_bytes() const {
    const auto heap = [](const auto&... tables) {
        return (std::size_t{0} + ... + (tables.capacity() * sizeof(*tables.data())));
    };
    return events_.memory_bytes() + heap(collectives_, transfers_, inputs_, occupancy_, launch_shapes_, flow_points_) +
           trace_.memory_bytes();
}

TimeRange RankBuilder::span() const {
    if (events_.empty())
        return {};
    const auto span_of = [this](const tbb::blocked_range<std::size_t>& part, TimeRange span) {
        events_.for_each(
            part.begin(), part.end(),
            [&](std::size_t, const RawEvents::Chunk& chunk, std::size_t k) {
                span = {std::min(span.begin, chunk.start[k]), std::max(span.end, chunk.start[k] + chunk.duration[k])};
            });
        return span;
    };
    return tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, events_.size(), 1 << 14),
                                TimeRange{events_.start(0), events_.start(0)}, span_of, [](TimeRange a, TimeRange b) {
                                    return TimeRange{std::min(a.begin, b.begin), std::max(a.end, b.end)};
                                });
}

TimeRange RankBuilder::drop_strays() {
    if (events_.empty())
        return {};
    const auto count = [this] {
        return events_.size() + flow_points_.size() + trace_.memory_samples.size() + trace_.instants.size() +
               trace_.counters.size();
    };
    const std::size_t before = count();
    TimeRange all = span();
    TimeRange near{all.begin - kLongestRecording, all.end + kLongestRecording};
    if (all.length() > kLongestRecording) {
        constexpr std::size_t kSamples = 1 << 16;
        const std::size_t stride = events_.size() / kSamples + 1;
        std::vector<TimeNs> starts;
        for (std::size_t i = 0; i < events_.size(); i += stride)
            starts.push_back(events_.start(i));
        const TimeNs middle = upper_median(std::move(starts));
        near = {middle - kLongestRecording / 2, middle + kLongestRecording / 2};
        events_.erase_if(
            [&](const RawEvent& event) { return event.start < near.begin || event.start + event.duration > near.end; });
        all = span();
    }
    const auto is_stray = [&](const auto& point) { return !near.contains(point.time); };
    std::erase_if(flow_points_, is_stray);
    std::erase_if(trace_.instants, is_stray);
    std::erase_if(trace_.counters, is_stray);
    std::size_t kept = 0; // samples have their tracks beside them
    for (std::size_t i = 0; i < memory_tracks_.size(); ++i)
        if (!is_stray(trace_.memory_samples[i])) {
            memory_tracks_[kept] = memory_tracks_[i];
            trace_.memory_samples[kept++] = trace_.memory_samples[i];
        }
    memory_tracks_.resize(kept);
    trace_.memory_samples.resize(kept);
    if (const std::size_t after = count(); after < before)
        add_notice(trace_.notices, {"stray_events",
                                    "events or samples that lie days away from most were left out"_text,
                                    {},
                                    static_cast<std::int64_t>(before - after)});
    return all;
}

void RankBuilder::shift_times(TimeNs offset) {
    trace_.clock_base += offset;
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, events_.size(), 1 << 14), [&](const tbb::blocked_range<std::size_t>& part) {
            events_.for_each(part.begin(), part.end(), [&](std::size_t, const RawEvents::Chunk& chunk, std::size_t k) {
                chunk.start[k] += offset;
            });
        });
    for (FlowPoint& point : flow_points_)
        point.time += offset;
    for_each_side_table(trace_, [&](auto& table, const auto&... fields) {
        const auto shift = [&](const auto& field) {
            if constexpr (kind_of<decltype(field)> == FieldKind::time)
                for (auto& entry : table)
                    entry.*field.member += offset;
        };
        (shift(fields), ...);
    });
}

std::size_t RankBuilder::ShapesHash::operator()(const InputShapes& shapes) const {
    return seeded_hash(shapes.flops, shapes.dims, shapes.types, shapes.concrete, shapes.strides);
}

/// The index of equal ones, added if new.
std::uint32_t RankBuilder::input_shapes(const OperatorInputs& inputs) {
    const InputShapes shapes{inputs.dims, inputs.types, inputs.concrete, inputs.strides, inputs.flops};
    const auto [known, added] =
        input_shapes_.try_emplace(shapes, static_cast<std::uint32_t>(trace_.input_shapes.size()));
    if (added)
        trace_.input_shapes.push_back(shapes);
    return known->second;
}

void RankBuilder::add_inputs(std::uint32_t ordinal, OperatorInputs inputs) {
    inputs_.push_back({ordinal, input_shapes(inputs), inputs.sequence});
}

std::int64_t RankBuilder::complete_inputs(PlaceMap<std::uint32_t, OperatorInputs> by_ordinal) {
    std::int64_t filled = 0;
    for (auto& [ordinal, shapes, sequence] : inputs_) {
        const auto found = by_ordinal.find(ordinal);
        if (found == by_ordinal.end())
            continue;
        if (const InputShapes known = trace_.input_shapes[shapes]; known.dims == 0) {
            shapes = input_shapes(
                {kNoEvent, found->second.dims, found->second.types, known.concrete, known.strides, known.flops});
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
    add_graph_slices();
    EventCensus census = count_events();
    SortedEvents sorted = sort_into_lanes(census);
    Accounting& accounting = trace_.accounting; // which readers of files fill
    const std::uint64_t repeated = std::min(accounting.on_timeline, static_cast<std::uint64_t>(sorted.repeated));
    accounting.on_timeline -= repeated;
    accounting.add(NotShown::duplicate, repeated);
    if (cancel.stop_requested())
        return nullptr;
    fill_columns(sorted);
    link_launches(sorted, census.calls);
    hold_to_waits();
    find_spans();
    link_operators(sorted, census.operators);
    link_captured_operators();
    sorted.order = {};
    if (cancel.stop_requested())
        return nullptr;
    tbb::parallel_invoke([this] { events_.clear(); }, [this] { attach_side_tables(); }, [this] { bind_flows(); },
                         [&] {
                             bind_memory_samples(sorted);
                             std::ranges::stable_sort(trace_.memory_samples, {}, &MemorySample::time);
                         },
                         [this] { find_steps(); },
                         [this] { std::ranges::stable_sort(trace_.instants, {}, &Instant::time); },
                         [this] {
                             std::ranges::stable_sort(trace_.counters, {}, [](const CounterSample& s) {
                                 return std::tuple(s.series, s.time);
                             });
                         });
    if (cancel.stop_requested())
        return nullptr;
    name_lanes();
    const auto trim = [](auto&... tables) { (tables.shrink_to_fit(), ...); };
    trim(trace_.lanes, trace_.rows, trace_.steps, trace_.collective_args, trace_.collectives, trace_.gpu.correlation);
    const auto trim_table = [&](auto& table, const auto&...) { trim(table); };
    for_each_side_table(trace_, trim_table);
    for_each_small_table(trace_, trim_table);
    return std::make_shared<const RankTrace>(std::move(trace_));
}

void RankBuilder::find_steps() {
    constexpr std::string_view kPrefix = "ProfilerStep#";
    const EventTable& table = trace_.events;
    if (!trace_.steps.empty()) { // the file numbers them: until now their events are ordinals
        PlaceMap<std::uint32_t, EventIndex> event_of;
        for (const ProfilerStep& step : trace_.steps)
            event_of.emplace(step.event, kNoEvent);
        for (EventIndex i = 0; i < table.size(); ++i)
            if (const auto found = event_of.find(table.ordinal[i]); found != event_of.end())
                found->second = i;
        for (ProfilerStep& step : trace_.steps)
            step.event = event_of.at(step.event);
        std::erase_if(
            trace_.steps, [](const ProfilerStep& step) { return step.event == kNoEvent; });
        std::ranges::stable_sort(trace_.steps, {}, [](const ProfilerStep& s) { return s.range.begin; });
        return close_gaps_of_steps(trace_, trace_.steps);
    }
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
    // Nsight Systems and the ROCm profiler have no steps of their own; programs that want them push ranges.
    if (trace_.steps.empty() && (trace_.source == TraceSource::nsys || trace_.source == TraceSource::rocpd))
        trace_.steps = numbered_steps(trace_);
    // Nor have serving engines, which mark each step by what it computes.
    if (trace_.steps.empty())
        trace_.steps = numbered_engine_steps(trace_);
    close_gaps_of_steps(trace_, trace_.steps);
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
        else if (lane.kind == LaneKind::gpu_annotation && lane.stream < 0)
            lane.name = (several_devices ? "device " + std::to_string(lane.device) + " " : std::string{}) + lane.thread;
        else if (trace_.source == TraceSource::operations)
            lane.name = lane.thread;
        else
            lane.name = (several_devices ? "device " + std::to_string(lane.device) + " " : std::string{}) + "stream " +
                        (lane.stream >= 0 ? std::to_string(lane.stream) : lane.thread);
        if (lane.kind == LaneKind::gpu_annotation && lane.stream >= 0)
            lane.name += lane.thread.ends_with(kGraphsOfStream) ? kGraphsOfStream : " annotations";
        if (lane.kind == LaneKind::gpu_sync)
            lane.name += " syncs";
        ++uses[{lane.kind, lane.name}];
    }
    for (Lane& lane : trace_.lanes)
        if (uses[{lane.kind, lane.name}] > 1)
            lane.name += " (" + lane.process + "/" + lane.thread + ")";
}

} // namespace rankscope
