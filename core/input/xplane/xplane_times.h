// SPDX-License-Identifier: GPL-3.0-or-later
// Times of an XSpace: a line's in nanoseconds, its events' in picoseconds behind it.
#pragma once
#include <optional>

#include "core/input/xplane/xspace.h"
#include "core/trace/plausible.h"

namespace rankscope {

/// Lines of newer profiles count from the start of the session, which the plane "Task Environment" tells as Unix time;
/// those of older ones are Unix time themselves.
struct XClock {
    TimeNs session_start = 0; ///< Unix epoch, ns; 0: unknown
    bool used = false;        ///< it was added to a line

    /// From when the events of a line count.
    TimeNs base_of(const XLine& line) {
        if (session_start <= 0 || line.timestamp_ns >= session_start / 2)
            return line.timestamp_ns;
        used = true;
        return line.timestamp_ns + session_start;
    }
};

/// Start and end are rounded down alike, so that what nests or follows in the file does so here. Nothing: no clock
/// shows such times.
inline std::optional<TimeRange> range_of(const XEvent& event, TimeNs base) {
    constexpr std::int64_t kMostPs = std::numeric_limits<std::int64_t>::max() / 4;
    const std::int64_t offset = event.offset_ps.value_or(0);
    if (offset < -kMostPs || offset > kMostPs || event.duration_ps < 0 || event.duration_ps > kMostPs ||
        !is_plausible_time(base))
        return {};
    const auto floor_ns = [](std::int64_t ps) { return ps / 1000 - (ps % 1000 < 0); };
    const TimeRange range{base + floor_ns(offset), base + floor_ns(offset + event.duration_ps)};
    if (!is_plausible_time(range.begin) || !is_plausible_time(range.end))
        return {};
    return range;
}

} // namespace rankscope
