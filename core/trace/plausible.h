// SPDX-License-Identifier: GPL-3.0-or-later
// What a count or a time in a trace can be. Files may hold any number; those beyond are taken as not recorded, so that
// analyses may add and multiply the rest without a thought of 64 bits.
#pragma once
#include <cstdint>
#include <limits>

#include "core/base/time.h"
#include "core/trace/collective.h"

namespace rankscope {

/// Bytes or elements of one message, copy or allocator: 16 Ti. The sum of half a million of these fits, with 1 byte
/// each.
inline constexpr std::int64_t kMostCounted = std::int64_t{1} << 44;

/// Ranks and sizes of groups are at most this; one more is an int still.
inline constexpr int kMostRanks = 1 << 30;

/// Times are within 73 years of the epoch, and those of a rank within three days of each other: differences of any two
/// fit, and the sum of thirty thousand events that last as long as their recording.
inline constexpr TimeNs kLatestTime = std::numeric_limits<TimeNs>::max() / 4;
inline constexpr TimeNs kLongestRecording = TimeNs{1} << 48;

constexpr bool is_plausible_time(TimeNs time) { return time > -kLatestTime && time < kLatestTime; }

constexpr bool is_plausible(std::int64_t count) { return count >= -kMostCounted && count <= kMostCounted; }
/// The count, or kUnknown where it is none.
constexpr std::int64_t plausible(std::int64_t count) { return is_plausible(count) ? count : kUnknown; }

} // namespace rankscope
