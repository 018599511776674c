// SPDX-License-Identifier: GPL-3.0-or-later
// Time as every part of Rankscope counts it: signed 64-bit nanoseconds. Never a double.
#pragma once
#include <algorithm>
#include <cstdint>

namespace rankscope {

/// Nanoseconds. Inside a trace: on the clock of the rank that recorded it (absolute, usually since the Unix epoch).
using TimeNs = std::int64_t;

/// Half-open span [begin, end) of nanoseconds; empty when end <= begin.
struct TimeRange {
    TimeNs begin = 0;
    TimeNs end = 0;

    [[nodiscard]] TimeNs length() const { return std::max<TimeNs>(0, end - begin); }
    [[nodiscard]] bool empty() const { return end <= begin; }
    [[nodiscard]] bool contains(TimeNs t) const { return t >= begin && t < end; }
    [[nodiscard]] TimeRange clipped_to(TimeRange other) const {
        return {std::max(begin, other.begin), std::min(end, other.end)};
    }
    friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

} // namespace rankscope
