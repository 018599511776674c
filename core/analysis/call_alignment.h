// SPDX-License-Identifier: GPL-3.0-or-later
// Which call of one rank is which call of another, when both saw the same sequence of collectives but perhaps not the
// same part of it.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/trace/time.h"

namespace rankscope {

/// token: equal for calls that may be the same (kind, dtype, sizes). synchronises: no member ends before all started.
struct CallKey {
    std::uint64_t token = 0;
    TimeRange range;
    bool synchronises = true;
};

/// Pairs (index in a, index in b), ascending in both: a longest common subsequence in which, among equal tokens, calls
/// that end together are preferred. Both in order of start. The clocks of a and b may differ by a constant.
/// A pair whose calls could not have run together even so is never made: better no match than a false one.
std::vector<std::pair<std::uint32_t, std::uint32_t>> align_calls(std::span<const CallKey> a, std::span<const CallKey> b);

} // namespace rankscope
