// SPDX-License-Identifier: GPL-3.0-or-later
// The events of one rank as columns.
#pragma once
#include <cstdint>
#include <limits>
#include <string_view>

#include "core/base/time.h"
#include "core/trace/column.h"
#include "core/trace/string_table.h"

namespace rankscope {

/// Position of an event in its rank's EventTable.
using EventIndex = std::uint32_t;
inline constexpr EventIndex kNoEvent = std::numeric_limits<EventIndex>::max();

/// What recorded the event (Kineto's "cat", older spellings folded).
enum class EventKind : std::uint8_t {
    kernel,         ///< GPU kernel
    memcpy,         ///< GPU copy
    memset,         ///< GPU fill
    gpu_annotation, ///< user annotation as seen on the GPU; not GPU work
    gpu_sync,       ///< GPU-side synchronisation record (cuda_sync); not GPU work
    cpu_op,         ///< framework operator
    annotation,     ///< user annotation on the CPU, ProfilerStep#N among them
    runtime,        ///< CUDA/HIP runtime call
    driver,         ///< CUDA/HIP driver call
    python,         ///< Python frame
    overhead,       ///< profiler's own work
    span,           ///< the profiler's whole recording ("Trace")
    other,
    graph_launch,  ///< not recorded: the span of what one launch of a CUDA or HIP graph ran on a stream
    captured_op,   ///< not recorded: an operator of the graph's capture, over the replayed kernels it stands for
    captured_scope ///< not recorded: a module or annotation of the capture, likewise
};
inline constexpr std::size_t kEventKindCount = static_cast<std::size_t>(EventKind::captured_scope) + 1;

/// The word a user sees: "kernel", "memory copy", "CPU operator" ...
std::string_view event_kind_label(EventKind kind);

constexpr bool is_gpu_work(EventKind kind) {
    return kind == EventKind::kernel || kind == EventKind::memcpy || kind == EventKind::memset;
}
/// Derived from the launches of graphs, not an event of the file.
constexpr bool is_graph_slice(EventKind kind) { return kind >= EventKind::graph_launch; }
/// What GPU work belongs to: an operator as it ran, or as a graph's capture recorded it.
constexpr bool is_operator(EventKind kind) { return kind == EventKind::cpu_op || kind == EventKind::captured_op; }
constexpr bool is_launch_call(EventKind kind) { return kind == EventKind::runtime || kind == EventKind::driver; }

/// Structure of arrays; every column has one entry per event (29 bytes together). Order: lane, row of the lane,
/// start time; GPU work comes first, so events [0, gpu_count) are exactly the kernels, copies and sets.
/// Within a row events do not overlap, so ends ascend as starts do.
struct EventTable {
    Column<TimeNs> start;    ///< absolute, ns
    Column<TimeNs> duration; ///< ns, >= 0
    Column<NameId> name;
    Column<EventKind> kind;
    Column<std::uint32_t> ordinal; ///< position among all events of the source file, 0-based; derived ones follow
    /// GPU work and syncs: the runtime or driver call that launched it. Calls: the first GPU event they launched
    /// (all others have their link to the call). kNoEvent: none in the trace.
    Column<EventIndex> link;
    EventIndex gpu_count = 0;

    [[nodiscard]] EventIndex size() const { return static_cast<EventIndex>(start.size()); }
    [[nodiscard]] TimeNs end(EventIndex i) const { return start[i] + duration[i]; }
    [[nodiscard]] TimeRange range(EventIndex i) const { return {start[i], end(i)}; }
};

} // namespace rankscope
