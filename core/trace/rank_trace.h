// SPDX-License-Identifier: GPL-3.0-or-later
// Everything read from the file of one rank. Immutable once built.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/notice.h"
#include "core/trace/accounting.h"
#include "core/trace/collective.h"
#include "core/trace/event_table.h"
#include "core/trace/kernel_sum.h"
#include "core/trace/lane.h"
#include "core/trace/launch_shape.h"

namespace rankscope {

class InflatePoints;       // core/input/bytes/inflate_points.h
struct DigestFacts;        // core/trace/digest_facts.h
struct FlightRecorderDump; // core/trace/flight_recorder.h
struct MemorySnapshot;     // core/trace/memory_snapshot.h
struct OperationTimeline;  // core/trace/operation_timeline.h

/// A ProfilerStep#N annotation on the CPU, or what the file numbers as a step, in order of start.
struct ProfilerStep {
    std::int64_t number = 0;
    TimeRange range;
    EventIndex event = kNoEvent;
};

/// Bytes moved by a copy or set; bandwidth_gb_s as recorded (10^9 bytes a second), 0 when absent.
struct MemoryTransfer {
    EventIndex event = kNoEvent;
    std::int64_t bytes = kUnknown;
    double bandwidth_gb_s = 0;
};

/// How a collective was carried out, as the Inspector of NCCL or RCCL saw it.
struct CollectiveTransfer {
    EventIndex event = kNoEvent;
    NameId algorithm = 0;      ///< "RING"; id of "" where not recorded
    NameId protocol = 0;       ///< "LL128"
    NameId timing = 0;         ///< what the time was measured with: "kernel_gpu"
    std::int32_t channels = 0; ///< 0 where not recorded
    std::int64_t bytes = kUnknown;
    TimeNs execution = kUnknown; ///< from its start in NCCL to its end
    double algorithm_gb_s = 0;   ///< bandwidths as recorded, 10^9 bytes a second; 0 where not recorded
    double bus_gb_s = 0;
};

/// A [memory] instant of the allocator. Sizes in bytes; kUnknown where the trace has none.
struct MemorySample {
    TimeNs time = 0;
    std::int64_t bytes = kUnknown; ///< change: positive allocates, negative frees
    std::int64_t allocated = kUnknown;
    std::int64_t reserved = kUnknown;
    std::uint64_t address = 0;
    std::int32_t device_type = 0; ///< PyTorch's DeviceType: 0 CPU, 1 CUDA/HIP
    std::int32_t device = -1;
    EventIndex operator_event = kNoEvent; ///< innermost CPU operator around it on its thread
};

/// Recorded inputs of a CPU operator that launched GPU work, as JSON text; ids of "" where not recorded. Put together
/// by RankTrace::inputs_of().
struct OperatorInputs {
    EventIndex event = kNoEvent;
    NameId dims = 0;                  ///< "Input Dims": [[64, 128], [128, 32]]
    NameId types = 0;                 ///< "Input type": ["c10::BFloat16", ...]
    NameId concrete = 0;              ///< "Concrete Inputs": ["", "1", "[2, 2]"]
    NameId strides = 0;               ///< "Input Strides"
    std::int64_t flops = kUnknown;    ///< "flops", of profiles with with_flops
    std::int64_t sequence = kUnknown; ///< "Sequence number", shared by forward and backward
};

/// What many calls of operators have in common, once: OperatorInputs without its event and sequence.
struct InputShapes {
    NameId dims = 0;
    NameId types = 0;
    NameId concrete = 0;
    NameId strides = 0;
    std::int64_t flops = kUnknown;
    friend auto operator<=>(const InputShapes&, const InputShapes&) = default;
};

/// The inputs of one call.
struct InputsEntry {
    EventIndex event = kNoEvent;
    std::uint32_t shapes = 0; ///< index in RankTrace::input_shapes
    std::int64_t sequence = kUnknown;
};

struct Instant {
    TimeNs time = 0;
    NameId name = 0;
};

struct CounterSample {
    NameId series = 0; ///< "counter name: key"
    TimeNs time = 0;
    double value = 0;
};

/// Arrow between two events of the rank (fwdbwd: forward operator to its backward).
struct Flow {
    EventIndex from = kNoEvent;
    EventIndex to = kNoEvent;
};

struct Device {
    std::int64_t id = 0;
    std::string name;
    std::int64_t multiprocessors = 0; ///< 0 when not recorded
    std::int64_t memory_bytes = 0;
};

/// How a kernel fills the GPU; NaN where not recorded.
struct Occupancy {
    float blocks_per_sm = 0;
    float percent = 0; ///< "est. achieved occupancy %"
};

/// Columns for GPU work only: entry i belongs to event i, i < EventTable::gpu_count.
struct GpuColumns {
    std::vector<EventIndex>
        operator_event;                   ///< CPU operator that launched it, by External id or by nesting; or kNoEvent
    std::vector<std::uint32_t> occupancy; ///< index in occupancies; empty when no event has it
    std::vector<Occupancy> occupancies;   ///< each pair once
    std::vector<std::uint32_t> launch_shape; ///< index in RankTrace::launch_shapes; empty when none was recorded
    std::vector<std::int64_t> correlation;   ///< of the launch, kUnknown without; filled where launch_shape is

    [[nodiscard]] Occupancy occupancy_of(EventIndex i) const { return occupancies[occupancy[i]]; }
};

/// Where the events' full text lies: the byte offset (in the decompressed text) of every few dozenth event object.
struct EventLocator {
    struct Mark {
        std::uint32_t ordinal = 0;
        std::uint64_t offset = 0; ///< of the first byte of that event's text
    };
    std::vector<Mark> marks; ///< ascending
    /// Compressed files: states of the decoder saved on the way, so that a mark is reached without starting over.
    std::shared_ptr<const InflatePoints> points;
};

/// Where a rank's events come from; digest: said of files only, whose ranks have the source of their full trace.
enum class TraceSource : std::uint8_t {
    kineto,
    nsys,
    nsys_stats,
    execution_trace,
    digest,
    flight_recorder,
    xplane,
    rocpd,
    inspector,
    operations,
    memory_snapshot
};
/// "kineto", "nsys", "nsys-stats", "execution-trace", "digest", "flight-recorder", "xplane", "rocpd", "inspector",
/// "operations", "memory-snapshot"
std::string_view trace_source_word(TraceSource source);

struct RankTrace {
    int rank = 0;
    int world_size = 0; ///< 0 when the file does not say
    int job = 0;        ///< from 1 on where several jobs lie side by side, which do not communicate
    std::filesystem::path file;
    std::uint64_t file_bytes = 0; ///< as on disk
    std::uint64_t text_bytes = 0; ///< decompressed
    TraceSource source = TraceSource::kineto;

    std::shared_ptr<const StringTable> names;
    EventTable events;
    GpuColumns gpu;
    std::vector<Lane> lanes; ///< GPU streams first, by device and stream; then annotations, syncs, threads, others
    std::vector<Row> rows;

    std::vector<ProfilerStep> steps;
    std::vector<CollectiveArgs> collective_args;
    std::vector<CollectiveEntry> collectives;     ///< sorted by event
    std::vector<ProcessGroup> process_groups;     ///< those of distributedInfo first, then those only named by events
    std::vector<MemoryTransfer> memory_transfers; ///< sorted by event
    std::vector<CollectiveTransfer> collective_transfers; ///< sorted by event; of logs of the Inspector beside a trace
    std::vector<InputShapes> input_shapes;
    std::vector<InputsEntry> operator_inputs; ///< sorted by event; only operators around launches of GPU work
    std::vector<KernelSum> kernel_sums;       ///< where the file has these instead of events
    std::vector<LaunchShape> launch_shapes;   ///< Nsight Systems only
    std::vector<MemorySample> memory_samples; ///< sorted by time
    std::vector<Instant> instants;
    std::vector<CounterSample> counters;
    std::vector<Flow> flows;
    std::vector<Device> devices;
    std::map<std::string, std::string>
        header; ///< flattened header of the file: "distributedInfo.nccl_version" -> "2.20.5"
    EventLocator locator;
    Notices notices;
    /// What became of the events of its file. Where a file holds several ranks, each counts its own, and the first
    /// also what no rank has: their sum is that of the file.
    Accounting accounting;

    /// Set when only part of the trace is here: what a digest keeps of it, with what it knows of the rest.
    std::shared_ptr<const DigestFacts> digest;
    /// Set when the rank is what PyTorch's Flight Recorder left of a job that hangs.
    std::shared_ptr<const FlightRecorderDump> flight_recorder;
    /// Set when the rank is of an operation timeline.
    std::shared_ptr<const OperationTimeline> operations;
    /// What the allocator held, of a snapshot beside the trace, or alone; nullptr without. Copies do not hold it.
    std::shared_ptr<const MemorySnapshot> memory_snapshot;
    /// Whether a copy of the rank (digest, cache, budget) would hold all of it.
    [[nodiscard]] bool can_be_copied() const {
        return !flight_recorder && !operations && source != TraceSource::memory_snapshot;
    }

    TimeNs clock_base = 0; ///< added to the times of the file (baseTimeNanoseconds); 0 when they are absolute
    TimeRange span;        ///< of all events
    TimeRange gpu_span;    ///< of GPU work; empty when there is none

    [[nodiscard]] std::string_view event_name(EventIndex i) const { return names->view(events.name[i]); }
    /// Lane that holds the event. O(log lanes).
    [[nodiscard]] const Lane& lane_of(EventIndex i) const;
    /// Row that holds the event (index into rows). O(log rows).
    [[nodiscard]] std::uint32_t row_of(EventIndex i) const;
    /// The event of the nearest row above that contains this one; kNoEvent where none of the 4096 rows above does.
    [[nodiscard]] EventIndex parent_of(EventIndex i) const;
    /// Collective arguments of an event, or nullptr.
    [[nodiscard]] const CollectiveArgs* collective_of(EventIndex i) const;
    /// Its number among the calls of its group, kUnknown where none was recorded.
    [[nodiscard]] std::int64_t collective_sequence_of(EventIndex i) const;
    /// Recorded inputs of an operator.
    [[nodiscard]] std::optional<OperatorInputs> inputs_of(EventIndex i) const;
    /// GPU device the rank ran on (that of its first GPU lane), or -1.
    [[nodiscard]] std::int64_t device() const;
    /// Heap bytes of the model of this rank, without the shared names and what is mapped.
    [[nodiscard]] std::size_t memory_bytes() const;
};

} // namespace rankscope
