// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes: the horizontal tracks of a rank. A lane has rows, one per nesting depth.
#pragma once
#include <cstdint>
#include <string>

#include "core/trace/event_table.h"

namespace rankscope {

enum class LaneKind : std::uint8_t {
    gpu_stream,     ///< kernels, copies and sets of one stream
    gpu_annotation, ///< annotations mirrored to that stream; or its launches of graphs with the operators captured
    gpu_sync,       ///< synchronisation records of that stream
    cpu_thread,     ///< operators, annotations, runtime calls of one thread, nested
    other           ///< "Spans" and the like
};

/// Events of a lane: [begin, end) of the EventTable; its rows: [first_row, first_row + row_count) of RankTrace::rows.
/// Row 0 is the outermost. Nested events lie one row deeper than the event that contains them; an event that overlaps
/// its predecessor without nesting goes to the first row that is free (kernels of one stream may overlap slightly).
struct Lane {
    LaneKind kind = LaneKind::other;
    std::string process;      ///< pid as written in the trace
    std::string thread;       ///< tid as written in the trace
    std::string name;         ///< "stream 7", "thread 1234 (pt_autograd_0)": unique within the rank
    std::int64_t device = -1; ///< GPU lanes
    std::int64_t stream = -1; ///< GPU lanes
    EventIndex begin = 0;
    EventIndex end = 0;
    std::uint32_t first_row = 0;
    std::uint32_t row_count = 0;
};

/// Events [begin, end) of the EventTable, sorted by start, not overlapping.
struct Row {
    EventIndex begin = 0;
    EventIndex end = 0;
};

} // namespace rankscope
