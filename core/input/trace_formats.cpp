// SPDX-License-Identifier: GPL-3.0-or-later
// The list of formats. Each is defined in its own file as `TraceFormat <name>_format()`.
#include "core/input/format/trace_format.h"

#include <array>

// One line per format, those to prefer first.
#define RANKSCOPE_FORMATS(FORMAT) \
    FORMAT(kineto)                \
    FORMAT(nsys_sqlite)           \
    FORMAT(nsys_rep)              \
    FORMAT(nsys_stats)            \
    FORMAT(xplane)                \
    FORMAT(trace_viewer)          \
    FORMAT(rocpd)                 \
    FORMAT(rpd)                   \
    FORMAT(operations)            \
    FORMAT(execution_trace)       \
    FORMAT(flight_recorder)       \
    FORMAT(inspector)             \
    FORMAT(memory_snapshot)       \
    FORMAT(digest)

namespace rankscope {

#define RANKSCOPE_DECLARE(name) TraceFormat name##_format();
RANKSCOPE_FORMATS(RANKSCOPE_DECLARE)
#undef RANKSCOPE_DECLARE

std::span<const TraceFormat> trace_formats() {
#define RANKSCOPE_LIST(name) name##_format(),
    static const std::array all{RANKSCOPE_FORMATS(RANKSCOPE_LIST)};
#undef RANKSCOPE_LIST
    return all;
}

} // namespace rankscope
