// SPDX-License-Identifier: GPL-3.0-or-later
// What "go to" understands: a time, a step, the n-th call of a kernel or collective.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/notice.h"
#include "core/trace/run.h"
#include "widgets/view_state.h"

namespace rankscope {

/// From the run's first event: "12.5 ms", "1s200ms".
struct GoToTime {
    TimeNs time = 0;
};
/// A number without unit: a "ts" as the trace writes it (µs), or absolute ns or µs.
struct GoToStamp {
    std::optional<TimeNs> as_us; ///< the number read as µs; nothing where that is no time
    std::optional<TimeNs> as_ns; ///< read as ns; nothing also where it has a fraction
};
/// "step 3": the profiler's number of it.
struct GoToStep {
    std::int64_t number = 0;
};
/// "allreduce 17", "17 allreduce", "gemm #2"; the first when no number is given.
struct GoToCall {
    std::string name; ///< letters and digits only, lower case
    std::int64_t number = 1;
};
using GoTo = std::variant<GoToTime, GoToStamp, GoToStep, GoToCall>;

struct GoToPlace {
    TimeRange range;               ///< absolute; a moment when begin == end
    std::optional<EventRef> event; ///< of a call
};

/// Error (usage): one line that says what is understood.
Result<GoTo> parseGoTo(std::string_view text);

/// Calls are counted on `rank` in order of start, GPU work first; other events only where no GPU work has the name. A
/// name matches where it contains the wanted one, whatever the case and signs between. O(events of the rank).
/// Error (usage): not in this run.
Result<GoToPlace> findPlace(const Run& run, const GoTo& wanted, int rank);

} // namespace rankscope
