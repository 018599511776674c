// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the trace of a rank, or a whole run, in memory.
#include "tests/support/trace_builder.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace rankscope {

namespace {

CollectiveArgs recorded_args(RankBuilder& builder, const CollectiveCall& call) {
    const ProcessGroup& group = call.group;
    const bool names_group = !group.name.empty() || !group.description.empty() || !group.ranks.empty();
    CollectiveArgs args;
    args.collective = builder.names().intern(call.collective);
    args.dtype = builder.names().intern(call.dtype);
    args.in_elements = call.in_elements;
    args.out_elements = call.out_elements;
    args.source_rank = call.source_rank;
    args.destination_rank = call.destination_rank;
    args.in_split = builder.names().intern(call.in_split);
    args.out_split = builder.names().intern(call.out_split);
    if (names_group) {
        ProcessGroup sized = group;
        if (sized.size == 0)
            sized.size = static_cast<int>(sized.ranks.size());
        args.group_size = sized.size > 0 ? sized.size : kUnknown;
        args.group = builder.process_group(std::move(sized));
    }
    return args;
}

} // namespace

TraceBuilder::TraceBuilder(int rank) : rank_(rank), file_(fmt::format("rank{}.json", rank)) {}

TimeNs TraceBuilder::time_ns(double us) const { return base_ + std::llround(us * 1000.0); }

TraceBuilder& TraceBuilder::base(TimeNs absolute_ns) {
    base_ = absolute_ns;
    return *this;
}

TraceBuilder& TraceBuilder::world_size(int ranks) {
    world_size_ = ranks;
    return *this;
}

TraceBuilder& TraceBuilder::device(std::int64_t id) {
    device_ = id;
    return *this;
}

TraceBuilder& TraceBuilder::file(std::string path) {
    file_ = std::move(path);
    return *this;
}

TraceBuilder& TraceBuilder::header(std::string key, std::string value) {
    header_[std::move(key)] = std::move(value);
    return *this;
}

TraceBuilder& TraceBuilder::notice(Notice notice) {
    notices_.push_back(std::move(notice));
    return *this;
}

TraceBuilder& TraceBuilder::launch(double start_us, double dur_us, std::string name, std::string thread) {
    runtime(std::move(name), start_us, dur_us, std::move(thread));
    pending_launch_ = ++last_correlation_;
    return correlation(pending_launch_);
}

TraceBuilder& TraceBuilder::runtime(std::string name, double start_us, double dur_us, std::string thread) {
    return event(EventKind::runtime, std::move(name), kProcess, std::move(thread), start_us, dur_us);
}

TraceBuilder& TraceBuilder::gpu_event(EventKind kind, std::string name, int stream, double start_us, double dur_us) {
    event(kind, std::move(name), std::to_string(device_), std::to_string(stream), start_us, dur_us, device_, stream);
    if (kind != EventKind::gpu_annotation)
        events_.back().raw.correlation = std::exchange(pending_launch_, kUnknown);
    return *this;
}

TraceBuilder& TraceBuilder::kernel(std::string name, int stream, double start_us, double dur_us) {
    return gpu_event(EventKind::kernel, std::move(name), stream, start_us, dur_us);
}

TraceBuilder& TraceBuilder::collective(std::string kernel_name, int stream, double start_us, double dur_us,
                                       CollectiveCall call) {
    return kernel(std::move(kernel_name), stream, start_us, dur_us).collective_args(std::move(call));
}

TraceBuilder& TraceBuilder::memory_copy(std::string name, int stream, double start_us, double dur_us,
                                        std::int64_t bytes, double bandwidth_gb_s) {
    gpu_event(EventKind::memcpy, std::move(name), stream, start_us, dur_us);
    events_.back().bytes = bytes;
    events_.back().bandwidth_gb_s = bandwidth_gb_s;
    return *this;
}

TraceBuilder& TraceBuilder::memory_set(std::string name, int stream, double start_us, double dur_us,
                                       std::int64_t bytes) {
    gpu_event(EventKind::memset, std::move(name), stream, start_us, dur_us);
    events_.back().bytes = bytes;
    return *this;
}

TraceBuilder& TraceBuilder::gpu_annotation(std::string name, int stream, double start_us, double dur_us) {
    return gpu_event(EventKind::gpu_annotation, std::move(name), stream, start_us, dur_us);
}

TraceBuilder& TraceBuilder::gpu_sync(std::string name, int stream, double start_us, double dur_us) {
    return gpu_event(EventKind::gpu_sync, std::move(name), stream, start_us, dur_us);
}

TraceBuilder& TraceBuilder::cpu_op(std::string name, double start_us, double dur_us, std::string thread) {
    return event(EventKind::cpu_op, std::move(name), kProcess, std::move(thread), start_us, dur_us);
}

TraceBuilder& TraceBuilder::annotation(std::string name, double start_us, double dur_us, std::string thread) {
    return event(EventKind::annotation, std::move(name), kProcess, std::move(thread), start_us, dur_us);
}

TraceBuilder& TraceBuilder::step(std::int64_t number, double start_us, double dur_us) {
    return annotation(fmt::format("ProfilerStep#{}", number), start_us, dur_us);
}

TraceBuilder& TraceBuilder::python(std::string name, double start_us, double dur_us, std::string thread) {
    return event(EventKind::python, std::move(name), kProcess, std::move(thread), start_us, dur_us);
}

TraceBuilder& TraceBuilder::event(EventKind kind, std::string name, std::string process, std::string thread,
                                  double start_us, double dur_us, std::int64_t device, std::int64_t stream) {
    PlannedEvent planned;
    planned.raw.start = time_ns(start_us);
    planned.raw.duration = time_ns(dur_us) - base_;
    planned.raw.ordinal = static_cast<std::uint32_t>(events_.size());
    planned.raw.kind = kind;
    planned.name = std::move(name);
    planned.process = std::move(process);
    planned.thread = std::move(thread);
    planned.device = device;
    planned.stream = stream;
    events_.push_back(std::move(planned));
    return *this;
}

TraceBuilder& TraceBuilder::correlation(std::int64_t id) {
    assert(!events_.empty());
    events_.back().raw.correlation = id;
    last_correlation_ = std::max(last_correlation_, id);
    return *this;
}

TraceBuilder& TraceBuilder::external_id(std::int64_t id) {
    assert(!events_.empty());
    events_.back().raw.external_id = id;
    return *this;
}

TraceBuilder& TraceBuilder::inputs(std::string dims, std::string types, std::string concrete, std::int64_t flops) {
    events_.back().inputs = {std::move(dims), std::move(types), std::move(concrete)};
    events_.back().flops = flops;
    return *this;
}

TraceBuilder& TraceBuilder::occupancy(float blocks_per_sm, float occupancy_percent) {
    assert(!events_.empty());
    events_.back().occupancy = {{events_.back().raw.ordinal, blocks_per_sm, occupancy_percent}};
    return *this;
}

TraceBuilder& TraceBuilder::collective_args(CollectiveCall call) {
    assert(!events_.empty());
    events_.back().collective = {std::move(call)};
    return *this;
}

TraceBuilder& TraceBuilder::forward_backward(double from_us, std::string from_thread, double to_us,
                                             std::string to_thread) {
    ++last_flow_;
    flows_.push_back({std::move(from_thread), {last_flow_, time_ns(from_us), 0, true}});
    flows_.push_back({std::move(to_thread), {last_flow_, time_ns(to_us), 0, false}});
    return *this;
}

TraceBuilder& TraceBuilder::memory_sample(double time_us, MemorySample sample, std::string thread) {
    sample.time = time_ns(time_us);
    memory_samples_.emplace_back(sample, std::move(thread));
    return *this;
}

TraceBuilder& TraceBuilder::counter(std::string series, double time_us, double value) {
    counters_.push_back({std::move(series), time_ns(time_us), value});
    return *this;
}

TraceBuilder& TraceBuilder::instant(std::string name, double time_us) {
    instants_.push_back({std::move(name), time_ns(time_us), 0});
    return *this;
}

TraceBuilder& TraceBuilder::thread_name(std::string thread, std::string name) {
    thread_names_.emplace_back(std::move(thread), std::move(name));
    return *this;
}

TraceBuilder& TraceBuilder::process_group(ProcessGroup group) {
    process_groups_.push_back(std::move(group));
    return *this;
}

void TraceBuilder::add_to(RankBuilder& builder, const PlannedEvent& planned) const {
    RawEvent raw = planned.raw;
    raw.name = builder.names().intern(planned.name);
    raw.track = builder.track(planned.process, planned.thread, planned.device, planned.stream);
    builder.add(raw);
    for (const CollectiveCall& call : planned.collective)
        builder.add_collective(raw.ordinal, recorded_args(builder, call), call.sequence);
    if (planned.bytes != kUnknown)
        builder.add_transfer(raw.ordinal, planned.bytes, planned.bandwidth_gb_s);
    for (const KernelOccupancy& occupancy : planned.occupancy)
        builder.add_occupancy(occupancy);
    if (!planned.inputs.empty()) {
        OperatorInputs inputs;
        inputs.dims = builder.names().intern(planned.inputs[0]);
        inputs.types = builder.names().intern(planned.inputs[1]);
        inputs.concrete = builder.names().intern(planned.inputs[2]);
        inputs.strides = builder.names().intern("");
        inputs.flops = planned.flops;
        builder.add_inputs(raw.ordinal, inputs);
    }
}

std::shared_ptr<const RankTrace> TraceBuilder::build(std::shared_ptr<StringTable> names) const {
    RankBuilder builder(names ? std::move(names) : std::make_shared<StringTable>());
    for (const ProcessGroup& group : process_groups_)
        builder.process_group(group);
    for (const auto& [thread, name] : thread_names_)
        builder.set_thread_name(kProcess, thread, name);
    for (const PlannedEvent& planned : events_)
        add_to(builder, planned);
    for (const PlannedFlow& flow : flows_) {
        FlowPoint point = flow.point;
        point.track = builder.track(kProcess, flow.thread, kUnknown, kUnknown);
        builder.add_flow(point);
    }
    RankTrace& trace = builder.trace();
    trace.rank = rank_;
    trace.world_size = world_size_;
    trace.file = file_;
    trace.header = header_;
    trace.notices = notices_;
    for (const auto& [sample, thread] : memory_samples_)
        builder.add_memory_sample(sample, builder.track(kProcess, thread, kUnknown, kUnknown));
    for (const NamedTime& counter : counters_)
        trace.counters.push_back({builder.names().intern(counter.name), counter.time, counter.value});
    for (const NamedTime& instant : instants_)
        trace.instants.push_back({instant.time, builder.names().intern(instant.name)});
    return builder.finish();
}

std::shared_ptr<const Run> make_run(const std::vector<TraceBuilder>& ranks, std::string name, RunConfig config) {
    auto run = std::make_shared<Run>();
    run->name = name;
    run->path = std::move(name);
    run->config = std::move(config);
    run->names = std::make_shared<StringTable>();
    for (const TraceBuilder& rank : ranks)
        run->ranks.push_back(rank.build(run->names));
    std::sort(run->ranks.begin(), run->ranks.end(), [](const auto& a, const auto& b) { return a->rank < b->rank; });
    bool any = false;
    for (const auto& rank : run->ranks) {
        run->world_size = std::max({run->world_size, rank->world_size, rank->rank + 1});
        run->notices.insert(run->notices.end(), rank->notices.begin(), rank->notices.end());
        if (rank->events.size() > 0) {
            run->span =
                any ? TimeRange{std::min(run->span.begin, rank->span.begin), std::max(run->span.end, rank->span.end)}
                    : rank->span;
            any = true;
        }
    }
    for (int rank = 0; rank < run->world_size; ++rank)
        if (run->rank(rank) == nullptr)
            run->missing_ranks.push_back(rank);
    return run;
}

} // namespace rankscope
