// SPDX-License-Identifier: GPL-3.0-or-later
// The threads of a profiled host, once for all its devices.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/input/xplane/xplane_times.h"
#include "core/trace/accounting.h"
#include "core/trace/rank_trace.h"
#include "core/trace/string_table.h"

namespace rankscope {

struct XHostEvent {
    TimeNs start = 0;
    TimeNs duration = 0;
    std::int64_t correlation = kUnknown; ///< of a launch
    std::int32_t device = -1;            ///< that a launch is for
    NameId name = 0;
    EventKind kind = EventKind::cpu_op;
};

struct XHostFlow {
    std::int64_t id = 0;
    TimeNs time = 0;
    bool starts = false;
};

/// An allocation or a release, of the allocator of a device.
struct XMemorySample {
    MemorySample sample;
    std::int32_t device = -1; ///< -1: memory of the host
};

struct XHostStep {
    std::int64_t number = 0;
    std::uint32_t event = 0; ///< index in XHostLine::events
};

struct XHostLine {
    std::string process; ///< "host", or what recorded it: "CUPTI"
    std::string thread;  ///< its id
    std::string name;
    std::vector<XHostEvent> events;
    std::vector<Instant> instants;
    std::vector<XHostFlow> flows;
    std::vector<XMemorySample> memory;
    std::vector<XHostStep> steps; ///< of a StepTraceAnnotation
    /// Executions of XLA programs, to tell launches of one from those of the next: indices in events.
    std::vector<std::uint32_t> executions;
};

/// The lines of a plane; what is no event of a thread is counted. most_bytes: it stops when the lines take more, 0: no
/// limit.
std::vector<XHostLine> read_host_plane(const XPlane& plane, XClock& clock, StringTable& names, Accounting& accounting,
                                       std::uint64_t most_bytes);

std::uint64_t memory_bytes(const std::vector<XHostLine>& lines);

} // namespace rankscope
