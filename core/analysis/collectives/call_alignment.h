// SPDX-License-Identifier: GPL-3.0-or-later
// Which call of one rank is which call of another, when both saw the same sequence of collectives but perhaps not the
// same part of it.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// token: equal for calls that may be the same (kind, dtype, sizes). synchronises: no member ends before all started.
/// sequence: the communicator's count of its calls, as recorded; -1 when it is not.
enum class MessageEnd : std::uint8_t { none, send, receive };
struct CallKey {
    std::uint64_t token = 0;
    TimeRange range;
    bool synchronises = true;
    std::int64_t sequence = -1;
    MessageEnd message = MessageEnd::none;
    std::int64_t step = -1; ///< number of the profiler step that it was launched in; -1: none
};

/// Pairs (index in a, index in b), ascending in both: a longest common subsequence in which, among equal tokens, calls
/// that end together are preferred. Both in order of start. The clocks of a and b may differ, and drift.
/// Where both have the same calls in the same steps, the n-th is the n-th, as long as the clocks may be of one launch.
/// A pair whose calls could not have run together even so is never made: better no match than a false one. Only
/// messages need not run together: where their ends tell nothing and both sides have as many, the n-th is received
/// n-th.
struct CallAlignment {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    bool ambiguous = false; ///< several clock differences explain the calls as well, none of them near 0: no pairs
};
/// difference: b's clock minus a's, where other calls have told it.
CallAlignment align_calls(std::span<const CallKey> a, std::span<const CallKey> b,
                          std::optional<TimeNs> difference = {});

} // namespace rankscope
